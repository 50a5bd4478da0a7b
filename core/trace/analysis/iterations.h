// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/analysis/operator_forest.h"

#include <cstddef>
#include <string>
#include <vector>

namespace apertune::trace::analysis {

/// How the repeated unit of work was found.
enum class IterationSource : std::uint8_t {
    none,         ///< nothing repeats, or nothing was recorded that could
    profilerStep, ///< ranges "ProfilerStep#N"
    range,        ///< a named range that repeats and covers most of the work
    period,       ///< the order of kernel (or operator) names repeats
};

/// "profiler_step", "range", "period", "none".
std::string_view toString(IterationSource source);

struct Iterations
{
    IterationSource source = IterationSource::none;
    std::string name;          ///< of the range, or of the kernel or operator that begins each period
    std::vector<Interval> all; ///< by start, disjoint
    /// The first iterations that took more than 1.5 × the median of the rest are warm-up: [0, steady). At most half.
    std::size_t steady = 0;

    bool found() const { return all.size() >= 2; }
    std::size_t steadyCount() const { return all.size() - steady; }
    /// From the start of the first steady iteration to the end of the last one.
    Interval window() const { return all.empty() ? Interval{} : Interval{all[steady].start, all.back().end}; }
};

/// Finds the iterations of a trace, in this order:
/// 1. ranges ProfilerStep#N on a host thread (two or more; see core/trace/named_ranges.h for which follow each other);
/// 2. ranges of one name (digits at its end ignored), three or more, that do not overlap, span at least half of the
///    work and fill at least half of what they span; of several such names the one with the longest total
///    wins;
/// Ranges without any work in them are left out.
/// 3. the period of the names of the device work (operators without parents where there is no device), from the
///    first 200,000: a run of three names comes back at even distances (80 % of them within 10 % of the median); the
///    longest distance that six runs agree on (as many as it is long, when shorter; a quarter of what the commonest
///    distance has; or three that come back at exactly that distance five times), whose repetitions span 60 % of the
///    sequence, and that is no multiple of one with three times as many runs, is the period. An iteration begins where
///    the longest pause stands before such a run. On a host, outermost operators of one name with others below them
///    (TorchScript's forward) are the iterations.
/// Linear but for sorting.
Iterations findIterations(const TraceIndex& index, const OperatorForest& forest);

/// One cell of the iteration strip.
struct IterationUse
{
    Interval time;
    std::int64_t busy = 0;    ///< some device works; without a device: some operator runs
    std::int64_t copying = 0; ///< of busy: only copies run
    std::int64_t work = 0;    ///< pieces of device work (operators) that start in it
};
std::vector<IterationUse> iterationStrip(const TraceIndex& index, const OperatorForest& forest,
                                         const Iterations& iterations);

} // namespace apertune::trace::analysis
