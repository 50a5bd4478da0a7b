// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace apertune::analysis {

/// [start, end) in nanoseconds after Trace::origin.
struct Interval
{
    std::int64_t start = 0;
    std::int64_t end = 0;
    constexpr std::int64_t length() const { return end > start ? end - start : 0; }
    constexpr bool contains(std::int64_t time) const { return start <= time && time < end; }
    constexpr auto operator<=>(const Interval&) const = default;
};

/// Returns the part of `a` that lies in `b`. It is empty (length 0) when they do not overlap.
Interval intersection(Interval a, Interval b);

/// A set of instants as sorted intervals, which are not empty and neither touch nor overlap. All functions below take
/// and return such sets.
using Intervals = std::vector<Interval>;

/// Returns the union, in O(n log n), or in linear time when the input is sorted by start.
Intervals unite(std::vector<Interval> intervals);
/// Returns the intersection, in linear time.
Intervals intersect(const Intervals& a, const Intervals& b);
/// Returns the instants that are in `a` but not in `b`, in linear time.
Intervals subtract(const Intervals& a, const Intervals& b);
std::int64_t totalLength(const Intervals& set);
/// Returns the length of the part of `window` that `set` covers. The cost is logarithmic plus the intervals in
/// `window`.
std::int64_t coveredLength(const Intervals& set, Interval window);

} // namespace apertune::analysis
