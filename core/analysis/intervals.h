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

/// The part of `a` that lies in `b`; empty (length 0) when they do not meet.
Interval intersection(Interval a, Interval b);

/// A set of instants as sorted intervals that neither touch nor overlap and are not empty. What all functions below
/// take and give.
using Intervals = std::vector<Interval>;

/// The union. n log n; linear when sorted by start already.
Intervals unite(std::vector<Interval> intervals);
/// Linear in both.
Intervals intersect(const Intervals& a, const Intervals& b);
/// What is in `a` and not in `b`. Linear in both.
Intervals subtract(const Intervals& a, const Intervals& b);
Intervals clip(const Intervals& set, Interval window);
std::int64_t totalLength(const Intervals& set);
/// Length of the part of `window` that `set` covers. Logarithmic, plus the intervals that it meets.
std::int64_t coveredLength(const Intervals& set, Interval window);

} // namespace apertune::analysis
