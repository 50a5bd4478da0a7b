// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_widget.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/style.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_words.h"

#include <QFontMetrics>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace apertune::timeline {

using timeline::EventRef;
using timeline::TimeWindow;
using trace::TimeRange;

namespace {

constexpr int kBarWidth = 12;

} // namespace

TimelineWidget::TimelineWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    controls::setPaintedRole(this, controls::PaintedRole::chart);
    setAccessibleName(tr("Timeline"));
    m_clock.start();
    m_bar = new QScrollBar(Qt::Vertical, this);
    m_bar->setAccessibleName(tr("Rows of the timeline"));
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) { scrollTo(qRound(value * m_ratio)); });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &TimelineWidget::refresh);
    summarise();
}

void TimelineWidget::setTimeline(timeline::TimelinePtr timeline)
{
    m_timeline = std::move(timeline);
    m_matches.reset();
    m_iterations.clear();
    m_history = timeline::ZoomHistory();
    m_selection.reset();
    m_area.clear();
    const bool arrows = m_view.arrows;
    m_view = {};
    m_view.arrows = arrows;
    if (m_timeline) {
        m_view.collapsed.assign(m_timeline->groups().size(), 0);
        m_view.compact.assign(m_timeline->rows().size(), 0);
        setWindow(timeline::fitTo(m_timeline->extent(), 0.01), true);
    }
    refresh();
    Q_EMIT selectionChanged();
    Q_EMIT areaChanged();
    Q_EMIT eventChosen();
}

void TimelineWidget::setMatches(timeline::MatchesPtr matches)
{
    m_matches = std::move(matches);
    refresh();
}

void TimelineWidget::setArrows(bool on)
{
    m_view.arrows = on;
    refresh();
}

void TimelineWidget::setIterations(std::vector<timeline::Iteration> iterations)
{
    m_iterations = std::move(iterations);
    m_view.iterations = m_iterations.empty() ? nullptr : &m_iterations;
    refresh();
}

void TimelineWidget::setSelection(std::optional<TimeRange> range)
{
    if (range && range->empty())
        range.reset();
    if (m_selection != range)
        select(range, {});
}

void TimelineWidget::select(std::optional<TimeRange> range, std::vector<std::uint32_t> rows)
{
    if (range && range->empty())
        range.reset();
    if (!range)
        rows.clear();
    const bool moved = m_selection != range;
    const bool others = m_area != rows;
    m_selection = range;
    m_area = std::move(rows);
    summarise();
    update();
    if (moved)
        Q_EMIT selectionChanged();
    if (others)
        Q_EMIT areaChanged();
}

void TimelineWidget::choose(std::optional<EventRef> event, bool revealIt)
{
    if (m_view.selected != event) {
        m_view.selected = event;
        m_view.partners = event && m_timeline ? m_timeline->partnersOf(*event) : std::vector<EventRef>();
        refresh();
        Q_EMIT eventChosen();
    }
    if (event && revealIt)
        reveal(*event);
    if (event)
        controls::tellCurrentPart(this);
}

void TimelineWidget::showWindow(TimeWindow window)
{
    setWindow(window, true);
}

void TimelineWidget::setWindow(TimeWindow window, bool remember)
{
    if (!m_timeline)
        return;
    const TimeWindow next = timeline::clampWindow(window, m_timeline->extent());
    if (remember)
        m_history.visit(next, m_clock.elapsed());
    m_window = next;
    refresh();
    Q_EMIT windowChanged();
    Q_EMIT historyChanged();
}

void TimelineWidget::fitAll()
{
    if (m_timeline)
        setWindow(timeline::fitTo(m_timeline->extent(), 0.01), true);
}

void TimelineWidget::fitSelection()
{
    if (m_selection)
        setWindow(timeline::fitTo(*m_selection, 0.05), true);
    else if (m_view.selected)
        setWindow(timeline::fitTo(m_timeline->rangeOf(*m_view.selected), 1.5), true);
    else
        fitAll();
}

void TimelineWidget::goBack()
{
    if (const auto window = m_history.back())
        setWindow(*window, false);
}

void TimelineWidget::goForward()
{
    if (const auto window = m_history.forward())
        setWindow(*window, false);
}

bool TimelineWidget::stepMatch(bool forward)
{
    if (!m_timeline || !m_matches || m_matches->count == 0)
        return false;
    std::int64_t from = static_cast<std::int64_t>(m_window.begin);
    if (m_view.selected && m_matches->name[m_timeline->columns(*m_view.selected).name[m_view.selected->event]])
        from = m_timeline->rangeOf(*m_view.selected).begin;
    std::optional<EventRef> next = m_matches->next(*m_timeline, from, forward);
    if (!next)
        next = m_matches->next(*m_timeline, forward ? m_timeline->extent().begin - 1 : m_timeline->extent().end + 1,
                               forward);
    if (next)
        choose(next);
    return next.has_value();
}

void TimelineWidget::setPinned(std::uint32_t row, bool pinned)
{
    auto& all = m_view.pinned;
    const auto at = std::find(all.begin(), all.end(), row);
    if (pinned && at == all.end())
        all.push_back(row);
    else if (!pinned && at != all.end())
        all.erase(at);
    refresh();
}

bool TimelineWidget::isPinned(std::uint32_t row) const
{
    return std::find(m_view.pinned.begin(), m_view.pinned.end(), row) != m_view.pinned.end();
}

/// Everything that depends on size, device pixels and text size.
void TimelineWidget::measure()
{
    m_ratio = devicePixelRatioF();
    const QFontMetrics caption(theme::font(theme::Type::caption));
    const int text = caption.height();
    const auto px = [this](double value) { return std::max(1, qRound(value * m_ratio)); };
    timeline::TimelineMetrics& m = m_view.metrics;
    m.labelWidth = px(std::clamp(width() * 0.17, 150.0, 250.0) + (theme::textSize() - theme::kDefaultTextSize) * 8);
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
    m_view.width = std::max(0, qRound((width() - (m_bar->isVisible() ? kBarWidth : 0)) * m_ratio));
    m_view.height = std::max(0, qRound(height() * m_ratio));
    m_view.nsPerPx = std::max(1e-3, m_window.length() / std::max(1, m_view.plotWidth()));
    // Whole pixels from time 0: columns keep their events while the picture moves.
    m_view.begin = std::round(m_window.begin / m_view.nsPerPx) * m_view.nsPerPx;
    m_view.matches = m_matches.get();
}

const timeline::TimelineView& TimelineWidget::viewNow()
{
    drawingNow();
    return m_view;
}

const timeline::TimelineDrawing& TimelineWidget::drawingNow()
{
    if (m_stale && m_timeline) {
        measure();
        m_drawing = timeline::layOutTimeline(*m_timeline, m_view);
        m_view.scroll = m_drawing.scroll;
        m_stale = false;
        m_unpainted = true;
        placeScrollBar();
        if (m_stale) { // the bar came or went: the picture has another width
            measure();
            m_drawing = timeline::layOutTimeline(*m_timeline, m_view);
            m_stale = false;
        }
    }
    return m_drawing;
}

void TimelineWidget::placeScrollBar()
{
    const int top = qRound(m_drawing.scrollTop / m_ratio);
    const int page = std::max(1, height() - top);
    const int content = static_cast<int>(std::ceil(m_drawing.contentHeight / m_ratio));
    const bool needed = content > page;
    const QSignalBlocker blocker(m_bar);
    m_bar->setRange(0, std::max(0, content - page));
    m_bar->setPageStep(page);
    m_bar->setSingleStep(24);
    m_bar->setValue(qRound(m_drawing.scroll / m_ratio));
    m_bar->setGeometry(width() - kBarWidth, top, kBarWidth, page);
    if (m_bar->isVisibleTo(this) != needed) {
        m_bar->setVisible(needed);
        m_stale = true;
    }
}

void TimelineWidget::refresh()
{
    m_stale = true;
    summarise();
    update();
}

void TimelineWidget::scrollTo(int scroll)
{
    if (m_view.scroll != scroll) {
        m_view.scroll = std::max(0, scroll);
        m_stale = true;
        update();
    }
}

void TimelineWidget::reveal(EventRef event)
{
    const TimeRange range = m_timeline->rangeOf(event);
    const double length = m_window.length();
    const auto begin = static_cast<double>(range.begin);
    const auto end = static_cast<double>(range.end);
    if (end < m_window.begin || begin > m_window.end || begin < m_window.begin - length ||
        (end - begin) < length / 2000) {
        // Small enough to have company, large enough to be seen.
        const double wanted = std::clamp(length, (end - begin) * 4, std::max((end - begin) * 400, 20'000.0));
        const double middle = (begin + end) / 2;
        setWindow({middle - wanted / 2, middle + wanted / 2}, true);
    }
    m_view.collapsed[m_timeline->rows()[event.row].group] = 0;
    m_stale = true;
    const timeline::TimelineDrawing& drawing = drawingNow();
    int y = 0;
    int height = 0;
    // Rows out of sight are not in the drawing: measure down to the event's row.
    timeline::TimelineView probe = m_view;
    probe.height = 1 << 28;
    probe.scroll = 0;
    probe.width = probe.metrics.labelWidth; // places only
    for (const timeline::RowBox& box : timeline::layOutTimeline(*m_timeline, probe).rows) {
        if (box.row == event.row && !box.pinned) {
            const auto lane = static_cast<int>(m_timeline->placeOf(event).first);
            y = box.y - drawing.scrollTop + lane * box.laneHeight;
            height = box.laneHeight;
        }
    }
    const int page = m_view.height - drawing.scrollTop - m_view.metrics.groupHeight;
    if (y - m_view.metrics.groupHeight < m_view.scroll)
        scrollTo(y - m_view.metrics.groupHeight);
    else if (y + height > m_view.scroll + page)
        scrollTo(y + height - page);
    update();
}

void TimelineWidget::summarise()
{
    if (!m_timeline) {
        setAccessibleDescription(tr("No trace is open."));
        return;
    }
    QString text = tr("Shows %1 to %2 of %3, %4 rows.")
                       .arg(timeWord(static_cast<std::int64_t>(m_window.begin)),
                            timeWord(static_cast<std::int64_t>(m_window.end)), timeWord(m_timeline->extent().length()))
                       .arg(m_timeline->rows().size());
    if (m_view.selected) {
        text += tr(" Chosen: %1, %2, on %3.")
                    .arg(shortName(m_timeline->nameOf(*m_view.selected)),
                         timeWord(m_timeline->rangeOf(*m_view.selected).length()),
                         rowLabel(*m_timeline, m_view.selected->row));
    }
    if (m_selection)
        text += tr(" Selected: %1 from %2.").arg(timeWord(m_selection->length()), timeWord(m_selection->begin));
    if (m_selection && !m_area.empty())
        text += tr(" On %1 of the rows.").arg(m_area.size());
    if (m_matches)
        text += tr(" %1 events match the search.").arg(m_matches->count);
    setAccessibleDescription(text);
}

void TimelineWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const theme::Tokens& t = theme::current();
    if (!m_timeline) {
        painter.fillRect(rect(), t.panel);
        return;
    }
    const timeline::TimelineDrawing& drawing = drawingNow();
    if (m_unpainted && m_view.width > 0 && m_view.height > 0) {
        if (m_picture.size() != QSize(m_view.width, m_view.height))
            m_picture = QImage(m_view.width, m_view.height, QImage::Format_RGB32);
        m_picture.setDevicePixelRatio(1);
        m_painter.paint(m_picture, *m_timeline, m_view, drawing, m_ratio);
        m_unpainted = false;
    }
    m_picture.setDevicePixelRatio(m_ratio);
    painter.fillRect(QRect(width() - kBarWidth, 0, kBarWidth, height()), t.panel);
    painter.drawImage(QPointF(0, 0), m_picture);
    paintSelection(painter);
    paintPointer(painter);
    if (hasFocus())
        theme::drawFocusRing(painter, QRectF(rect()), 4);
}

void TimelineWidget::paintSelection(QPainter& painter)
{
    if (!m_selection)
        return;
    const theme::Tokens& t = theme::current();
    const double label = m_view.metrics.labelWidth / m_ratio;
    const double right = m_view.width / m_ratio;
    const double top = m_drawing.iterationTop / m_ratio;
    const double x0 = xOnWidget(static_cast<double>(m_selection->begin));
    const double x1 = xOnWidget(static_cast<double>(m_selection->end));
    const double left = std::max(label, x0);
    const double end = std::min(right, x1);
    if (end <= left)
        return;
    QColor veil = t.accent;
    veil.setAlphaF(0.13F);
    const auto inArea = [this](std::uint32_t row) { return std::binary_search(m_area.begin(), m_area.end(), row); };
    if (m_area.empty()) {
        painter.fillRect(QRectF(left, top, end - left, height() - top), veil);
    } else { // the time on all tracks faintly, the tracks that count plainly
        QColor faint = veil;
        faint.setAlphaF(0.04F);
        painter.fillRect(QRectF(left, top, end - left, height() - top), faint);
        veil.setAlphaF(0.17F);
        for (const timeline::RowBox& row : m_drawing.rows) {
            const double y = std::max(row.y, row.pinned ? m_drawing.bodyTop : m_drawing.scrollTop) / m_ratio;
            const double bottom = (row.y + row.height) / m_ratio;
            if (inArea(row.row) && bottom > y)
                painter.fillRect(QRectF(left, y, end - left, bottom - y), veil);
        }
    }
    painter.setPen(QPen(t.accent, 1, Qt::DashLine));
    for (const double edge : {x0, x1})
        if (edge >= label && edge <= right)
            painter.drawLine(QPointF(std::round(edge) + 0.5, top), QPointF(std::round(edge) + 0.5, height()));
    QFont font = theme::font(theme::Type::caption);
    font.setWeight(QFont::DemiBold);
    const QString text = timeWord(m_selection->length());
    const double width = theme::tabularWidth(font, text) + 16;
    const double height = QFontMetricsF(font).height() + 4;
    const double x = std::clamp((left + end - width) / 2, label, std::max(label, right - width));
    const QRectF tag(std::round(x), std::round(top + 1), std::round(width), std::round(height));
    theme::drawBox(painter, tag, t.accent, QColor(), 4);
    painter.setPen(t.onAccent);
    theme::drawTabular(painter, tag, Qt::AlignHCenter, font, text);
}

void TimelineWidget::paintPointer(QPainter& painter)
{
    const double label = m_view.metrics.labelWidth / m_ratio;
    if (m_pointer.x() < label || m_pointer.x() > m_view.width / m_ratio || m_drag == Drag::overview ||
        m_pointer.y() < m_view.metrics.overviewHeight / m_ratio)
        return;
    const theme::Tokens& t = theme::current();
    QColor line = t.text2;
    line.setAlphaF(0.5F);
    const double top = m_view.metrics.overviewHeight / m_ratio;
    painter.fillRect(QRectF(std::floor(m_pointer.x()), top, 1, height() - top), line);
    const QFont font = theme::font(theme::Type::caption);
    const auto time = static_cast<std::int64_t>(m_view.timeAt(toPicture(m_pointer).x()));
    const QString text = QString::fromStdString(timeline::timeText(time, timeline::niceStep(m_view.nsPerPx * m_ratio)));
    const double width = theme::tabularWidth(font, text) + 12;
    const double x = std::clamp(m_pointer.x() + 6, label, std::max(label, m_view.width / m_ratio - width));
    const QRectF tag(std::round(x), std::round(top + 2), std::round(width), m_view.metrics.rulerHeight / m_ratio - 4);
    theme::drawBox(painter, tag, t.raised, t.line, 4);
    painter.setPen(t.text);
    theme::drawTabular(painter, tag, Qt::AlignHCenter, font, text);
}

} // namespace apertune::timeline
