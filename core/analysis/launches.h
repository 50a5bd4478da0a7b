// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/distribution.h"
#include "core/analysis/trace_index.h"

namespace apertune::analysis {

/// Calls that take longer than this are outliers, and so are delays (HolisticTraceAnalysis's defaults).
constexpr std::int64_t kLongCall = 50'000;
constexpr std::int64_t kLongDelay = 100'000;
/// A device's queue of launches is full near this depth: the next launch blocks the host.
constexpr std::int64_t kFullQueue = 1024;
/// A kernel shorter than this is tiny, whatever its launch took.
constexpr std::int64_t kTinyKernel = 10'000;

/// The launches of kernels and graphs of one device in a window.
struct LaunchStatistics
{
    Distribution call;                ///< time of the launch calls
    Distribution delay;               ///< start of the kernel − end of its launch call; a start within the call is 0
    std::int64_t kernels = 0;         ///< with or without a call
    std::int64_t shorterThanCall = 0; ///< kernels shorter than their launch call
    std::int64_t tiny = 0;            ///< kernels shorter than kTinyKernel
    std::int64_t computing = 0;       ///< kernels other than communication, whose length is another device's too
    std::int64_t small = 0;           ///< of `computing`, those that are shorter than their call, or tiny
    std::int64_t tinyTime = 0;        ///< Σ durations of those
    std::int64_t longCalls = 0;
    std::int64_t longDelays = 0;
    std::int64_t deepestQueue = 0; ///< most pieces of work launched and not yet started
    double meanQueue = 0;          ///< the same over time
    std::int64_t graphs = 0;       ///< graph launches, which count as one each
};
/// n log n.
LaunchStatistics launchStatistics(const TraceIndex& index, std::int64_t device, Interval window);

/// Host time that each iteration took to enqueue its device work: from the start of the first to the end of the last
/// launching call that begins in it, without the waits, and without what lies between launches that are more than
/// 1 ms apart. One value an iteration that launches anything.
std::vector<std::int64_t> enqueueTimes(const TraceIndex& index, std::int64_t device,
                                       const std::vector<Interval>& iterations);

} // namespace apertune::analysis
