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
    std::uint32_t name = 0; ///< StringId, with its number
};

/// The ranges of host threads by their name without the number at its end, each list by start: "ProfilerStep#3" is one
/// of "ProfilerStep", which recordings of 2021 have among the operators. A range that sticks into the next one of its
/// name by up to a microsecond (clocks are rounded) is cut there; a name whose ranges overlap by more is left out: they
/// do not follow each other.
using NamedRanges = std::map<std::string, std::vector<NamedRange>, std::less<>>;
NamedRanges namedRanges(const trace::Trace& trace);

/// The same of ranges as a device spent them (gpu_user_annotation). What several streams spent of one range is one
/// range, from the first to the last of it.
NamedRanges deviceRanges(const trace::Trace& trace);

} // namespace apertune::analysis
