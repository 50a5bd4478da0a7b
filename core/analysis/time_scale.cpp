// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/time_scale.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace apertune::analysis {

TimeScale::TimeScale(const std::vector<Part>& parts)
{
    struct Edge
    {
        std::int64_t time;
        double factor;
        bool begins;
    };
    std::vector<Edge> edges;
    for (const Part& part : parts)
        if (part.time.length() > 0) {
            edges.push_back({part.time.start, part.factor, true});
            edges.push_back({part.time.end, part.factor, false});
        }
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.time < b.time; });
    std::vector<double> open; // few: parts nest as deeply as changes overlap
    for (std::size_t i = 0; i < edges.size();) {
        const std::int64_t time = edges[i].time;
        const double changed = m_points.empty()
                                   ? static_cast<double>(time)
                                   : m_points.back().changed +
                                         m_points.back().factor * static_cast<double>(time - m_points.back().recorded);
        for (; i < edges.size() && edges[i].time == time; ++i)
            if (edges[i].begins)
                open.push_back(edges[i].factor);
            else if (const auto closed = std::ranges::find(open, edges[i].factor); closed != open.end())
                open.erase(closed);
        double factor = 1;
        for (const double f : open)
            factor *= f;
        m_points.push_back({time, changed, factor});
    }
}

std::int64_t TimeScale::operator()(std::int64_t time) const
{
    const auto after = std::upper_bound(m_points.begin(), m_points.end(), time,
                                        [](std::int64_t t, const Point& point) { return t < point.recorded; });
    if (after == m_points.begin())
        return time;
    const Point& point = *std::prev(after);
    return std::llround(point.changed + point.factor * static_cast<double>(time - point.recorded));
}

} // namespace apertune::analysis
