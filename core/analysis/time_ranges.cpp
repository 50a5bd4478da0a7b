// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/time_ranges.h"

#include <algorithm>

namespace apertune::analysis {

TimeRange intersection(TimeRange a, TimeRange b)
{
    const TimeRange both{std::max(a.start, b.start), std::min(a.end, b.end)};
    return both.end > both.start ? both : TimeRange{both.start, both.start};
}

TimeRanges unite(std::vector<TimeRange> ranges)
{
    // Most lists come sorted, and checking costs less than sorting.
    if (!std::is_sorted(ranges.begin(), ranges.end()))
        std::sort(ranges.begin(), ranges.end());
    std::size_t kept = 0;
    for (const TimeRange range : ranges) {
        if (range.end <= range.start)
            continue;
        // Ranges that touch become one.
        if (kept > 0 && range.start <= ranges[kept - 1].end)
            ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
        else
            ranges[kept++] = range;
    }
    ranges.resize(kept);
    return ranges;
}

TimeRanges intersect(const TimeRanges& a, const TimeRanges& b)
{
    TimeRanges both;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (const TimeRange part = intersection(a[i], b[j]); part.length() > 0)
            both.push_back(part);
        // The one that ends first cannot meet anything further.
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return both;
}

TimeRanges subtract(const TimeRanges& a, const TimeRanges& b)
{
    TimeRanges rest;
    std::size_t j = 0;
    for (TimeRange range : a) {
        // Ranges of b that end before this one meet no later one either.
        while (j < b.size() && b[j].end <= range.start)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].start < range.end; ++k) {
            if (b[k].start > range.start)
                rest.push_back({range.start, b[k].start});
            range.start = std::max(range.start, b[k].end);
        }
        if (range.length() > 0)
            rest.push_back(range);
    }
    return rest;
}

std::int64_t totalLength(const TimeRanges& set)
{
    std::int64_t total = 0;
    for (const TimeRange range : set)
        total += range.length();
    return total;
}

std::int64_t coveredLength(const TimeRanges& set, TimeRange window)
{
    std::int64_t covered = 0;
    auto at = std::partition_point(set.begin(), set.end(), [&](const TimeRange& i) { return i.end <= window.start; });
    for (; at != set.end() && at->start < window.end; ++at)
        covered += intersection(*at, window).length();
    return covered;
}

} // namespace apertune::analysis
