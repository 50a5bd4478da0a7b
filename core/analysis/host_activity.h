// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/intervals.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace apertune::analysis {

/// A time in which a host thread gave no work to the device or, on a CPU, ran no operator.
struct Pause
{
    trace::TrackId track;
    Interval time; ///< ends with the launch or the operator that follows
    /// Start of the thread's work before the pause. An activity that was under way by then holds that work as well.
    std::int64_t since = 0;
};

/// Activity of a host thread during pauses.
struct HostBusy
{
    std::uint32_t name = 0;   ///< StringId of an operator, a range or a function of the script
    std::uint32_t caller = 0; ///< StringId of the function that called it, where `name` is a builtin; 0: none
    std::int64_t time = 0;    ///< ns
};

/// Finds what fills the pauses, longest first. The times of different activities do not overlap.
/// - Only an operator, a range or a function that ends in a pause explains it. One that continues while the thread goes
///   on (a step of the program, its main function) does not.
/// - The outermost of them is named, unless it says little: a builtin function ("<built-in function next>"), or one
///   that holds the work before the pause as well. There, what it contains is named, and it has the rest.
/// - A range or an operator that takes nine tenths of a function has a better name than the function.
/// - Time that no activity ends in belongs to the innermost function of the script around the whole pause.
/// - Ranges that mark the steps of the profiler are not named.
std::vector<HostBusy> activitiesDuring(const trace::Trace& trace, std::vector<Pause> pauses);

} // namespace apertune::analysis
