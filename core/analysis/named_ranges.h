// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/time_range.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace apertune::analysis {

/// An interval that a program or its recorder named.
struct NamedRange
{
    trace::TimeRange time;
    std::uint32_t name = 0; ///< StringId of the name with its number
};

/// Ranges of host threads, grouped by their name without the number at its end, each list sorted by start.
/// "ProfilerStep#3" is in the group "ProfilerStep"; recordings of 2021 have these among the operators.
/// - Rounded clocks may let a range overlap the next one of its name by up to a microsecond. It is cut there.
/// - A name whose ranges overlap by more is left out, because they do not follow each other.
using NamedRanges = std::map<std::string, std::vector<NamedRange>, std::less<>>;
NamedRanges namedRanges(const trace::Trace& trace);

/// Groups the ranges that a device recorded (gpu_user_annotation) in the same way. The parts of one range on several
/// streams become one range, from the start of the first to the end of the last.
NamedRanges deviceRanges(const trace::Trace& trace);

} // namespace apertune::analysis
