// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/trace_views/event_table_model.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::trace_views {

TEST(EventTable, ListsWhatBeginsInTheRangeAndSortsByTheNumbers)
{
    const timeline::TimelinePtr timeline = timeline::Timeline::build(testing::makeLoopTrace());
    EventTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const trace::TimeRange extent = timeline->extent();
    const EventListPtr all = listEvents(*timeline, extent, {});
    model.setEvents(timeline, all);
    ASSERT_GT(model.rowCount(), 100);
    EXPECT_TRUE(std::is_sorted(all->events.begin(), all->events.end(), [&](timeline::EventRef a, timeline::EventRef b) {
        return timeline->rangeOf(a).start < timeline->rangeOf(b).start;
    }));
    model.sort(EventTableModel::duration, Qt::DescendingOrder);
    EXPECT_GE(timeline->rangeOf(model.eventAt(0)).length(), timeline->rangeOf(model.eventAt(1)).length());
    const EventListPtr few = listEvents(*timeline, extent, {}, {}, 10);
    EXPECT_EQ(few->events.size(), 10u);
    EXPECT_EQ(few->all, all->all);
    EXPECT_EQ(few->events[9], all->events[9]) << "the first ones";
    const EventListPtr copies = listEvents(*timeline, extent, "dtoh");
    ASSERT_GT(copies->all, 0u);
    for (const timeline::EventRef event : copies->events)
        EXPECT_EQ(timeline->nameOf(event), "Memcpy DtoH");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(listEvents(*timeline, extent, {}, stop.get_token()), nullptr);
}

} // namespace apertune::trace_views
