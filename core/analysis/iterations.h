// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <cstddef>
#include <string>
#include <vector>

namespace apertune::analysis {

/// The ways to find iterations.
enum class IterationSource : std::uint8_t {
    none,         ///< neither marks nor repetition
    profilerStep, ///< ranges "ProfilerStep#N"; one is enough
    range,        ///< ranges of one name, from the program or its server, that hold most of the work; one is enough
    /// Markers that a framework sets once in an iteration: an optimizer's step, the next batch of a DataLoader.
    stepMarker,
    outermost, ///< one outermost operator around each pass (TorchScript's "forward")
    period,    ///< the sequence of kernel (or operator) names repeats; a period may be a layer or a pass
};

/// "profiler_step", "range", "step_marker", "outermost_operator", "period", "none".
std::string_view toString(IterationSource source);

/// The iterations of a trace, and how they were found.
struct Iterations
{
    IterationSource source = IterationSource::none;
    /// Name of the range with # for varying numbers, or of the kernel or operator that begins each period.
    std::string name;
    /// StringIds of the ranges or markers, ascending; empty for periods and operators.
    std::vector<std::uint32_t> names;
    std::vector<TimeRange> all; ///< sorted by start, disjoint
    /// The host calls that begin in calls[i] belong to all[i]. The two differ when a device runs behind its host.
    std::vector<TimeRange> calls;
    /// The number of warm-up iterations: the first ones above 1.5 × the median, at most half of all.
    std::size_t steady = 0;

    bool found() const { return !all.empty(); }
    /// Returns whether the recording marks the iterations. Otherwise they are repeating sections of work, each of which
    /// may be a layer, a loop of the program or a whole pass.
    bool marked() const { return found() && source != IterationSource::period; }
    std::size_t steadyCount() const { return all.size() - steady; }
    /// Returns the range from the start of the first steady iteration to the end of the last.
    TimeRange window() const { return all.empty() ? TimeRange{} : TimeRange{all[steady].start, all.back().end}; }
};

/// Finds the iterations of a trace. Linear except for sorting. The first of these that exists wins:
/// 1. One or more ranges ProfilerStep#N.
/// 2. Three or more ranges that the program named, alike except for numbers. From the first to the last of them, they
///    hold 80 % of the device work that was launched, and that is at least half of all work. On a host, or without
///    recorded launches, they span half of the work and fill half of that span. Of several such names, the one with the
///    longest total wins.
/// 3. One or two such ranges that hold 80 % of all work. Of several names the longest one wins, unless it is more than
///    three times as long as the shortest: that is the program around the iterations.
/// 4. Two or more markers: iterations end with an optimizer's step, or else begin with the next batch of a DataLoader.
/// 5. On a host: outermost operators of one name that contain others.
/// 6. The period of the names of the device work or, without a device, of operators without parents.
///
/// For 1 to 3, ranges of host threads come before ranges that a device recorded. Ranges without any work are ignored,
/// and so are names that frameworks generate (a compiled graph, a collective) or that belong to a layer or a block.
///
/// The period (6) is a distance in the sequence of the first 200,000 names:
/// - A run of three names recurs at even distances: 80 % of them are within 10 % of the median.
/// - Its repetitions span 60 % of the sequence.
/// - Enough runs agree on the distance: six (or as many as the distance is long) and a quarter of the most that any
///   distance has; or three runs that recur five times at exactly that distance.
/// - It is not a multiple of a distance that three times as many runs have.
/// - Of several, the longest distance wins. A section begins at the run that follows the longest pause.
///
/// The bounds of an iteration that is marked on the host:
/// - It begins with its host range or, if earlier work still occupies the device, when that work ends.
/// - It ends where the next one begins. The last one ends with its range or with the last device work that was launched
///   in it, whichever is later.
/// - So device work counts in the iteration that launched it. The iteration includes host time before its first and
///   after its last device work.
/// - Exception: when all device work of the first range starts after the range ended, the iteration is its device work
///   alone, because unrecorded work had occupied the device.
Iterations findIterations(const TraceIndex& index, const OperatorForest& forest);

/// One element of the iteration strip.
struct IterationUse
{
    TimeRange time;
    std::int64_t busy = 0;    ///< time in which a device works; without a device, in which an operator runs
    std::int64_t copying = 0; ///< part of `busy` in which copies and no kernel run
    std::int64_t work = 0;    ///< pieces of device work (or operators) that start in the iteration
};
std::vector<IterationUse> iterationStrip(const TraceIndex& index, const OperatorForest& forest,
                                         const Iterations& iterations);

} // namespace apertune::analysis
