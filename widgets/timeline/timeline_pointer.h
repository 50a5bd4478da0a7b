// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_viewport.h"

#include <QPoint>
#include <QPointF>
#include <Qt>

#include <cstdint>
#include <optional>

namespace apertune::timeline {

/// What a pointer does in a timeline: clicks, drags and the wheel, as TimelineWidget describes them. It changes the
/// navigator and the scroll position; its owner finishes the step and paints. Points are pixels of the drawing.
///
/// REQUIRES: navigator and viewport outlive it; the navigator has a timeline while a function is called; the drawing is
/// current in press(), release() and doubleClick(). GUI thread.
class TimelinePointer
{
public:
    enum class Drag { none, pressed, select, edge, pan, overview };

    TimelinePointer(TimelineNavigator& navigator, TimelineViewport& viewport);

    Drag drag() const { return m_drag; }
    /// True where a press would take hold of an edge of the selected range.
    bool isOnEdge(QPointF at) const;

    void press(QPointF at, Qt::MouseButton button);
    void moveTo(QPointF at);
    void release(QPointF at);
    /// Ends a drag without a release.
    void cancel() { m_drag = Drag::none; }
    void doubleClick(QPointF at);
    void wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers);

private:
    std::optional<std::int64_t> fixedEdge(QPointF at) const;
    bool clickNames(QPointF at);
    void click(QPointF at);
    void centerAt(double x);

    TimelineNavigator& m_navigator;
    TimelineViewport& m_viewport;
    Drag m_drag = Drag::none;
    QPointF m_pressed;
    TimeWindow m_pressedWindow;
    int m_pressedScroll = 0;
    std::int64_t m_fixedEdge = 0; ///< ns; the edge of the range that stays while the other one is dragged
};

} // namespace apertune::timeline
