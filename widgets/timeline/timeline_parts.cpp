// SPDX-License-Identifier: GPL-3.0-or-later
// What a timeline tells assistive tools: its rows, then the events that show as boxes.
#include "widgets/timeline/timeline_text.h"
#include "widgets/timeline/timeline_widget.h"
#include "widgets/timeline/timeline_words.h"

#include <algorithm>

namespace apertune::timeline {

namespace {

constexpr std::size_t kMostEvents = 500; ///< of one picture; the list of events has them all

} // namespace

std::size_t TimelineWidget::shownBoxes()
{
    return m_timeline ? std::min(drawingNow().boxes.size(), kMostEvents) : 0;
}

std::optional<std::size_t> TimelineWidget::selectedBox()
{
    if (!m_timeline || !m_view.selected)
        return std::nullopt;
    const std::vector<timeline::EventBox>& boxes = drawingNow().boxes;
    const auto found =
        std::find_if(boxes.begin(), boxes.end(), [](const timeline::EventBox& box) { return box.selected; });
    return found == boxes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - boxes.begin()));
}

int TimelineWidget::partCount()
{
    return m_timeline ? static_cast<int>(drawingNow().rows.size() + shownBoxes()) : 0;
}

controls::PaintedParts::Part TimelineWidget::part(int index)
{
    const timeline::TimelineDrawing& drawing = drawingNow();
    const auto at = static_cast<std::size_t>(index);
    const auto onWidget = [this](int x, int y, int width, int height) {
        return QRectF(QPointF(x, y) / m_ratio, QSizeF(width, height) / m_ratio).toRect();
    };
    if (at < drawing.rows.size()) {
        const timeline::RowBox& box = drawing.rows[at];
        const timeline::TimelineRow& row = m_timeline->rows()[box.row];
        const QString figure = rowFigure(*m_timeline, m_view, row);
        const QString label = tr("%1, %2").arg(groupLabel(*m_timeline, row.group), rowLabel(*m_timeline, box.row));
        const QString meaning = row.isCurve() ? tr("The value at the right edge.")
                                              : tr("The share of the visible time in which something runs.");
        return {figure.isEmpty() ? label : tr("%1: %2").arg(label, figure), figure.isEmpty() ? QString() : meaning,
                onWidget(0, box.y, m_view.width, box.height)};
    }
    // The chosen one is among those that are told, however many there are.
    std::size_t wanted = at - drawing.rows.size();
    const std::optional<std::size_t> selected = selectedBox();
    if (wanted + 1 == kMostEvents && selected && *selected > wanted)
        wanted = *selected;
    const timeline::EventBox& box = drawing.boxes[wanted];
    const trace::TimeRange range = m_timeline->rangeOf(box.event);
    return {tr("%1, %2, begins at %3, on %4")
                .arg(tellingName(m_timeline->rows()[box.event.row].kind, m_timeline->nameOf(box.event)),
                     timeWord(range.length()), timeWord(range.begin), rowLabel(*m_timeline, box.event.row)),
            eventToolTip(*m_timeline, box.event), onWidget(box.x, box.y, box.width, box.height)};
}

int TimelineWidget::currentPart()
{
    const std::optional<std::size_t> selected = selectedBox();
    return selected ? static_cast<int>(drawingNow().rows.size() + std::min(*selected, kMostEvents - 1)) : -1;
}

} // namespace apertune::timeline
