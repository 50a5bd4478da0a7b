// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_viewport.h"
#include "widgets/controls/accessible.h"

#include <QString>

#include <cstddef>
#include <optional>

namespace apertune::timeline {

/// Returns the summary of a timeline for assistive tools: visible range, chosen event, selection and matches.
QString timelineSummary(const TimelineNavigator& navigator);

/// The parts of a timeline for assistive tools (controls::PaintedParts): the rows in view, then the first 500 events
/// that are drawn as boxes. The chosen event is always among them.
/// REQUIRES: navigator and viewport outlive it, the navigator has a timeline, and the drawing is current.
class TimelineParts
{
public:
    TimelineParts(const TimelineNavigator& navigator, const TimelineViewport& viewport);

    int count() const;
    /// REQUIRES: 0 <= index < count().
    controls::PaintedParts::Part at(int index) const;
    /// Returns the index of the chosen event; -1 when it is out of view or none is chosen.
    int current() const;

private:
    controls::PaintedParts::Part rowPart(const RowBox& box) const;
    controls::PaintedParts::Part eventPart(const EventBox& box) const;
    QRect place(int x, int y, int width, int height) const;

    const Timeline& m_timeline;
    const TimelineViewport& m_viewport;
    const TimelineDrawing& m_drawing;
    std::optional<std::size_t> m_chosen; ///< index into the boxes of the drawing
};

} // namespace apertune::timeline
