// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_widget.h"

#include "core/timeline/timeline_matches.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_actions.h"
#include "widgets/timeline/timeline_overlay.h"
#include "widgets/timeline/timeline_parts.h"
#include "widgets/timeline/timeline_text.h"
#include "widgets/timeline/timeline_tool_tip.h"

#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace apertune::timeline {

using Drag = TimelinePointer::Drag;

namespace {

constexpr int kBarWidth = 12;       // logical pixels
constexpr double kLeastNames = 150; // logical pixels, unless the user chooses less

} // namespace

TimelineWidget::TimelineWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    // paintEvent() covers every pixel, so Qt need not clear the background first.
    setAttribute(Qt::WA_OpaquePaintEvent);
    controls::setPaintedRole(this, controls::PaintedRole::chart);
    setAccessibleName(tr("Timeline"));
    // Windows that follow each other quickly are one step of the history, so the navigator needs a clock.
    m_clock.start();
    m_bar = new QScrollBar(Qt::Vertical, this);
    m_bar->setAccessibleName(tr("Rows of the timeline"));
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        m_viewport.scrollTo(qRound(value * m_viewport.ratio()));
        update();
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &TimelineWidget::refresh);
    setAccessibleDescription(timelineSummary(m_navigator));
}

void TimelineWidget::setTimeline(timeline::TimelinePtr timeline)
{
    m_pointer.cancel();
    unsetCursor();
    m_navigator.open(std::move(timeline));
    m_needOfSize = 0;
    m_viewport = TimelineViewport();
    finishStep();
}

void TimelineWidget::setMatches(timeline::MatchesPtr matches)
{
    m_navigator.setMatches(std::move(matches));
    finishStep();
}

void TimelineWidget::setArrows(bool on)
{
    m_navigator.setArrows(on);
    finishStep();
}

void TimelineWidget::setIterations(std::vector<timeline::Iteration> iterations)
{
    m_navigator.setIterations(std::move(iterations));
    finishStep();
}

void TimelineWidget::setSelection(std::optional<trace::TimeRange> range)
{
    m_navigator.selectRange(range);
    finishStep();
}

void TimelineWidget::selectTracks(std::vector<std::uint32_t> rows)
{
    m_navigator.select(selection(), std::move(rows));
    finishStep();
}

void TimelineWidget::choose(std::optional<timeline::EventRef> event, bool reveal)
{
    m_navigator.choose(event, reveal);
    finishStep();
}

void TimelineWidget::showWindow(timeline::TimeWindow window)
{
    m_navigator.showWindow(window);
    finishStep();
}

void TimelineWidget::fitSelection()
{
    m_navigator.fitSelection();
    finishStep();
}

void TimelineWidget::fitEvent()
{
    if (const auto event = chosen())
        m_navigator.fitEvent(*event);
    finishStep();
}

void TimelineWidget::goBack()
{
    m_navigator.goBack();
    finishStep();
}

void TimelineWidget::goForward()
{
    m_navigator.goForward();
    finishStep();
}

bool TimelineWidget::stepMatch(bool forward)
{
    const bool found = m_navigator.stepMatch(forward);
    finishStep();
    return found;
}

/// Repaints, and reports to listeners, what the last step of the user changed.
void TimelineWidget::finishStep()
{
    const TimelineChanges changes = m_navigator.finishStep(m_clock.elapsed());
    if (changes.drawing)
        m_viewport.invalidate();
    // A row that has just been unfolded has no place before the picture is laid out anew.
    if (changes.revealed) {
        drawingNow();
        m_viewport.reveal(m_navigator, *changes.revealed);
    }
    // The description is for screen readers; a change of colours alone does not alter it.
    if (changes.drawing || changes.range || changes.rows)
        setAccessibleDescription(timelineSummary(m_navigator));
    update();
    if (changes.window)
        Q_EMIT historyChanged();
    if (changes.range)
        Q_EMIT selectionChanged();
    if (changes.rows)
        Q_EMIT areaChanged();
    if (changes.event)
        Q_EMIT eventChosen();
    if (changes.chosen)
        controls::announceCurrentPart(this);
}

void TimelineWidget::refresh()
{
    m_viewport.invalidate();
    setAccessibleDescription(timelineSummary(m_navigator));
    update();
}

void TimelineWidget::setNamesWidth(std::optional<double> width)
{
    m_namesWidth = width;
    m_viewport.invalidate();
}

double TimelineWidget::namesWidth()
{
    if (m_namesWidth)
        return std::min(*m_namesWidth, width() / 2.0);
    if (timeline() && m_needOfSize != theme::textSize()) {
        m_needOfSize = theme::textSize();
        m_namesNeed = widthOfNames(*timeline());
    }
    return std::clamp(m_namesNeed, kLeastNames, std::max(kLeastNames, width() * 0.25));
}

/// Everything that depends on size, device pixels and text size.
void TimelineWidget::measure()
{
    // The picture has device pixels, the widget has logical ones. Each length is at least one pixel.
    const double ratio = devicePixelRatioF();
    const int text = QFontMetrics(theme::font(theme::Type::caption)).height();
    const auto px = [ratio](double value) { return std::max(1, qRound(value * ratio)); };
    timeline::TimelineMetrics m;
    m.labelWidth = px(namesWidth());
    m.overviewHeight = px(40);
    m.rulerHeight = px(text + 11);
    m.iterationHeight = px(text + 6);
    m.groupHeight = px(text + 11);
    m.laneHeight = px(text + 6);
    m.compactLaneHeight = px(5);
    m.curveHeight = px(52);
    m.rowPadding = px(2);
    m.tickSpacing = px(96);
    m.minimumRow = px(text + 10);
    const int plot = width() - (m_bar->isVisible() ? kBarWidth : 0);
    m_viewport.resize(qRound(plot * ratio), qRound(height() * ratio), ratio, m);
}

const timeline::TimelineView& TimelineWidget::viewNow()
{
    drawingNow();
    return m_viewport.view();
}

const timeline::TimelineDrawing& TimelineWidget::drawingNow()
{
    if (!m_viewport.isCurrent() && timeline()) {
        measure();
        m_viewport.layOut(m_navigator);
        m_unpainted = true;
        placeScrollBar();
    }
    return m_viewport.drawing();
}

void TimelineWidget::placeScrollBar()
{
    const timeline::TimelineDrawing& drawing = m_viewport.drawing();
    const double ratio = m_viewport.ratio();
    const int top = qRound(drawing.scrollTop / ratio);
    const int page = std::max(1, height() - top);
    const int content = static_cast<int>(std::ceil(drawing.contentHeight / ratio));
    const bool needed = content > page;
    // Setting the value would scroll again, back to a rounded place.
    const QSignalBlocker blocker(m_bar);
    m_bar->setRange(0, std::max(0, content - page));
    m_bar->setPageStep(page);
    m_bar->setSingleStep(24);
    m_bar->setValue(qRound(drawing.scroll / ratio));
    m_bar->setGeometry(width() - kBarWidth, top, kBarWidth, page);
    if (m_bar->isVisibleTo(this) != needed) {
        m_bar->setVisible(needed); // the picture has another width then
        measure();
        m_viewport.layOut(m_navigator);
    }
}

void TimelineWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const theme::Tokens& t = theme::current();
    if (!timeline()) {
        painter.fillRect(rect(), t.panel);
        return;
    }
    const timeline::TimelineDrawing& drawing = drawingNow();
    const timeline::TimelineView& view = m_viewport.view();
    // The picture outlives a repaint: the selection and the pointer are drawn over it, so moving the mouse paints no
    // row again.
    if (m_unpainted && view.width > 0 && view.height > 0) {
        if (m_picture.size() != QSize(view.width, view.height))
            m_picture = QImage(view.width, view.height, QImage::Format_RGB32);
        // The painter works in device pixels; a ratio here would scale its text twice.
        m_picture.setDevicePixelRatio(1);
        m_painter.paint(m_picture, *timeline(), view, drawing, m_viewport.ratio());
        m_unpainted = false;
    }
    m_picture.setDevicePixelRatio(m_viewport.ratio());
    painter.fillRect(QRect(width() - kBarWidth, 0, kBarWidth, height()), t.panel);
    painter.drawImage(QPointF(0, 0), m_picture);
    // Logical pixels from here on.
    TimelineOverlay overlay(painter, m_viewport, height());
    overlay.paintSelection(m_navigator.selection());
    if (m_pointer.drag() != Drag::overview)
        overlay.paintPointer(m_pointerAt);
    if (hasFocus())
        theme::drawFocusRing(painter, QRectF(rect()), 4);
}

void TimelineWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_viewport.invalidate();
}

void TimelineWidget::leaveEvent(QEvent*)
{
    m_pointerAt = {-1, -1};
    update();
}

void TimelineWidget::wheelEvent(QWheelEvent* event)
{
    if (!timeline())
        return;
    m_pointer.wheel(toPicture(event->position()), event->angleDelta(), event->modifiers());
    finishStep();
    event->accept();
}

void TimelineWidget::mousePressEvent(QMouseEvent* event)
{
    if (!timeline())
        return;
    // A click must meet what the user sees, so pending changes are laid out first.
    drawingNow();
    m_pointer.press(toPicture(event->position()), event->button());
    if (m_pointer.drag() == Drag::overview)
        m_pointerAt = event->position();
    if (m_pointer.drag() == Drag::pan)
        setCursor(Qt::ClosedHandCursor);
    finishStep();
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event)
{
    m_pointerAt = event->position();
    if (!timeline())
        return;
    const QPointF at = toPicture(event->position());
    m_pointer.moveTo(at);
    if (m_pointer.drag() == Drag::names)
        setNamesWidth(m_pointer.namesWidth() / m_viewport.ratio());
    if (m_pointer.drag() == Drag::none) {
        const auto shape = m_pointer.isOnEdge(at) ? Qt::SizeHorCursor : Qt::ArrowCursor;
        if (cursor().shape() != shape)
            setCursor(shape);
    }
    finishStep();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (!timeline())
        return;
    if (m_pointer.drag() == Drag::pan || m_pointer.drag() == Drag::overview)
        unsetCursor();
    drawingNow();
    const bool wantsMenu = m_pointer.release(toPicture(event->position()));
    finishStep();
    if (wantsMenu)
        Q_EMIT menuRequested(event->globalPosition().toPoint());
}

void TimelineWidget::contextMenuEvent(QContextMenuEvent* event)
{
    event->accept();
    if (event->reason() != QContextMenuEvent::Keyboard || !chosen())
        return; // a press of the right button may begin a drag: its release asks for the menu
    const int current = currentPart();
    const QRect place = current >= 0 ? part(current).place : QRect();
    Q_EMIT menuRequested(mapToGlobal((place.isEmpty() ? rect() : place).center()));
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!timeline() || event->button() != Qt::LeftButton)
        return;
    drawingNow();
    if (m_pointer.isOnNamesEdge(toPicture(event->position())))
        setNamesWidth(std::nullopt);
    m_pointer.doubleClick(toPicture(event->position()));
    finishStep();
}

void TimelineWidget::keyPressEvent(QKeyEvent* event)
{
    const std::optional<int> action = timeline() ? controls::actionOf(timelineKeys(), *event) : std::nullopt;
    if (!action || !act(static_cast<TimelineAction>(*action)))
        QWidget::keyPressEvent(event);
}

bool TimelineWidget::act(TimelineAction action)
{
    if (action == TimelineAction::find) {
        Q_EMIT findRequested();
        return true;
    }
    const timeline::TimelineView& view = viewNow();
    // Keys zoom around the pointer, as the wheel does; beside the rows around the middle.
    const double x = toPicture(m_pointerAt).x();
    const double middle = (window().begin + window().end) / 2;
    const bool done = perform(action, m_navigator, m_viewport, x >= view.metrics.labelWidth ? view.timeAt(x) : middle);
    finishStep();
    return done;
}

bool TimelineWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && timeline()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        drawingNow();
        QToolTip::showText(help->globalPos(),
                           // A tool tip would cover what is being dragged over.
                           m_pointer.drag() == Drag::none
                               ? timelineToolTip(m_navigator, m_viewport, toPicture(help->pos()))
                               : QString(),
                           this);
        return true;
    }
    return QWidget::event(event);
}

int TimelineWidget::partCount()
{
    if (!timeline())
        return 0;
    drawingNow();
    return TimelineParts(m_navigator, m_viewport).count();
}

controls::PaintedParts::Part TimelineWidget::part(int index)
{
    drawingNow();
    return TimelineParts(m_navigator, m_viewport).at(index);
}

int TimelineWidget::currentPart()
{
    if (!timeline())
        return -1;
    drawingNow();
    return TimelineParts(m_navigator, m_viewport).current();
}

} // namespace apertune::timeline
