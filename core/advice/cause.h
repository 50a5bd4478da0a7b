// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apertune::advice {

/// Where the time of an iteration goes. The parts add up to the window without interruptions.
enum class Cause : std::uint8_t {
    compute,         ///< arithmetic: convolutions, matrix products, attention
    memory,          ///< traffic: element-wise, normalisation, layout, copies on the device
    launch,          ///< getting work to the device, or from one operator to the next
    host,            ///< the host did something else
    transfer,        ///< copies between host and device that nothing hides
    communication,   ///< collectives between devices that no computation hides: sending, or waiting for another device
    synchronization, ///< the device ran dry because the host waited for it
    allocation,      ///< the driver's or (on a CPU) the system's allocator
    other,           ///< kernels of unknown sort, queues of the device, causes that were not recorded
};
inline constexpr std::size_t kCauses = 9;
/// "compute", "memory", "launch", "host", "transfer", "communication", "synchronization", "allocation", "other".
std::string_view toString(Cause cause);

} // namespace apertune::advice
