// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/distribution.h"
#include "core/analysis/trace_index.h"

namespace apertune::analysis {

/// Calls longer than kLongCall and delays longer than kLongDelay are outliers (the defaults of HolisticTraceAnalysis),
/// in ns.
constexpr std::int64_t kLongCall = 50'000;
constexpr std::int64_t kLongDelay = 100'000;
/// A device's queue of launches is full near this depth. Then the next launch blocks the host.
constexpr std::int64_t kFullQueue = 1024;
/// A kernel shorter than this (ns) is tiny, however long its launch took.
constexpr std::int64_t kTinyKernel = 10'000;

/// The launches of kernels and graphs of one device in a window.
struct LaunchStatistics
{
    Distribution call;  ///< time of the launch calls; a captured graph has one call
    Distribution delay; ///< start of the (first) kernel − end of its launch call; 0 when it starts within the call
    std::int64_t kernels = 0;         ///< all kernels, even those without a recorded call
    std::int64_t withoutCall = 0;     ///< kernels whose launch call is not in the recording
    std::int64_t withoutCallTime = 0; ///< Σ durations of `withoutCall`
    std::int64_t shorterThanCall = 0; ///< kernels shorter than their launch call, without those of captured graphs
    std::int64_t tiny = 0;            ///< kernels shorter than kTinyKernel
    std::int64_t computing = 0;       ///< kernels except communication, whose length depends on other devices
    std::int64_t small = 0;    ///< part of `computing`, without those of graphs: tiny, or shorter than their call
    std::int64_t tinyTime = 0; ///< Σ durations of `tiny`
    std::int64_t longCalls = 0;
    std::int64_t longDelays = 0;
    std::int64_t deepestQueue = 0; ///< largest number of pieces of work that were launched but not started
    double meanQueue = 0;          ///< mean depth of that queue over time
    std::int64_t ofGraphs = 0;     ///< kernels that a graph launch started
    std::int64_t graphs = 0;       ///< graph launches with recorded kernels; each counts once
};
/// Computes the launch statistics of the work that starts in `window`. O(n log n).
LaunchStatistics launchStatistics(const TraceIndex& index, std::int64_t device, TimeRange window);

/// Returns the host time of each iteration for enqueuing its device work, in ns: from the start of the first to the end
/// of the last launching call that begins in it. Waits, copies that block, first calls (first_calls.h), and pauses of
/// more than 1 ms between launches do not count. Iterations that launch nothing have no value.
std::vector<std::int64_t> enqueueTimes(const TraceIndex& index, std::int64_t device,
                                       const std::vector<TimeRange>& iterations);

} // namespace apertune::analysis
