// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/intervals.h"

#include <algorithm>

namespace apertune::analysis {

Interval intersection(Interval a, Interval b)
{
    const Interval both{std::max(a.start, b.start), std::min(a.end, b.end)};
    return both.end > both.start ? both : Interval{both.start, both.start};
}

Intervals unite(std::vector<Interval> intervals)
{
    // Most lists come sorted, and checking costs less than sorting.
    if (!std::is_sorted(intervals.begin(), intervals.end()))
        std::sort(intervals.begin(), intervals.end());
    std::size_t kept = 0;
    for (const Interval interval : intervals) {
        if (interval.end <= interval.start)
            continue;
        // Intervals that touch become one.
        if (kept > 0 && interval.start <= intervals[kept - 1].end)
            intervals[kept - 1].end = std::max(intervals[kept - 1].end, interval.end);
        else
            intervals[kept++] = interval;
    }
    intervals.resize(kept);
    return intervals;
}

Intervals intersect(const Intervals& a, const Intervals& b)
{
    Intervals both;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (const Interval part = intersection(a[i], b[j]); part.length() > 0)
            both.push_back(part);
        // The one that ends first cannot meet anything further.
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return both;
}

Intervals subtract(const Intervals& a, const Intervals& b)
{
    Intervals rest;
    std::size_t j = 0;
    for (Interval interval : a) {
        // Intervals of b that end before this one meet no later one either.
        while (j < b.size() && b[j].end <= interval.start)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].start < interval.end; ++k) {
            if (b[k].start > interval.start)
                rest.push_back({interval.start, b[k].start});
            interval.start = std::max(interval.start, b[k].end);
        }
        if (interval.length() > 0)
            rest.push_back(interval);
    }
    return rest;
}

std::int64_t totalLength(const Intervals& set)
{
    std::int64_t total = 0;
    for (const Interval interval : set)
        total += interval.length();
    return total;
}

std::int64_t coveredLength(const Intervals& set, Interval window)
{
    std::int64_t covered = 0;
    auto at = std::partition_point(set.begin(), set.end(), [&](const Interval& i) { return i.end <= window.start; });
    for (; at != set.end() && at->start < window.end; ++at)
        covered += intersection(*at, window).length();
    return covered;
}

} // namespace apertune::analysis
