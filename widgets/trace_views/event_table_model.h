// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::trace_views {

/// The events of a list, in the order of their start.
struct EventList
{
    std::vector<timeline::EventRef> events;
    std::size_t all = 0; ///< number of events that the list would have without its limit
};
using EventListPtr = std::shared_ptr<const EventList>;

/// The limit of a list: about as many events as can be sorted without a noticeable delay.
inline constexpr std::size_t kMostListed = 200'000;

/// Returns the first events that begin in `range` and whose names match `pattern` (findNames()). Curves are left out.
/// O(n log n). Returns nullptr when stopped.
EventListPtr listEvents(const timeline::Timeline& timeline, trace::TimeRange range, const std::string& pattern,
                        std::stop_token stop = {}, std::size_t limit = kMostListed);

/// The events of a timeline as a table with start, duration, name, class and place of each event, for users who prefer
/// text. Texts are made on demand. GUI thread.
class EventTableModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { start, duration, name, workClass, place, columns };

    explicit EventTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Replaces the events. The sort order stays.
    void setEvents(timeline::TimelinePtr timeline, EventListPtr list);
    timeline::EventRef eventAt(int row) const { return m_order[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void sortEvents();

    timeline::TimelinePtr m_timeline;
    std::vector<timeline::EventRef> m_order;
    int m_column = start;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};

} // namespace apertune::trace_views
