// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/time_range.h"

#include <cstdint>
#include <vector>

namespace apertune::analysis {

using trace::TimeRange;

/// Returns the part of `a` that lies in `b`. It is empty (length 0) when they do not overlap.
TimeRange intersection(TimeRange a, TimeRange b);

/// A set of instants as sorted ranges, which are not empty and neither touch nor overlap. All functions below take
/// and return such sets.
using TimeRanges = std::vector<TimeRange>;

/// Returns the union, in O(n log n), or in linear time when the input is sorted by start.
TimeRanges unite(std::vector<TimeRange> ranges);
/// Returns the intersection, in linear time.
TimeRanges intersect(const TimeRanges& a, const TimeRanges& b);
/// Returns the instants that are in `a` but not in `b`, in linear time.
TimeRanges subtract(const TimeRanges& a, const TimeRanges& b);
std::int64_t totalLength(const TimeRanges& set);
/// Returns the length of the part of `window` that `set` covers. The cost is logarithmic plus the ranges in `window`.
std::int64_t coveredLength(const TimeRanges& set, TimeRange window);

} // namespace apertune::analysis
