// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_viewport.h"

#include <QPoint>
#include <QPointF>
#include <Qt>

#include <cstdint>
#include <optional>

namespace apertune::timeline {

/// Handles the pointer in a timeline: clicks, drags and the wheel, as TimelineWidget describes them. It changes the
/// navigator and the scroll position; its owner finishes the step and paints. Points are pixels of the drawing. GUI
/// thread.
///
/// REQUIRES: navigator and viewport outlive it.
/// REQUIRES: the navigator has a timeline while a function is called.
/// REQUIRES: the drawing is current in press(), release() and doubleClick().
class TimelinePointer
{
public:
    enum class Drag { none, pressed, select, edge, names, pan, overview };

    TimelinePointer(TimelineNavigator& navigator, TimelineViewport& viewport);

    Drag drag() const { return m_drag; }
    /// Returns whether a press would grab an edge of the selected range, or of the names.
    bool isOnEdge(QPointF at) const { return isOnNamesEdge(at) || fixedEdge(at).has_value(); }
    /// Returns whether the point is on the line between names and tracks.
    bool isOnNamesEdge(QPointF at) const;
    /// Returns the width of the names that the user drags to (Drag::names).
    double namesWidth() const { return m_namesWidth; }

    void press(QPointF at, Qt::MouseButton button);
    void moveTo(QPointF at);
    /// Returns true after a click with the right button on an event. The event is chosen then.
    bool release(QPointF at);
    /// Ends a drag without a release.
    void cancel() { m_drag = Drag::none; }
    void doubleClick(QPointF at);
    void wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers);

private:
    std::optional<EventRef> hit(QPointF at) const;
    std::optional<std::int64_t> fixedEdge(QPointF at) const;
    bool clickNames(QPointF at);
    void click(QPointF at);
    void centerAt(double x);

    TimelineNavigator& m_navigator;
    TimelineViewport& m_viewport;
    Drag m_drag = Drag::none;
    Qt::MouseButton m_button = Qt::NoButton;
    bool m_moved = false; ///< the drag went further than an unsteady hand moves
    QPointF m_pressed;
    TimeWindow m_pressedWindow;
    int m_pressedScroll = 0;
    double m_namesWidth = 0;
    std::int64_t m_fixedEdge = 0; ///< ns; the edge of the range that stays while the other one is dragged
};

} // namespace apertune::timeline
