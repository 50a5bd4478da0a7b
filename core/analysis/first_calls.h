// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/trace_index.h"

#include <cstdint>
#include <vector>

namespace apertune::analysis {

/// A launch call of at least this length (1 ms) is suspicious: it queues the work and returns within microseconds.
inline constexpr std::int64_t kLongLaunch = 1'000'000;
/// The same for a kernel that is launched once, which nothing can be compared with (10 ms).
inline constexpr std::int64_t kLongOnlyLaunch = 10'000'000;

/// Other calls of the runtime that neither wait nor allocate return at once. One of at least this length (100 ms) made
/// the device's context or loaded a library, whatever it is named: often the first cudaFree or cudaStreamCreate.
inline constexpr std::int64_t kLongPreparation = 100'000'000;

/// Sets HostCall::first for each call in which the host prepared code that is there from then on: it loaded a module or
/// a library, compiled or linked, made a graph, or launched a kernel for the first time in the recording.
/// - Such a launch takes at least kLongLaunch and twenty times as long as the later launches of that kernel on average;
///   of a kernel that is launched once, it takes at least kLongOnlyLaunch.
/// - A launch is none that another thread's allocation or release holds up for half of its time.
/// - One that waits for space in a full queue counts, but no device is idle meanwhile.
/// - A call that releases memory or has no kind of its own is one from kLongPreparation on.
///
/// REQUIRES: `calls` are sorted by start and joined with `work`. O(n log n).
void markFirstCalls(std::vector<HostCall>& calls, const std::vector<Work>& work);

} // namespace apertune::analysis
