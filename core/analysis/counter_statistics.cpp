// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counter_statistics.h"

#include "core/trace/event.h"

#include <algorithm>

namespace apertune::analysis {

std::optional<CounterStatistics> counterStatistics(const std::vector<std::int64_t>& start,
                                                   const std::vector<std::int64_t>& value, std::int64_t begin,
                                                   std::int64_t end, std::optional<std::int64_t> before)
{
    const auto from = static_cast<std::size_t>(std::lower_bound(start.begin(), start.end(), begin) - start.begin());
    const auto to = static_cast<std::size_t>(std::lower_bound(start.begin(), start.end(), end) - start.begin());
    const std::optional<std::int64_t> held = from > 0 ? std::optional(trace::valueAt(value, from - 1)) : before;
    if (from >= to && !held)
        return std::nullopt;
    CounterStatistics s;
    double current = static_cast<double>(held ? *held : trace::valueAt(value, from));
    std::int64_t since = held ? begin : start[from];
    const std::int64_t opened = since;
    s.first = current;
    // A sample at the very beginning replaces the value before it, which then holds at no time of the range.
    s.least = s.most = from < to && start[from] == since ? static_cast<double>(trace::valueAt(value, from)) : current;
    double area = 0;
    for (std::size_t i = from; i < to; ++i) {
        area += current * static_cast<double>(start[i] - since);
        since = start[i];
        current = static_cast<double>(trace::valueAt(value, i));
        s.least = std::min(s.least, current);
        s.most = std::max(s.most, current);
    }
    area += current * static_cast<double>(std::max<std::int64_t>(0, end - since));
    s.samples = static_cast<std::int64_t>(to - from);
    s.last = current;
    const std::int64_t length = std::max(end, since) - opened;
    s.mean = length > 0 ? area / static_cast<double>(length) : current;
    return s;
}

} // namespace apertune::analysis
