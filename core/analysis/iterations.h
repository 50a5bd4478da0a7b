// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <cstddef>
#include <string>
#include <vector>

namespace apertune::analysis {

/// Ways to find the iterations.
enum class IterationSource : std::uint8_t {
    none,         ///< no iterations: no marks and no repetition
    profilerStep, ///< ranges "ProfilerStep#N"; one is enough
    range,        ///< ranges of one name, of the program or its server, that hold most of the work; one is enough
    stepMarker,   ///< what a framework does once in an iteration: an optimizer's step, the next batch of a DataLoader
    outermost,    ///< one outermost operator around each pass (TorchScript's "forward")
    period,       ///< the order of kernel (or operator) names repeats: a section, which may be a layer or a pass
};

/// "profiler_step", "range", "step_marker", "outermost_operator", "period", "none".
std::string_view toString(IterationSource source);

struct Iterations
{
    IterationSource source = IterationSource::none;
    std::string
        name; ///< of the range, with # for numbers that differ, or of the kernel or operator that begins each period
    std::vector<std::uint32_t> names; ///< StringIds of the ranges or markers, ascending; none of periods and operators
    std::vector<Interval> all;        ///< by start, disjoint
    /// Host calls that begin in calls[i] belong to all[i]. The two differ where a device runs behind its host.
    std::vector<Interval> calls;
    /// The first iterations that took more than 1.5 × the median of the rest are warm-up: [0, steady). At most half.
    std::size_t steady = 0;

    bool found() const { return !all.empty(); }
    /// Returns whether the recording marks the iterations. Otherwise they are repeating sections of work, and each may
    /// be a layer, a loop of the program or a whole pass.
    bool marked() const { return found() && source != IterationSource::period; }
    std::size_t steadyCount() const { return all.size() - steady; }
    /// Returns the range from the start of the first steady iteration to the end of the last.
    Interval window() const { return all.empty() ? Interval{} : Interval{all[steady].start, all.back().end}; }
};

/// Finds the iterations of a trace, in this order:
/// 1. ranges ProfilerStep#N, one or more (see core/analysis/named_ranges.h for which follow each other);
/// 2. ranges that the program named, alike but for their numbers, three or more, that do not overlap. They hold 80 % of
///    the device work that was launched from the first to the last of them, and that is half of all work or more; where
///    no launches are recorded, and on a host, they span half of the work and fill half of what they span. Of several
///    such names the one with the longest total wins;
/// 3. one or two such ranges that hold 80 % of all work; of several, the longest, but none that is over three times as
///    long as the shortest: that is the program around it;
/// 4. markers, two or more: iterations end with an optimizer's step, or else begin with the next batch of a DataLoader;
/// 5. on a host, outermost operators of one name with others below them;
/// 6. the period of the names of the device work (operators without parents where there is no device), from the
///    first 200,000: a run of three names comes back at even distances (80 % of them within 10 % of the median); the
///    longest distance that six runs agree on (as many as it is long, when shorter; a quarter of what the commonest
///    distance has; or three that come back at exactly that distance five times), whose repetitions span 60 % of the
///    sequence, and that is no multiple of one with three times as many runs, is the period. A section begins where
///    the longest pause stands before such a run.
/// For 1 to 3, ranges of host threads come before ranges as a device spent them. Ranges without any work in them are
/// left out, and what frameworks name themselves (a compiled graph, a collective) or what a name calls a layer is no
/// iteration.
///
/// An iteration that is marked on the host begins when its host range begins; where earlier work still occupies the
/// device by then, when that ends. It ends where the next one begins, and the last one with its range or with the last
/// device work launched in it, whichever is later. So device work counts where it was launched, and host time before
/// the first and after the last device work of an iteration belongs to it. Only the first range of a recording, when
/// all of its device work starts after it ended, stands for its device work alone: something that was not recorded had
/// held the device.
/// Linear but for sorting.
Iterations findIterations(const TraceIndex& index, const OperatorForest& forest);

/// One element of the iteration strip.
struct IterationUse
{
    Interval time;
    std::int64_t busy = 0;    ///< time in which a device works; without a device: an operator runs
    std::int64_t copying = 0; ///< part of `busy` while only copies run
    std::int64_t work = 0;    ///< pieces of device work (or operators) that start in the iteration
};
std::vector<IterationUse> iterationStrip(const TraceIndex& index, const OperatorForest& forest,
                                         const Iterations& iterations);

} // namespace apertune::analysis
