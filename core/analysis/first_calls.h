// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device_work.h"

#include <cstdint>
#include <vector>

namespace apertune::analysis {

/// A launch call of at least this length (1 ms) is suspicious, because launches return within microseconds.
inline constexpr std::int64_t kLongLaunch = 1'000'000;
/// The limit for a kernel that is launched once, and whose launch cannot be compared with others (10 ms).
inline constexpr std::int64_t kLongOnlyLaunch = 10'000'000;

/// The limit for other calls of the runtime that neither wait nor allocate (100 ms). A longer one created the device's
/// context or loaded a library, whatever its name: often the first cudaFree or cudaStreamCreate.
inline constexpr std::int64_t kLongPreparation = 100'000'000;

/// Sets HostCall::first for each call in which the host prepared code for all later calls: it loaded a module or a
/// library, compiled or linked, made a graph, or launched a kernel for the first time in the recording.
///
/// - A first launch takes at least kLongLaunch, and twenty times the mean of the later launches of that kernel. The
///   launch of a kernel that is launched once takes at least kLongOnlyLaunch.
/// - A launch that another thread's allocation or release delays for half of its time is not a first launch.
/// - A launch that waits for space in a full queue may count, but no device is idle meanwhile.
/// - A call that releases memory, or has no kind of its own, counts from kLongPreparation on.
///
/// REQUIRES: `calls` are sorted by start and joined with `work`. O(n log n).
void markFirstCalls(std::vector<HostCall>& calls, const std::vector<Work>& work);

} // namespace apertune::analysis
