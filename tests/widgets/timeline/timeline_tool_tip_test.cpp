// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/timeline/timeline_tool_tip.h"
#include "widgets/trace_views/trace_labels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::timeline {
namespace {

using trace_views::curveValue;
using trace_views::curveValueAt;
using trace_views::eventToolTip;
using trace_views::rowLabel;

struct Fixture
{
    Fixture()
    {
        navigator.open(Timeline::build(testing::makeLoopTrace()));
        navigator.showWindow({1'200'000, 1'700'000});
        viewport.resize(1200, 900, 1, {});
        viewport.layOut(navigator);
    }

    QString at(double x, double y) const { return timelineToolTip(navigator, viewport, {x, y}); }
    const TimelineDrawing& drawing() const { return viewport.drawing(); }
    const Timeline& timeline() const { return *navigator.timeline(); }

    const RowBox& boxOf(bool curve) const
    {
        return *std::find_if(drawing().rows.begin(), drawing().rows.end(),
                             [&](const RowBox& box) { return timeline().rows()[box.row].isCurve() == curve; });
    }

    TimelineNavigator navigator;
    TimelineViewport viewport;
};

} // namespace

TEST(TimelineToolTip, AnEventTellsItsNameAndARowWhatItsFigureMeans)
{
    const Fixture fixture;
    const auto& boxes = fixture.drawing().boxes;
    ASSERT_FALSE(boxes.empty());
    const EventBox box = *std::max_element(boxes.begin(), boxes.end(),
                                           [](const EventBox& a, const EventBox& b) { return a.width < b.width; });
    EXPECT_EQ(fixture.at(box.x + box.width / 2.0, box.y + box.height / 2.0),
              eventToolTip(fixture.timeline(), box.event));
    for (const bool curve : {false, true}) {
        const RowBox& row = fixture.boxOf(curve);
        const QString name = fixture.at(60, row.y + row.height / 2.0);
        EXPECT_TRUE(name.startsWith(rowLabel(fixture.timeline(), row.row) + QLatin1Char('\n'))) << name.toStdString();
        EXPECT_EQ(name.contains(QStringLiteral("the value at the right edge")), curve) << name.toStdString();
    }
}

TEST(TimelineToolTip, ACurveTellsItsValueAtThePointer)
{
    const Fixture fixture;
    const RowBox& row = fixture.boxOf(true);
    const TimelineRow& curve = fixture.timeline().rows()[row.row];
    const auto time = static_cast<std::int64_t>(fixture.viewport.view().timeAt(700));
    const auto value = curveValueAt(fixture.timeline(), curve, time);
    ASSERT_TRUE(value);
    EXPECT_EQ(fixture.at(700, row.y + row.height / 2.0),
              QStringLiteral("%1: %2").arg(rowLabel(fixture.timeline(), row.row),
                                           curveValue(fixture.timeline(), curve, *value)));
}

TEST(TimelineToolTip, TheOverviewAndIterationsTellWhatAClickDoes)
{
    const Fixture fixture;
    EXPECT_TRUE(fixture.at(600, 5).contains(QStringLiteral("Click or drag to go there")));
    ASSERT_FALSE(fixture.drawing().iterations.empty());
    const IterationBox& box = fixture.drawing().iterations.front();
    const QString text = fixture.at(box.x + 1, fixture.drawing().iterationTop + 1);
    EXPECT_TRUE(text.startsWith(QString::fromStdString(fixture.navigator.iterations()[box.iteration].label)))
        << text.toStdString();
    EXPECT_TRUE(fixture.at(600, fixture.drawing().iterationTop - 1).isEmpty()) << "the ruler says it itself";
    EXPECT_TRUE(fixture.at(600, fixture.viewport.view().height + 50).isEmpty());
}

} // namespace apertune::timeline
