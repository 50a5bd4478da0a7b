// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/trace_index.h"

#include <vector>

namespace apertune::analysis {

/// A launch call of at least this length (1 ms) is suspicious: it queues the work and returns within microseconds.
constexpr std::int64_t kLongLaunch = 1'000'000;

/// Returns, for each of index.calls, whether the host prepared code in it that is there from then on: it loaded a
/// module or a library, compiled or linked, or launched a kernel for the first time in the recording and took at least
/// kLongLaunch and twenty times as long as the later launches of that kernel on average. A launch that only waits for
/// space in a full queue counts as well, but no device is idle meanwhile. O(calls).
std::vector<bool> firstCalls(const TraceIndex& index);

} // namespace apertune::analysis
