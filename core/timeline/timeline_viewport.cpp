// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_viewport.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace apertune::timeline {

void TimelineViewport::resize(int width, int height, double ratio, const TimelineMetrics& metrics)
{
    m_view.width = std::max(0, width);
    m_view.height = std::max(0, height);
    m_view.metrics = metrics;
    m_ratio = ratio;
    m_current = false;
}

void TimelineViewport::scrollTo(int scroll)
{
    if (m_view.scroll == scroll)
        return;
    m_view.scroll = std::max(0, scroll);
    m_current = false;
}

void TimelineViewport::layOut(const TimelineNavigator& navigator)
{
    if (m_current)
        return;
    TimelineView view = navigator.view();
    view.width = m_view.width;
    view.height = m_view.height;
    view.scroll = m_view.scroll;
    view.metrics = m_view.metrics;
    const TimeWindow window = navigator.window();
    view.nsPerPx = std::max(1e-3, window.length() / std::max(1, view.plotWidth()));
    // Whole pixels from time 0: columns keep their events while the picture moves.
    view.begin = std::round(window.begin / view.nsPerPx) * view.nsPerPx;
    m_drawing = layOutTimeline(*navigator.timeline(), view);
    view.scroll = m_drawing.scroll;
    m_view = std::move(view);
    m_current = true;
}

void TimelineViewport::reveal(const TimelineNavigator& navigator, EventRef event)
{
    const Timeline& timeline = *navigator.timeline();
    // Rows out of sight are not in the drawing: a probe measures down to the event's row.
    TimelineView probe = m_view;
    probe.height = 1 << 28;
    probe.scroll = 0;
    probe.width = probe.metrics.labelWidth; // places only
    int y = 0;
    int height = 0;
    for (const RowBox& box : layOutTimeline(timeline, probe).rows) {
        if (box.row == event.row && !box.pinned) {
            const auto lane = static_cast<int>(timeline.placeOf(event).first);
            y = box.y - m_drawing.scrollTop + lane * box.laneHeight;
            height = box.laneHeight;
        }
    }
    const int header = m_view.metrics.groupHeight;
    const int page = m_view.height - m_drawing.scrollTop - header;
    if (y - header < m_view.scroll)
        scrollTo(y - header);
    else if (y + height > m_view.scroll + page)
        scrollTo(y + height - page);
}

const RowBox* TimelineViewport::rowAt(double y) const
{
    for (const RowBox& box : m_drawing.rows) {
        const int top = box.pinned ? m_drawing.bodyTop : m_drawing.scrollTop;
        if (y >= std::max(box.y, top) && y < box.y + box.height)
            return &box;
    }
    return nullptr;
}

const GroupBox* TimelineViewport::groupAt(double y) const
{
    for (const GroupBox& box : m_drawing.groups)
        if (y >= box.y && y < box.y + box.height)
            return &box;
    return nullptr;
}

const IterationBox* TimelineViewport::iterationAt(double x, double y) const
{
    if (y < m_drawing.iterationTop || y >= m_drawing.bodyTop)
        return nullptr;
    for (const IterationBox& box : m_drawing.iterations)
        if (x >= box.x && x < box.x + box.width)
            return &box;
    return nullptr;
}

std::vector<std::uint32_t> TimelineViewport::rowsBetween(double from, double to) const
{
    std::vector<std::uint32_t> rows;
    if (from < m_drawing.bodyTop)
        return rows;
    const double top = std::min(from, to);
    const double bottom = std::max(from, to);
    for (const RowBox& box : m_drawing.rows)
        if (box.y <= bottom && box.y + box.height > std::max<double>(top, box.pinned ? 0 : m_drawing.scrollTop))
            rows.push_back(box.row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

std::optional<std::int64_t> TimelineViewport::edgeOpposite(trace::TimeRange range, double x, double y,
                                                           double reach) const
{
    if (x < m_view.metrics.labelWidth || y < m_drawing.iterationTop)
        return std::nullopt;
    const double toBegin = std::abs(x - m_view.xOf(static_cast<double>(range.start)));
    const double toEnd = std::abs(x - m_view.xOf(static_cast<double>(range.end)));
    if (std::min(toBegin, toEnd) > reach)
        return std::nullopt;
    return toEnd <= toBegin ? range.start : range.end;
}

} // namespace apertune::timeline
