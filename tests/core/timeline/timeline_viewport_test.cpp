// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_viewport.h"
#include "tests/core/trace/support/synthetic_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace apertune::timeline {
namespace {

using trace::TimeRange;

/// A timeline on a surface that is too low for all of its rows.
struct Surface
{
    explicit Surface(int height = 300)
    {
        navigator.open(Timeline::build(testing::makeLoopTrace()));
        viewport.resize(1000, height, 1, {});
        layOut();
    }

    void layOut()
    {
        if (navigator.finishStep(0).drawing)
            viewport.invalidate();
        viewport.layOut(navigator);
    }

    const TimelineDrawing& drawing() const { return viewport.drawing(); }

    const RowBox* boxOf(std::uint32_t row) const
    {
        for (const RowBox& box : drawing().rows)
            if (box.row == row && !box.pinned)
                return &box;
        return nullptr;
    }

    TimelineNavigator navigator;
    TimelineViewport viewport;
};

} // namespace

TEST(TimelineViewport, TheWindowFillsThePlotOnWholePixels)
{
    Surface surface;
    const TimelineView& view = surface.viewport.view();
    const TimeWindow window = surface.navigator.window();
    EXPECT_NEAR(view.nsPerPx * view.plotWidth(), window.length(), 1e-3);
    EXPECT_NEAR(view.begin, window.begin, view.nsPerPx);
    EXPECT_NEAR(std::remainder(view.begin, view.nsPerPx), 0, view.nsPerPx * 1e-6);
}

TEST(TimelineViewport, ComputesADrawingOnlyWhenSomethingChanged)
{
    Surface surface;
    EXPECT_TRUE(surface.viewport.isCurrent());
    surface.viewport.scrollTo(surface.viewport.scroll());
    EXPECT_TRUE(surface.viewport.isCurrent());
    surface.viewport.scrollTo(10);
    EXPECT_FALSE(surface.viewport.isCurrent());
    surface.viewport.layOut(surface.navigator);
    EXPECT_TRUE(surface.viewport.isCurrent());
    surface.viewport.resize(900, 300, 1, {});
    EXPECT_FALSE(surface.viewport.isCurrent());
}

TEST(TimelineViewport, ScrollingEndsWithTheContent)
{
    Surface surface;
    const int last = surface.drawing().contentHeight - (300 - surface.drawing().scrollTop);
    ASSERT_GT(last, 0);
    surface.viewport.scrollTo(1 << 20);
    surface.viewport.layOut(surface.navigator);
    EXPECT_EQ(surface.viewport.scroll(), last);
    surface.viewport.scrollTo(-5);
    EXPECT_EQ(surface.viewport.scroll(), 0);
}

TEST(TimelineViewport, HasRoomForNothingAtSizeZero)
{
    Surface surface;
    surface.viewport.resize(0, -3, 1, {});
    surface.viewport.layOut(surface.navigator);
    EXPECT_TRUE(surface.drawing().boxes.empty());
    EXPECT_EQ(surface.viewport.view().height, 0);
    EXPECT_FALSE(surface.viewport.rowAt(10));
}

TEST(TimelineViewport, RevealScrollsToTheLaneOfAnEventAndNoFurther)
{
    Surface surface;
    const auto& rows = surface.navigator.timeline()->rows();
    const int header = surface.viewport.view().metrics.groupHeight;
    const auto check = [&](std::uint32_t row) {
        const EventRef event{row, rows[row].lanes.front().eventAt(0)};
        surface.navigator.choose(event);
        surface.layOut();
        surface.viewport.reveal(surface.navigator, event);
        surface.layOut();
        const RowBox* box = surface.boxOf(row);
        ASSERT_TRUE(box) << row;
        EXPECT_GE(box->y, surface.drawing().scrollTop + header) << row;
        EXPECT_LE(box->y + box->laneHeight, 300) << row;
        const int scroll = surface.viewport.scroll();
        surface.viewport.reveal(surface.navigator, event);
        EXPECT_EQ(surface.viewport.scroll(), scroll) << "it is in view";
    };
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        if (!rows[row].isCurve())
            check(row);
    for (auto row = static_cast<std::uint32_t>(rows.size()); row-- > 0;)
        if (!rows[row].isCurve())
            check(row);
}

TEST(TimelineViewport, FindsRowsGroupsAndIterationsWhereTheyAreDrawn)
{
    Surface surface;
    surface.navigator.setPinned(2, true);
    surface.viewport.scrollTo(30);
    surface.layOut();
    const TimelineDrawing& drawing = surface.drawing();
    ASSERT_TRUE(drawing.rows.front().pinned);
    for (const RowBox& box : drawing.rows) {
        const int top = std::max(box.y, box.pinned ? drawing.bodyTop : drawing.scrollTop);
        EXPECT_EQ(surface.viewport.rowAt(top), &box);
        EXPECT_EQ(surface.viewport.rowAt(box.y + box.height - 1), &box);
    }
    EXPECT_FALSE(surface.viewport.rowAt(drawing.bodyTop - 1));
    for (const GroupBox& box : drawing.groups) {
        EXPECT_EQ(surface.viewport.groupAt(box.y), &box);
        EXPECT_NE(surface.viewport.groupAt(box.y + box.height), &box);
    }
    ASSERT_FALSE(drawing.iterations.empty());
    for (const IterationBox& box : drawing.iterations) {
        EXPECT_EQ(surface.viewport.iterationAt(box.x, drawing.iterationTop), &box);
        EXPECT_FALSE(surface.viewport.iterationAt(box.x, drawing.iterationTop - 1));
        EXPECT_FALSE(surface.viewport.iterationAt(box.x, drawing.bodyTop));
        EXPECT_NE(surface.viewport.iterationAt(box.x + box.width, drawing.iterationTop), &box);
    }
}

TEST(TimelineViewport, ADragIsOfTheRowsThatItPassesInEitherDirection)
{
    Surface surface(600);
    const std::vector<RowBox>& rows = surface.drawing().rows;
    ASSERT_GE(rows.size(), 4u);
    const double first = rows[1].y + 1;
    const double last = rows[3].y + 1;
    const std::vector<std::uint32_t> passed{rows[1].row, rows[2].row, rows[3].row};
    EXPECT_EQ(surface.viewport.rowsBetween(first, last), passed);
    EXPECT_EQ(surface.viewport.rowsBetween(last, first), passed);
    EXPECT_EQ(surface.viewport.rowsBetween(first, first), std::vector<std::uint32_t>{rows[1].row});
    EXPECT_TRUE(surface.viewport.rowsBetween(surface.drawing().bodyTop - 1, last).empty()) << "from the ruler: all";
    surface.navigator.setPinned(rows[1].row, true);
    surface.layOut();
    const std::vector<std::uint32_t> once = surface.viewport.rowsBetween(surface.drawing().bodyTop, 600);
    EXPECT_EQ(std::count(once.begin(), once.end(), surface.drawing().rows.front().row), 1) << "pinned and in its group";
}

TEST(TimelineViewport, AnEdgeIsTakenWithinReachAndTheOtherOneStays)
{
    Surface surface;
    const TimelineView& view = surface.viewport.view();
    const TimeRange range{static_cast<std::int64_t>(view.timeAt(400)), static_cast<std::int64_t>(view.timeAt(500))};
    const double y = surface.drawing().bodyTop + 10;
    const auto opposite = [&](double x, double height) { return surface.viewport.edgeOpposite(range, x, height, 4); };
    EXPECT_EQ(opposite(403, y), range.end);
    EXPECT_EQ(opposite(497, y), range.start);
    EXPECT_FALSE(opposite(406, y));
    EXPECT_FALSE(opposite(450, y));
    EXPECT_FALSE(opposite(400, surface.drawing().iterationTop - 1)) << "in the ruler";
    const TimeRange narrow{range.start, range.start + 1};
    EXPECT_EQ(surface.viewport.edgeOpposite(narrow, 400, y, 4), narrow.start) << "of two at one place the end moves";
    const TimeRange left{static_cast<std::int64_t>(view.timeAt(0)), range.end};
    EXPECT_FALSE(surface.viewport.edgeOpposite(left, 1, y, 4)) << "over the names";
}

} // namespace apertune::timeline
