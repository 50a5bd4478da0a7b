// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apertune::advice {

/// The causes of time of an iteration. The parts add up to the window without interruptions.
enum class Cause : std::uint8_t {
    compute,         ///< arithmetic: convolutions, matrix products, attention
    memory,          ///< memory traffic: element-wise work, normalisation, layout changes, copies within the device
    launch,          ///< launching work on the device, or passing from one operator to the next
    host,            ///< the host was busy with something else
    transfer,        ///< copies between host and device that no kernel hides
    communication,   ///< collectives between devices that no computation hides: sending, or waiting for another device
    synchronization, ///< the device ran out of work because the host waited for it
    firstCalls,      ///< code was prepared at its first use: modules loaded, kernels compiled; gone in later iterations
    allocation,      ///< the allocator of the driver or, on a CPU, of the system
    other,           ///< kernels of an unknown kind, queues of the device, unrecorded causes
};
inline constexpr std::size_t kCauses = 10;
/// "compute", "memory", "launch", "host", "transfer", "communication", "synchronization", "first_calls",
/// "allocation", "other".
std::string_view toString(Cause cause);

} // namespace apertune::advice
