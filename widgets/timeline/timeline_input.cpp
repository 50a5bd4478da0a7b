// SPDX-License-Identifier: GPL-3.0-or-later
// How a timeline is moved and chosen from with the pointer; by keys: timeline_actions.cpp.
#include "widgets/timeline/timeline_widget.h"
#include "widgets/timeline/timeline_words.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace apertune::timeline {

using timeline::EventRef;
using timeline::TimeWindow;
using trace::TimeRange;

namespace {

constexpr double kWheelStep = 120;
constexpr double kDragDistance = 4;
constexpr double kEdgeReach = 4; // on either side of the line

} // namespace

void TimelineWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_stale = true;
}

void TimelineWidget::leaveEvent(QEvent*)
{
    m_pointer = {-1, -1};
    update();
}

void TimelineWidget::zoomBy(double factor, double anchor)
{
    setWindow(timeline::zoomAt(m_window, anchor, factor), true);
}

void TimelineWidget::panByShare(double share)
{
    setWindow(timeline::panBy(m_window, m_window.length() * share), true);
}

void TimelineWidget::wheelEvent(QWheelEvent* event)
{
    if (!m_timeline)
        return;
    const QPointF at = toPicture(event->position());
    const QPoint angle = event->angleDelta();
    const bool overNames = at.x() < m_view.metrics.labelWidth;
    const double steps = angle.y() / kWheelStep;
    if (overNames || event->modifiers().testFlag(Qt::AltModifier)) {
        const double vertical = angle.y() != 0 ? angle.y() : angle.x(); // Alt turns the wheel sideways
        scrollTo(m_view.scroll - qRound(vertical / kWheelStep * 60 * m_ratio));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(angle.x()) > std::abs(angle.y())) {
        const double sideways = angle.x() != 0 ? angle.x() : angle.y();
        panByShare(-sideways / kWheelStep * 0.1);
    } else if (steps != 0) {
        zoomBy(std::pow(0.8, steps), m_view.timeAt(at.x()));
    }
    event->accept();
}

const timeline::RowBox* TimelineWidget::rowUnder(QPointF at)
{
    const timeline::TimelineDrawing& drawing = drawingNow();
    for (const timeline::RowBox& box : drawing.rows) {
        const int top = box.pinned ? drawing.bodyTop : drawing.scrollTop;
        if (at.y() >= std::max(box.y, top) && at.y() < box.y + box.height)
            return &box;
    }
    return nullptr;
}

std::optional<std::int64_t> TimelineWidget::otherEdge(QPointF at) const
{
    if (!m_selection || at.x() < m_view.metrics.labelWidth / m_ratio || at.y() < m_drawing.iterationTop / m_ratio)
        return std::nullopt;
    const double toBegin = std::abs(at.x() - xOnWidget(static_cast<double>(m_selection->begin)));
    const double toEnd = std::abs(at.x() - xOnWidget(static_cast<double>(m_selection->end)));
    if (std::min(toBegin, toEnd) > kEdgeReach)
        return std::nullopt;
    return toEnd <= toBegin ? m_selection->begin : m_selection->end;
}

void TimelineWidget::toggleThin(std::uint32_t row)
{
    m_view.compact[row] = m_view.compact[row] ? 0 : 1;
    refresh();
}

bool TimelineWidget::clickNames(QPointF at)
{
    const timeline::TimelineDrawing& drawing = drawingNow();
    for (const timeline::GroupBox& box : drawing.groups) {
        if (at.y() >= box.y && at.y() < box.y + box.height) {
            m_view.collapsed[box.group] = m_view.collapsed[box.group] ? 0 : 1;
            refresh();
            return true;
        }
    }
    const timeline::RowBox* row = rowUnder(at);
    if (row && at.x() < 24 * m_ratio) {
        setPinned(row->row, !isPinned(row->row));
        return true;
    }
    return at.x() < m_view.metrics.labelWidth;
}

void TimelineWidget::mousePressEvent(QMouseEvent* event)
{
    if (!m_timeline)
        return;
    const QPointF at = toPicture(event->position());
    m_pressed = event->position();
    m_pressedWindow = m_window;
    m_pressedScroll = m_view.scroll;
    if (at.y() < m_view.metrics.overviewHeight && at.x() >= m_view.metrics.labelWidth) {
        m_drag = Drag::overview;
        mouseMoveEvent(event);
    } else if (event->button() == Qt::MiddleButton || event->button() == Qt::RightButton) {
        m_drag = Drag::pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton && at.y() >= drawingNow().bodyTop && clickNames(at)) {
        m_drag = Drag::none;
    } else if (const auto fixed = otherEdge(event->position()); fixed && event->button() == Qt::LeftButton) {
        m_drag = Drag::edge;
        m_fixedEdge = *fixed;
    } else if (event->button() == Qt::LeftButton) {
        m_drag = Drag::pressed;
    }
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event)
{
    m_pointer = event->position();
    if (!m_timeline)
        return;
    const QPointF moved = event->position() - m_pressed;
    if (m_drag == Drag::pressed && std::abs(moved.x()) >= kDragDistance)
        m_drag = Drag::select;
    const double x = std::clamp<double>(toPicture(event->position()).x(), m_view.metrics.labelWidth, m_view.width);
    const double b = m_view.timeAt(x);
    if (m_drag == Drag::none) {
        const auto shape = otherEdge(event->position()) ? Qt::SizeHorCursor : Qt::ArrowCursor;
        if (cursor().shape() != shape)
            setCursor(shape);
    } else if (m_drag == Drag::edge) {
        const auto edge = static_cast<std::int64_t>(b);
        if (edge != m_fixedEdge)
            select(TimeRange{std::min(edge, m_fixedEdge), std::max(edge, m_fixedEdge)}, m_area);
    } else if (m_drag == Drag::select) {
        const double a = m_view.timeAt(toPicture(m_pressed).x());
        select(TimeRange{static_cast<std::int64_t>(std::min(a, b)), static_cast<std::int64_t>(std::max(a, b))},
               rowsBetween(toPicture(m_pressed).y(), toPicture(event->position()).y()));
    } else if (m_drag == Drag::pan) {
        setWindow(timeline::panBy(m_pressedWindow, -moved.x() * m_ratio * m_view.nsPerPx), false);
        scrollTo(m_pressedScroll - qRound(moved.y() * m_ratio));
    } else if (m_drag == Drag::overview) {
        const TimeRange whole = m_timeline->extent();
        const double share =
            (toPicture(event->position()).x() - m_view.metrics.labelWidth) / std::max(1, m_view.plotWidth());
        const double middle = static_cast<double>(whole.begin) + share * static_cast<double>(whole.length());
        setWindow({middle - m_window.length() / 2, middle + m_window.length() / 2}, false);
    }
    update();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag == Drag::pressed)
        clickAt(event->position());
    if (m_drag == Drag::pan || m_drag == Drag::overview) {
        unsetCursor();
        if (!(m_window == m_pressedWindow))
            setWindow(m_window, true);
    }
    m_drag = Drag::none;
    update();
}

void TimelineWidget::clickAt(QPointF at)
{
    const QPointF p = toPicture(at);
    if (p.y() < drawingNow().bodyTop && p.y() >= drawingNow().iterationTop) {
        for (const timeline::IterationBox& box : drawingNow().iterations) {
            if (p.x() >= box.x && p.x() < box.x + box.width) {
                setSelection(iterations()[box.iteration].range);
                return;
            }
        }
    }
    choose(timeline::eventAt(*m_timeline, viewNow(), drawingNow(), p.x(), p.y()), false);
    if (!m_view.selected)
        setSelection(std::nullopt);
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!m_timeline || event->button() != Qt::LeftButton)
        return;
    const QPointF at = toPicture(event->position());
    if (at.x() < m_view.metrics.labelWidth) {
        const timeline::RowBox* row = rowUnder(at);
        if (row && at.x() >= 24 * m_ratio)
            toggleThin(row->row);
        return;
    }
    if (const auto hit = timeline::eventAt(*m_timeline, viewNow(), drawingNow(), at.x(), at.y())) {
        choose(hit, false);
        setWindow(timeline::fitTo(m_timeline->rangeOf(*hit), 0.5), true);
    }
}

std::vector<std::uint32_t> TimelineWidget::rowsBetween(double y0, double y1)
{
    const timeline::TimelineDrawing& drawing = drawingNow();
    std::vector<std::uint32_t> rows;
    if (y0 < drawing.bodyTop) // from the ruler or the iterations: all tracks
        return rows;
    const double top = std::min(y0, y1);
    const double bottom = std::max(y0, y1);
    for (const timeline::RowBox& box : drawing.rows)
        if (box.y <= bottom && box.y + box.height > std::max<double>(top, box.pinned ? 0 : drawing.scrollTop))
            rows.push_back(box.row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

QString TimelineWidget::toolTipAt(QPointF at)
{
    const QPointF p = toPicture(at);
    const timeline::TimelineDrawing& drawing = drawingNow();
    if (p.y() < m_view.metrics.overviewHeight)
        return tr("How busy the devices are over the whole recording. Click or drag to go there.");
    if (p.y() < drawing.bodyTop) {
        for (const timeline::IterationBox& box : drawing.iterations) {
            if (p.y() >= drawing.iterationTop && p.x() >= box.x && p.x() < box.x + box.width) {
                const timeline::Iteration& iteration = iterations()[box.iteration];
                return tr("%1\n%2. Click to select its range.")
                    .arg(QString::fromStdString(iteration.label), timeWord(iteration.range.length()));
            }
        }
        return {};
    }
    if (const auto hit = timeline::eventAt(*m_timeline, viewNow(), drawing, p.x(), p.y()))
        return eventToolTip(*m_timeline, *hit);
    const timeline::RowBox* box = rowUnder(p);
    if (!box)
        return {};
    const timeline::TimelineRow& row = m_timeline->rows()[box->row];
    if (p.x() >= m_view.metrics.labelWidth && row.isCurve()) {
        const auto time = static_cast<std::int64_t>(m_view.timeAt(p.x()));
        const auto value = curveValueAt(*m_timeline, row, time);
        return value ? tr("%1: %2").arg(rowLabel(*m_timeline, box->row), curveValue(*m_timeline, row, *value))
                     : QString();
    }
    if (p.x() < m_view.metrics.labelWidth) {
        const QString figure = row.isCurve()
                                   ? tr("On the right: the value at the right edge.")
                                   : tr("On the right: the share of the visible time in which something runs.");
        return tr("%1\n%2\nClick before the name to pin the row, double-click the name for thin lanes.")
            .arg(rowLabel(*m_timeline, box->row), figure);
    }
    return {};
}

bool TimelineWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_timeline) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), m_drag == Drag::none ? toolTipAt(help->pos()) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace apertune::timeline
