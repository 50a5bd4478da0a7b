// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_pointer.h"

#include <algorithm>
#include <cmath>

namespace apertune::timeline {

using trace::TimeRange;

namespace {

constexpr double kWheelStep = 120; // QWheelEvent::angleDelta() of one notch, in eighths of a degree
// Distances in logical pixels:
constexpr double kDragDistance = 4;
constexpr double kEdgeReach = 4; // on either side of the line
constexpr double kPinWidth = 24; // width of the square before a name
constexpr double kWheelScroll = 60;
constexpr double kLeastNames = 96;
constexpr double kMostNames = 0.5; // share of the whole width

} // namespace

TimelinePointer::TimelinePointer(TimelineNavigator& navigator, TimelineViewport& viewport)
    : m_navigator(navigator), m_viewport(viewport)
{
}

std::optional<std::int64_t> TimelinePointer::fixedEdge(QPointF at) const
{
    const std::optional<TimeRange>& range = m_navigator.selection().range;
    return range ? m_viewport.edgeOpposite(*range, at.x(), at.y(), kEdgeReach * m_viewport.ratio()) : std::nullopt;
}

bool TimelinePointer::isOnNamesEdge(QPointF at) const
{
    const TimelineMetrics& metrics = m_viewport.view().metrics;
    return at.y() >= metrics.overviewHeight && !fixedEdge(at) &&
           std::abs(at.x() - metrics.labelWidth) <= kEdgeReach * m_viewport.ratio();
}

std::optional<EventRef> TimelinePointer::hit(QPointF at) const
{
    return eventAt(*m_navigator.timeline(), m_viewport.view(), m_viewport.drawing(), at.x(), at.y());
}

void TimelinePointer::press(QPointF at, Qt::MouseButton button)
{
    const TimelineMetrics& metrics = m_viewport.view().metrics;
    m_button = button;
    m_moved = false;
    m_pressed = at;
    // Dragging is computed from the state at the press, so that rounding does not add up over the moves.
    m_pressedWindow = m_navigator.window();
    m_pressedScroll = m_viewport.scroll();
    // The order of the conditions is that of the layers: the overview lies above the rows, and edges lie above events.
    if (at.y() < metrics.overviewHeight && at.x() >= metrics.labelWidth) {
        m_drag = Drag::overview;
        centerAt(at.x());
    } else if (button == Qt::MiddleButton || button == Qt::RightButton) {
        m_drag = Drag::pan;
    } else if (button == Qt::LeftButton && isOnNamesEdge(at)) {
        m_drag = Drag::names;
        m_namesWidth = metrics.labelWidth;
    } else if (button == Qt::LeftButton && at.y() >= m_viewport.drawing().bodyTop && clickNames(at)) {
        m_drag = Drag::none;
    } else if (const auto fixed = fixedEdge(at); fixed && button == Qt::LeftButton) {
        m_drag = Drag::edge;
        m_fixedEdge = *fixed;
    } else if (button == Qt::LeftButton) {
        m_drag = Drag::pressed;
    }
}

void TimelinePointer::moveTo(QPointF at)
{
    const TimelineView& view = m_viewport.view();
    const QPointF moved = at - m_pressed;
    const double distance = kDragDistance * m_viewport.ratio();
    // A hand that clicks also moves a little. Once it has moved, it drags until the release.
    m_moved = m_moved || std::abs(moved.x()) >= distance || std::abs(moved.y()) >= distance;
    // Only a horizontal move selects, because time is horizontal; a vertical one adds rows to a selection.
    if (m_drag == Drag::pressed && std::abs(moved.x()) >= distance)
        m_drag = Drag::select;
    const double time = view.timeAt(std::clamp<double>(at.x(), view.metrics.labelWidth, view.width));
    if (m_drag == Drag::edge) {
        // Dragging an edge over the other one swaps them.
        const auto edge = static_cast<std::int64_t>(time);
        if (edge != m_fixedEdge)
            m_navigator.select(TimeRange{std::min(edge, m_fixedEdge), std::max(edge, m_fixedEdge)},
                               m_navigator.selection().rows);
    } else if (m_drag == Drag::select) {
        const double start = view.timeAt(m_pressed.x());
        m_navigator.select(TimeRange{static_cast<std::int64_t>(std::min(start, time)),
                                     static_cast<std::int64_t>(std::max(start, time))},
                           m_viewport.rowsBetween(m_pressed.y(), at.y()));
    } else if (m_drag == Drag::names) {
        m_namesWidth = std::clamp<double>(at.x(), kLeastNames * m_viewport.ratio(), view.width * kMostNames);
    } else if (m_drag == Drag::pan && m_moved) {
        m_navigator.dragWindow(panBy(m_pressedWindow, -moved.x() * view.nsPerPx));
        m_viewport.scrollTo(m_pressedScroll - static_cast<int>(std::lround(moved.y())));
    } else if (m_drag == Drag::overview) {
        centerAt(at.x());
    }
}

/// Moves the window to a place in the overview.
void TimelinePointer::centerAt(double x)
{
    const TimelineView& view = m_viewport.view();
    const TimeRange whole = m_navigator.timeline()->extent();
    const double share = (x - view.metrics.labelWidth) / std::max(1, view.plotWidth());
    const double middle = static_cast<double>(whole.start) + share * static_cast<double>(whole.length());
    const double half = m_navigator.window().length() / 2;
    m_navigator.dragWindow({middle - half, middle + half});
}

bool TimelinePointer::release(QPointF at)
{
    bool onEvent = false;
    // The right button opens a menu if it did not drag.
    if (m_drag == Drag::pan && !m_moved && m_button == Qt::RightButton) {
        if (const auto event = hit(at)) {
            m_navigator.choose(event, false);
            onEvent = true;
        }
    }
    if (m_drag == Drag::pressed)
        click(at);
    // The history gets the end of a drag and not its steps.
    if ((m_drag == Drag::pan || m_drag == Drag::overview) && m_navigator.window() != m_pressedWindow)
        m_navigator.showWindow(m_navigator.window());
    m_drag = Drag::none;
    return onEvent;
}

bool TimelinePointer::clickNames(QPointF at)
{
    if (const GroupBox* group = m_viewport.groupAt(at.y())) {
        m_navigator.toggleGroup(group->group);
        return true;
    }
    const RowBox* row = m_viewport.rowAt(at.y());
    if (row && at.x() < kPinWidth * m_viewport.ratio()) {
        m_navigator.setPinned(row->row, !m_navigator.isPinned(row->row));
        return true;
    }
    return at.x() < m_viewport.view().metrics.labelWidth;
}

void TimelinePointer::click(QPointF at)
{
    if (const IterationBox* iteration = m_viewport.iterationAt(at.x(), at.y())) {
        m_navigator.selectRange(m_navigator.iterations()[iteration->iteration].range);
        return;
    }
    m_navigator.choose(hit(at), false);
    if (!m_navigator.chosen())
        m_navigator.selectRange(std::nullopt);
}

void TimelinePointer::doubleClick(QPointF at)
{
    if (isOnNamesEdge(at))
        // A double click on the edge resets the width of the names.
        return; // the owner of the width does
    if (at.x() < m_viewport.view().metrics.labelWidth) {
        const RowBox* row = m_viewport.rowAt(at.y());
        if (row && at.x() >= kPinWidth * m_viewport.ratio())
            m_navigator.toggleThin(row->row);
        return;
    }
    if (const auto event = hit(at)) {
        m_navigator.choose(event, false);
        m_navigator.fitEvent(*event);
    }
}

void TimelinePointer::wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers)
{
    const TimelineView& view = m_viewport.view();
    const double steps = angle.y() / kWheelStep;
    // Over the names the wheel scrolls the rows; over the events it zooms, which is what a timeline is used for most.
    if (at.x() < view.metrics.labelWidth || modifiers.testFlag(Qt::AltModifier)) {
        const double vertical = angle.y() != 0 ? angle.y() : angle.x(); // Alt turns the wheel sideways
        m_viewport.scrollTo(m_viewport.scroll() -
                            static_cast<int>(std::lround(vertical / kWheelStep * kWheelScroll * m_viewport.ratio())));
    } else if (modifiers.testFlag(Qt::ShiftModifier) || std::abs(angle.x()) > std::abs(angle.y())) {
        const double sideways = angle.x() != 0 ? angle.x() : angle.y();
        // A step of the wheel moves the window by a tenth of its width.
        m_navigator.panByShare(-sideways / kWheelStep * 0.1);
    } else if (steps != 0) {
        // A power, so that half a step back and forth gives the same window.
        m_navigator.zoomBy(std::pow(0.8, steps), view.timeAt(at.x()));
    }
}

} // namespace apertune::timeline
