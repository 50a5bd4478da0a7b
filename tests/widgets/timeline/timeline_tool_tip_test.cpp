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

struct Told
{
    Told()
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
    const Told told;
    const auto& boxes = told.drawing().boxes;
    ASSERT_FALSE(boxes.empty());
    const EventBox box = *std::max_element(boxes.begin(), boxes.end(),
                                           [](const EventBox& a, const EventBox& b) { return a.width < b.width; });
    EXPECT_EQ(told.at(box.x + box.width / 2.0, box.y + box.height / 2.0), eventToolTip(told.timeline(), box.event));
    for (const bool curve : {false, true}) {
        const RowBox& row = told.boxOf(curve);
        const QString name = told.at(60, row.y + row.height / 2.0);
        EXPECT_TRUE(name.startsWith(rowLabel(told.timeline(), row.row) + QLatin1Char('\n'))) << name.toStdString();
        EXPECT_EQ(name.contains(QStringLiteral("the value at the right edge")), curve) << name.toStdString();
    }
}

TEST(TimelineToolTip, ACurveTellsItsValueAtThePointer)
{
    const Told told;
    const RowBox& row = told.boxOf(true);
    const TimelineRow& curve = told.timeline().rows()[row.row];
    const auto time = static_cast<std::int64_t>(told.viewport.view().timeAt(700));
    const auto value = curveValueAt(told.timeline(), curve, time);
    ASSERT_TRUE(value);
    EXPECT_EQ(
        told.at(700, row.y + row.height / 2.0),
        QStringLiteral("%1: %2").arg(rowLabel(told.timeline(), row.row), curveValue(told.timeline(), curve, *value)));
}

TEST(TimelineToolTip, TheOverviewAndIterationsTellWhatAClickDoes)
{
    const Told told;
    EXPECT_TRUE(told.at(600, 5).contains(QStringLiteral("Click or drag to go there")));
    ASSERT_FALSE(told.drawing().iterations.empty());
    const IterationBox& box = told.drawing().iterations.front();
    const QString text = told.at(box.x + 1, told.drawing().iterationTop + 1);
    EXPECT_TRUE(text.startsWith(QString::fromStdString(told.navigator.iterations()[box.iteration].label)))
        << text.toStdString();
    EXPECT_TRUE(told.at(600, told.drawing().iterationTop - 1).isEmpty()) << "the ruler says it itself";
    EXPECT_TRUE(told.at(600, told.viewport.view().height + 50).isEmpty());
}

} // namespace apertune::timeline
