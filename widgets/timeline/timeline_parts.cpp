// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_parts.h"

#include "widgets/timeline/timeline_text.h"
#include "widgets/trace_views/trace_labels.h"

#include <QObject>
#include <QRectF>

#include <algorithm>

namespace apertune::timeline {

using Part = controls::PaintedParts::Part;
using trace_views::displayName;
using trace_views::eventToolTip;
using trace_views::groupLabel;
using trace_views::rowLabel;
using trace_views::timeWord;

namespace {

constexpr std::size_t kMostEvents = 500; ///< the list of events has them all

} // namespace

QString timelineSummary(const TimelineNavigator& navigator)
{
    if (!navigator.timeline())
        return QObject::tr("No trace is open.");
    const Timeline& timeline = *navigator.timeline();
    const TimeWindow window = navigator.window();
    QStringList sentences{QObject::tr("Shows %1 to %2 of %3, %4 rows.")
                              .arg(timeWord(static_cast<std::int64_t>(window.begin)),
                                   timeWord(static_cast<std::int64_t>(window.end)),
                                   timeWord(timeline.extent().length()))
                              .arg(timeline.rows().size())};
    if (const auto event = navigator.chosen())
        sentences << QObject::tr("Chosen: %1, %2, on %3.")
                         .arg(displayName(timeline.rows()[event->row].kind, timeline.nameOf(*event)),
                              timeWord(timeline.rangeOf(*event).length()), rowLabel(timeline, event->row));
    const TimelineSelection& selection = navigator.selection();
    if (selection.range)
        sentences << QObject::tr("Selected: %1 from %2.")
                         .arg(timeWord(selection.range->length()), timeWord(selection.range->start));
    if (!selection.rows.empty())
        sentences << QObject::tr("The selection is on %1 of the rows.").arg(selection.rows.size());
    if (navigator.matches())
        sentences << QObject::tr("%1 events match the search.").arg(navigator.matches()->count);
    return sentences.join(QLatin1Char(' '));
}

TimelineParts::TimelineParts(const TimelineNavigator& navigator, const TimelineViewport& viewport)
    : m_timeline(*navigator.timeline()), m_viewport(viewport), m_drawing(viewport.drawing())
{
    if (!navigator.chosen())
        return;
    const auto found =
        std::find_if(m_drawing.boxes.begin(), m_drawing.boxes.end(), [](const EventBox& box) { return box.selected; });
    if (found != m_drawing.boxes.end())
        m_chosen = static_cast<std::size_t>(found - m_drawing.boxes.begin());
}

int TimelineParts::count() const
{
    return static_cast<int>(m_drawing.rows.size() + std::min(m_drawing.boxes.size(), kMostEvents));
}

Part TimelineParts::at(int index) const
{
    const auto wanted = static_cast<std::size_t>(index);
    if (wanted < m_drawing.rows.size())
        return rowPart(m_drawing.rows[wanted]);
    const std::size_t box = wanted - m_drawing.rows.size();
    // The last one stands for a chosen event beyond it.
    const bool showsChosen = box + 1 == kMostEvents && m_chosen && *m_chosen > box;
    return eventPart(m_drawing.boxes[showsChosen ? *m_chosen : box]);
}

int TimelineParts::current() const
{
    return m_chosen ? static_cast<int>(m_drawing.rows.size() + std::min(*m_chosen, kMostEvents - 1)) : -1;
}

Part TimelineParts::rowPart(const RowBox& box) const
{
    const TimelineRow& row = m_timeline.rows()[box.row];
    const QString figure = rowFigure(m_timeline, m_viewport.view(), row);
    const QString label = QObject::tr("%1, %2").arg(groupLabel(m_timeline, row.group), rowLabel(m_timeline, box.row));
    const QRect where = place(0, box.y, m_viewport.view().width, box.height);
    if (figure.isEmpty())
        // A row without anything in view has no figure to explain.
        return {label, QString(), where};
    const QString meaning = row.isCurve() ? QObject::tr("The value at the right edge.")
                                          : QObject::tr("The share of the visible time in which something runs.");
    return {QObject::tr("%1: %2").arg(label, figure), meaning, where};
}

Part TimelineParts::eventPart(const EventBox& box) const
{
    const trace::TimeRange range = m_timeline.rangeOf(box.event);
    return {QObject::tr("%1, %2, begins at %3, on %4")
                .arg(displayName(m_timeline.rows()[box.event.row].kind, m_timeline.nameOf(box.event)),
                     timeWord(range.length()), timeWord(range.start), rowLabel(m_timeline, box.event.row)),
            eventToolTip(m_timeline, box.event), place(box.x, box.y, box.width, box.height)};
}

/// A box of the drawing in logical pixels.
QRect TimelineParts::place(int x, int y, int width, int height) const
{
    const double ratio = m_viewport.ratio();
    return QRectF(QPointF(x, y) / ratio, QSizeF(width, height) / ratio).toRect();
}

} // namespace apertune::timeline
