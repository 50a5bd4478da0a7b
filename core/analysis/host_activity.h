// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/time_ranges.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace apertune::analysis {

/// A time in which a host thread launched no work or, on a CPU, ran no operator.
struct Pause
{
    trace::TrackId track;
    TimeRange time; ///< ends with the launch or the operator that follows
    /// Start of the thread's work before the pause. An activity that was already running then contains that work, too.
    std::int64_t since = 0;
};

/// Activity of a host thread during pauses.
struct HostBusy
{
    std::uint32_t name = 0;   ///< StringId of an operator, a range or a function of the script
    std::uint32_t caller = 0; ///< StringId of its caller, when `name` is a builtin function; 0: none
    std::int64_t time = 0;    ///< ns
};

/// Finds the activities during the pauses, longest first. The times of different activities do not overlap.
///
/// - An operator, a range or a function that ends in a pause explains it. An activity that continues after the pause (a
///   step of the program, its main function) does not.
/// - The outermost of these activities is reported, unless its name is uninformative: a builtin function ("<built-in
///   function next>"), or one that also contains the work before the pause. Then the activities inside are reported,
///   and the outer one gets the rest.
/// - A range or an operator that takes nine tenths of a function is reported instead of the function.
/// - Time in which no activity ends belongs to the innermost script function around the whole pause.
/// - Ranges that mark the steps of the profiler are ignored.
std::vector<HostBusy> activitiesDuring(const trace::Trace& trace, std::vector<Pause> pauses);

} // namespace apertune::analysis
