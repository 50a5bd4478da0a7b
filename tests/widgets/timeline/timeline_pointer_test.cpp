// SPDX-License-Identifier: GPL-3.0-or-later
// What the pointer does, without a widget.
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/timeline/timeline_pointer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace apertune::timeline {
namespace {

using Drag = TimelinePointer::Drag;
using trace::TimeRange;

struct Pointed
{
    explicit Pointed(double ratio = 1)
    {
        navigator.open(Timeline::build(testing::makeLoopTrace()));
        viewport.resize(static_cast<int>(1000 * ratio), static_cast<int>(300 * ratio), ratio, {});
        finish();
    }

    void finish()
    {
        now += 10'000;
        if (navigator.finishStep(now).drawing)
            viewport.invalidate();
        viewport.layOut(navigator);
    }

    void press(QPointF at, Qt::MouseButton button = Qt::LeftButton)
    {
        pointer.press(at, button);
        finish();
    }
    void moveTo(QPointF at)
    {
        pointer.moveTo(at);
        finish();
    }
    void release(QPointF at)
    {
        pointer.release(at);
        finish();
    }
    void click(QPointF at)
    {
        press(at);
        release(at);
    }

    double middle() const { return (navigator.window().begin + navigator.window().end) / 2; }
    double labels() const { return viewport.view().metrics.labelWidth; }
    /// The widest box in view.
    EventBox widestBox() const
    {
        const auto& boxes = viewport.drawing().boxes;
        EXPECT_FALSE(boxes.empty());
        const auto narrower = [](const EventBox& a, const EventBox& b) { return a.width < b.width; };
        return boxes.empty() ? EventBox() : *std::max_element(boxes.begin(), boxes.end(), narrower);
    }
    /// A point on the first row that scrolls.
    QPointF onARow(double x) const
    {
        for (const RowBox& box : viewport.drawing().rows)
            if (box.y >= viewport.drawing().scrollTop + viewport.view().metrics.groupHeight)
                return {x, box.y + box.height / 2.0};
        return {};
    }

    TimelineNavigator navigator;
    TimelineViewport viewport;
    TimelinePointer pointer{navigator, viewport};
    std::int64_t now = 0;
};

} // namespace

TEST(TimelinePointer, TheOverviewGoesWhereItIsPressedAndFollowsTheDrag)
{
    Pointed on;
    const TimeRange whole = on.navigator.timeline()->extent();
    on.navigator.showWindow({static_cast<double>(whole.start), static_cast<double>(whole.start) + 100'000});
    on.finish();
    const TimeWindow before = on.navigator.window();
    const auto at = [&](double share) {
        return static_cast<double>(whole.start) + share * static_cast<double>(whole.length());
    };
    const double width = on.viewport.view().plotWidth();
    on.press({on.labels() + width / 2, 10});
    EXPECT_EQ(on.pointer.drag(), Drag::overview);
    EXPECT_NEAR(on.middle(), at(0.5), 1);
    on.moveTo({on.labels() + width / 4, 200});
    EXPECT_NEAR(on.middle(), at(0.25), 1);
    on.moveTo({-50, 10});
    EXPECT_NEAR(on.middle(), at(0), 1) << "no further than the begin";
    on.moveTo({on.labels() + width / 4, 10});
    on.release({on.labels() + width / 4, 10});
    EXPECT_EQ(on.pointer.drag(), Drag::none);
    EXPECT_NEAR(on.navigator.window().length(), before.length(), 1e-6);
    on.navigator.goBack();
    EXPECT_EQ(on.navigator.window(), before) << "a drag is one step of the history";
}

TEST(TimelinePointer, TheRightButtonMovesThePictureInTimeAndRows)
{
    Pointed on;
    on.navigator.showWindow({1'000'000, 2'000'000});
    on.viewport.scrollTo(40);
    on.finish();
    const TimeWindow before = on.navigator.window();
    const double perPixel = on.viewport.view().nsPerPx;
    on.press({600, 200}, Qt::RightButton);
    EXPECT_EQ(on.pointer.drag(), Drag::pan);
    on.moveTo({500, 220});
    EXPECT_NEAR(on.navigator.window().begin, before.begin + 100 * perPixel, 1);
    EXPECT_EQ(on.viewport.scroll(), 20);
    on.moveTo({600, 200});
    on.release({600, 200});
    EXPECT_NEAR(on.navigator.window().begin, before.begin, 1);
    EXPECT_FALSE(on.navigator.selection().range);
}

TEST(TimelinePointer, AClickWithTheRightButtonChoosesAnEventAndAShakingHandMovesNothing)
{
    Pointed on;
    on.navigator.showWindow({1'200'000, 1'700'000});
    on.finish();
    const EventBox box = on.widestBox();
    const QPointF middle(box.x + box.width / 2.0, box.y + box.height / 2.0);
    const TimeWindow before = on.navigator.window();
    on.press(middle, Qt::RightButton);
    on.moveTo(middle + QPointF(2, 1));
    EXPECT_TRUE(on.pointer.release(middle + QPointF(2, 1)));
    on.finish();
    EXPECT_EQ(on.navigator.chosen(), box.event);
    EXPECT_EQ(on.navigator.window(), before);
    on.press(middle, Qt::RightButton);
    on.moveTo(middle + QPointF(40, 0));
    EXPECT_FALSE(on.pointer.release(middle)) << "a drag is no click, wherever it ends";
    on.press({middle.x(), on.viewport.drawing().iterationTop - 2.0}, Qt::RightButton);
    EXPECT_FALSE(on.pointer.release({middle.x(), on.viewport.drawing().iterationTop - 2.0})) << "nothing is there";
}

TEST(TimelinePointer, TheLineBesideTheNamesIsDraggedWithinLimits)
{
    Pointed on;
    const double edge = on.labels();
    const double y = on.onARow(edge).y();
    EXPECT_TRUE(on.pointer.isOnEdge({edge + 3, y}));
    EXPECT_FALSE(on.pointer.isOnNamesEdge({edge + 9, y}));
    on.press({edge - 2, y});
    EXPECT_EQ(on.pointer.drag(), Drag::names);
    on.moveTo({edge + 120, y});
    EXPECT_DOUBLE_EQ(on.pointer.namesWidth(), edge + 120);
    on.moveTo({5000, y});
    EXPECT_DOUBLE_EQ(on.pointer.namesWidth(), 500) << "the tracks keep half of the width";
    on.moveTo({-5, y});
    EXPECT_GT(on.pointer.namesWidth(), 50);
    on.release({-5, y});
    EXPECT_FALSE(on.navigator.selection().range);
    EXPECT_FALSE(on.navigator.chosen());
}

TEST(TimelinePointer, APressThatHardlyMovesIsAClick)
{
    for (const double ratio : {1.0, 2.0}) {
        Pointed on(ratio);
        const QPointF start = on.onARow(500 * ratio);
        on.press(start);
        on.moveTo(start + QPointF(3 * ratio, 0));
        EXPECT_EQ(on.pointer.drag(), Drag::pressed);
        on.release(start + QPointF(3 * ratio, 0));
        EXPECT_FALSE(on.navigator.selection().range);
        on.press(start);
        on.moveTo(start + QPointF(4 * ratio, 0));
        EXPECT_EQ(on.pointer.drag(), Drag::select);
        on.release(start + QPointF(4 * ratio, 0));
        EXPECT_TRUE(on.navigator.selection().range);
    }
}

TEST(TimelinePointer, ADragEndsAtTheEdgesOfThePlot)
{
    Pointed on;
    const TimelineView view = on.viewport.view();
    const QPointF start = on.onARow(500);
    on.press(start);
    on.moveTo({-300, start.y()});
    EXPECT_EQ(on.navigator.selection().range->start, static_cast<std::int64_t>(view.timeAt(on.labels())));
    on.moveTo({5000, start.y()});
    EXPECT_EQ(on.navigator.selection().range->end, static_cast<std::int64_t>(view.timeAt(view.width)));
    on.pointer.cancel();
    on.moveTo({600, start.y()});
    EXPECT_EQ(on.navigator.selection().range->end, static_cast<std::int64_t>(view.timeAt(view.width)))
        << "no drag any more";
}

TEST(TimelinePointer, AClickOnAnIterationSelectsItsRange)
{
    Pointed on;
    const IterationBox box = on.viewport.drawing().iterations[2];
    on.click({box.x + box.width / 2.0, on.viewport.drawing().iterationTop + 3.0});
    EXPECT_EQ(on.navigator.selection().range, on.navigator.iterations()[box.iteration].range);
}

TEST(TimelinePointer, AClickOnNothingClearsChoiceAndSelection)
{
    Pointed on;
    on.navigator.choose(EventRef{0, 0});
    on.navigator.selectRange(TimeRange{1000, 2000});
    on.finish();
    on.click({600, on.viewport.drawing().iterationTop - 2.0});
    EXPECT_FALSE(on.navigator.chosen());
    EXPECT_FALSE(on.navigator.selection().range);
}

TEST(TimelinePointer, ADoubleClickFitsAnEventAndMakesANamedRowThin)
{
    Pointed on;
    on.navigator.showWindow({1'200'000, 1'700'000});
    on.finish();
    const EventBox box = on.widestBox();
    on.pointer.doubleClick({box.x + box.width / 2.0, box.y + box.height / 2.0});
    ASSERT_TRUE(on.navigator.chosen());
    const TimeRange range = on.navigator.timeline()->rangeOf(*on.navigator.chosen());
    EXPECT_NEAR(on.navigator.window().length(), static_cast<double>(range.length()) * 2, 1);
    on.finish();
    const QPointF name = on.onARow(60);
    const std::uint32_t row = on.viewport.rowAt(name.y())->row;
    on.pointer.doubleClick(name);
    EXPECT_TRUE(on.navigator.view().compact[row]);
    on.pointer.doubleClick({10, name.y()});
    EXPECT_TRUE(on.navigator.view().compact[row]) << "the square pins and does no more";
}

TEST(TimelinePointer, TheWheelZoomsMovesOrScrollsByPlaceAndKeys)
{
    Pointed on;
    on.navigator.showWindow({1'000'000, 2'000'000});
    on.finish();
    const QPointF at = on.onARow(600);
    const double time = on.viewport.view().timeAt(at.x());
    on.pointer.wheel(at, {0, 240}, {});
    on.finish();
    EXPECT_NEAR(on.navigator.window().length(), 1e6 * 0.64, 1);
    EXPECT_NEAR(on.viewport.view().timeAt(at.x()), time, on.viewport.view().nsPerPx * 2);
    const TimeWindow zoomed = on.navigator.window();
    on.pointer.wheel(at, {0, -120}, Qt::ShiftModifier);
    EXPECT_NEAR(on.navigator.window().begin, zoomed.begin + zoomed.length() * 0.1, 1);
    on.pointer.wheel(at, {120, 0}, {});
    EXPECT_NEAR(on.navigator.window().begin, zoomed.begin, 1) << "a sideways wheel moves, too";
    on.pointer.wheel({50, at.y()}, {0, -120}, {});
    EXPECT_EQ(on.viewport.scroll(), 60) << "over the names";
    on.pointer.wheel(at, {120, 0}, Qt::AltModifier);
    EXPECT_EQ(on.viewport.scroll(), 0) << "Alt turns the wheel sideways";
    EXPECT_NEAR(on.navigator.window().length(), zoomed.length(), 1e-3);
}

} // namespace apertune::timeline
