// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_layout.h"
#include "core/timeline/timeline_navigator.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace apertune::timeline {

/// The visible surface of a timeline: its size, the vertical scroll position, and the drawing on it. Points are pixels
/// of the drawing.
/// Thread rule: one thread.
class TimelineViewport
{
public:
    /// Sets the size of the drawing. `ratio` is its pixels per logical pixel of the screen; `metrics` contain it.
    void resize(int width, int height, double ratio, const TimelineMetrics& metrics);
    double ratio() const { return m_ratio; }
    /// Requests a scroll position. The next layout limits it to the content.
    void scrollTo(int scroll);
    int scroll() const { return m_view.scroll; }

    /// Marks the drawing as out of date.
    void invalidate() { m_current = false; }
    /// False when the next layOut() has to compute the drawing.
    bool isCurrent() const { return m_current; }
    /// Computes the drawing, unless it is current.
    /// REQUIRES: the navigator has a timeline.
    void layOut(const TimelineNavigator& navigator);
    /// The view of the last layout, with the scroll position that was requested since.
    const TimelineView& view() const { return m_view; }
    /// The drawing of the last layout.
    const TimelineDrawing& drawing() const { return m_drawing; }

    /// Scrolls by the smallest distance that brings the lane of an event into view, below the header of its group.
    /// REQUIRES: the drawing is current, and the group of the event is unfolded.
    void reveal(const TimelineNavigator& navigator, EventRef event);

    /// Returns the row at a height of the drawing; nullptr when there is none.
    const RowBox* rowAt(double y) const;
    /// Returns the header of a group at a height of the drawing; nullptr when there is none.
    const GroupBox* groupAt(double y) const;
    /// Returns the box of an iteration; nullptr when there is none.
    const IterationBox* iterationAt(double x, double y) const;
    /// Returns the rows that a drag between two heights passes, in ascending order. It is empty, which stands for all
    /// rows, when the drag begins above the rows.
    std::vector<std::uint32_t> rowsBetween(double from, double to) const;
    /// Returns the other edge of the range when one of its edges is at most `reach` pixels from a point below the
    /// ruler.
    std::optional<std::int64_t> edgeOpposite(trace::TimeRange range, double x, double y, double reach) const;

private:
    double m_ratio = 1;
    bool m_current = false;
    TimelineView m_view;
    TimelineDrawing m_drawing;
};

} // namespace apertune::timeline
