// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace_views/event_table_model.h"

#include "core/timeline/timeline_matches.h"
#include "widgets/controls/label.h"
#include "widgets/tables/roles.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/name_search.h"
#include "widgets/trace_views/trace_labels.h"

#include <algorithm>

namespace apertune::trace_views {

using timeline::EventRef;

EventListPtr listEvents(const timeline::Timeline& timeline, trace::TimeRange range, const std::string& pattern,
                        std::stop_token stop, std::size_t limit)
{
    timeline::MatchesPtr matches;
    if (!pattern.empty()) {
        matches = findNames(timeline, pattern, stop);
        if (!matches)
            return nullptr;
    }
    auto list = std::make_shared<EventList>();
    std::vector<std::pair<std::int64_t, EventRef>> found;
    for (std::size_t r = 0; r < timeline.rows().size(); ++r) {
        const timeline::TimelineRow& row = timeline.rows()[r];
        if (stop.stop_requested())
            return nullptr;
        // A curve has samples and no events.
        if (row.isCurve())
            continue;
        const trace::EventColumns& columns = timeline.columns(row);
        // Events of a row are sorted by their start, so both ends of the range are found by bisection.
        const auto begin = columns.start.begin();
        const auto first = std::lower_bound(begin, columns.start.end(), range.start) - begin;
        const auto last = std::lower_bound(begin, columns.start.end(), range.end) - begin;
        std::size_t taken = 0;
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
            if (matches && !matches->name[columns.name[i]])
                continue;
            // Counted without the limit, so that the table can say how many it leaves out.
            ++list->all;
            if (++taken <= limit)
                found.push_back({columns.start[i], {static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(i)}});
        }
    }
    // Each row gave its first events up to the limit, so the first ones of all rows are among them.
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), limit));
    list->events.reserve(found.size());
    for (const auto& [start, event] : found)
        list->events.push_back(event);
    return list;
}

void EventTableModel::setEvents(timeline::TimelinePtr timeline, EventListPtr list)
{
    beginResetModel();
    m_timeline = std::move(timeline);
    m_order = list ? list->events : std::vector<EventRef>();
    sortEvents();
    endResetModel();
}

void EventTableModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel(); // rows have no identity that a selection could keep through a sort
    m_column = column;
    m_direction = order;
    sortEvents();
    endResetModel();
}

void EventTableModel::sortEvents()
{
    if (!m_timeline)
        return;
    const timeline::Timeline& t = *m_timeline;
    const auto by = [&](auto key) {
        // Stable, so that events with equal keys stay in the order of time.
        std::stable_sort(m_order.begin(), m_order.end(), [&](EventRef a, EventRef b) {
            return m_direction == Qt::AscendingOrder ? key(a) < key(b) : key(b) < key(a);
        });
    };
    switch (m_column) {
    case duration:
        by([&](EventRef e) { return t.columns(e).duration[e.event]; });
        break;
    case name:
        by([&](EventRef e) { return t.nameOf(e); });
        break;
    case workClass:
        by([&](EventRef e) { return t.classOf(t.rows()[e.row], e.event); });
        break;
    case place:
        by([&](EventRef e) { return e.row; });
        break;
    default:
        by([&](EventRef e) { return t.columns(e).start[e.event]; });
    }
}

int EventTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int EventTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant EventTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const EventRef event = eventAt(index.row());
    const trace::TimeRange range = m_timeline->rangeOf(event);
    const bool number = index.column() == start || index.column() == duration;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case start:
            return QStringLiteral("%1 ms").arg(static_cast<double>(range.start) * 1e-6, 0, 'f', 4);
        case duration:
            return timeWord(range.length());
        case name:
            return displayName(m_timeline->rows()[event.row].kind, m_timeline->nameOf(event));
        case workClass:
            return classWord(m_timeline->classOf(m_timeline->rows()[event.row], event.event));
        default:
            return rowLabel(*m_timeline, event.row);
        }
    case Qt::TextAlignmentRole:
        return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return eventToolTip(*m_timeline, event);
    case tables::kRawRole:
        return number ? QVariant(static_cast<qlonglong>(index.column() == start ? range.start : range.length()))
                      : QVariant();
    case tables::kNameRole:
        return index.column() == name;
    case tables::kToneRole:
        return static_cast<int>(index.column() >= workClass ? controls::Tone::secondary : controls::Tone::text);
    default:
        return {};
    }
}

QVariant EventTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const bool number = section == start || section == duration;
    switch (role) {
    case Qt::DisplayRole: {
        const QString titles[] = {tr("Start"), tr("Duration"), tr("Name"), tr("Class"), tr("Where")};
        return titles[section];
    }
    case Qt::TextAlignmentRole:
        return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return section == start ? QVariant(tr("After the beginning of the recording.")) : QVariant();
    case tables::kRawTitleRole:
        return number ? QVariant(section == start ? tr("Start (ns)") : tr("Duration (ns)")) : QVariant();
    default:
        return {};
    }
}

} // namespace apertune::trace_views
