// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_navigator.h"
#include "core/timeline/timeline_viewport.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace apertune::timeline {
namespace {

using trace::EventKind;
using trace::TimeRange;

constexpr std::int64_t kPause = 10'000; ///< ms between steps that are not one gesture

TimelinePtr loop()
{
    return Timeline::build(testing::makeLoopTrace());
}

/// A navigator with a clock, whose steps are apart.
struct Walk
{
    explicit Walk(TimelinePtr timeline = loop())
    {
        at.open(std::move(timeline));
        finish();
    }

    TimelineChanges finish(std::int64_t pause = kPause)
    {
        now += pause;
        return at.finishStep(now);
    }

    TimelineDrawing drawing() const
    {
        TimelineViewport viewport;
        viewport.resize(1200, 600, 1, {});
        viewport.layOut(at);
        return viewport.drawing();
    }

    const Timeline& timeline() const { return *at.timeline(); }

    /// The n-th event of the first row of a kind.
    EventRef event(EventKind kind, std::size_t n) const
    {
        for (std::uint32_t row = 0; row < timeline().rows().size(); ++row)
            if (timeline().rows()[row].kind == kind)
                return {row, timeline().rows()[row].lanes.front().eventAt(n)};
        return {};
    }

    TimelineNavigator at;
    std::int64_t now = 0;
};

std::string microseconds(double begin, double end)
{
    char text[80];
    std::snprintf(text, sizeof text, "%.1f..%.1f us", begin / 1000, end / 1000);
    return text;
}

/// One line: window, selection, chosen event, and where history leads to.
std::string describe(const TimelineNavigator& at)
{
    std::string text = "window " + microseconds(at.window().begin, at.window().end);
    if (const auto& range = at.selection().range) {
        text += ", selected " + microseconds(static_cast<double>(range->begin), static_cast<double>(range->end));
        for (const std::uint32_t row : at.selection().rows)
            text += " row " + std::to_string(row);
    }
    if (const auto event = at.chosen())
        text += ", chosen " + std::string(at.timeline()->nameOf(*event)) + " in row " + std::to_string(event->row) +
                " at " + std::to_string(at.timeline()->rangeOf(*event).begin) + " ns";
    return text + (at.canGoBack() ? ", back" : "") + (at.canGoForward() ? ", forward" : "");
}

double relative(TimeWindow window, double time)
{
    return (time - window.begin) / window.length();
}

} // namespace

TEST(TimelineNavigator, AWalkThroughATraceReadsAsWrittenDown)
{
    Walk walk(Timeline::build(testing::makeLoopTrace({3, 3, 1})));
    std::string text = "open: " + describe(walk.at) + "\n";
    const auto step = [&](const std::string& what, auto&& act) {
        act(walk.at);
        walk.finish();
        text += what + ": " + describe(walk.at) + "\n";
    };
    const TimelineDrawing drawing = walk.drawing();
    step("next event", [&](TimelineNavigator& at) { at.stepAlong(1, drawing); });
    step("next event", [&](TimelineNavigator& at) { at.stepAlong(1, drawing); });
    step("its launch", [](TimelineNavigator& at) { at.choosePartner(); });
    step("lane above", [](TimelineNavigator& at) { at.stepToLane(-1); });
    step("lane below", [](TimelineNavigator& at) { at.stepToLane(1); });
    step("select the event", [](TimelineNavigator& at) { at.selectChosen(); });
    step("its row alone", [&](TimelineNavigator& at) { at.toggleRows(drawing); });
    step("one more row", [&](TimelineNavigator& at) { at.addRow(drawing); });
    step("end later", [](TimelineNavigator& at) { at.moveEdge(true, true); });
    step("fit the selection", [](TimelineNavigator& at) { at.fitSelection(); });
    step("clear", [](TimelineNavigator& at) { at.clear(); });
    step("next iteration", [](TimelineNavigator& at) { at.stepIteration(true); });
    step("fit the selection", [](TimelineNavigator& at) { at.fitSelection(); });
    step("next iteration", [](TimelineNavigator& at) { at.stepIteration(true); });
    step("previous iteration", [](TimelineNavigator& at) { at.stepIteration(false); });
    step("back", [](TimelineNavigator& at) { at.goBack(); });
    step("back", [](TimelineNavigator& at) { at.goBack(); });
    step("forward", [](TimelineNavigator& at) { at.goForward(); });
    step("fit all", [](TimelineNavigator& at) { at.fitAll(); });
    test::expectGolden("navigation.txt", text);
}

TEST(TimelineNavigator, OpensOnTheWholeTraceWithNothingToGoBackTo)
{
    const Walk walk;
    const TimeRange whole = walk.timeline().extent();
    EXPECT_LT(walk.at.window().begin, static_cast<double>(whole.begin));
    EXPECT_GT(walk.at.window().end, static_cast<double>(whole.end));
    EXPECT_FALSE(walk.at.canGoBack());
    EXPECT_FALSE(walk.at.canGoForward());
    EXPECT_FALSE(walk.at.selection().range);
    EXPECT_FALSE(walk.at.chosen());
}

TEST(TimelineNavigator, ZoomingKeepsTheAnchorInItsPlace)
{
    Walk walk;
    const double anchor = walk.at.window().begin + walk.at.window().length() * 0.3;
    walk.at.zoomBy(0.25, anchor);
    EXPECT_NEAR(relative(walk.at.window(), anchor), 0.3, 1e-9);
    walk.at.zoomBy(2, anchor);
    EXPECT_NEAR(relative(walk.at.window(), anchor), 0.3, 1e-9);
}

TEST(TimelineNavigator, ZoomingEndsAtAHundredNanosecondsAndAtTheTraceWithAMargin)
{
    Walk walk;
    const double whole = static_cast<double>(walk.timeline().extent().length());
    const double middle = walk.at.window().begin + walk.at.window().length() / 2;
    for (int i = 0; i < 100; ++i)
        walk.at.zoomBy(0.5, middle);
    EXPECT_NEAR(walk.at.window().length(), 100, 1e-6);
    EXPECT_NEAR(relative(walk.at.window(), middle), 0.5, 0.01);
    for (int i = 0; i < 100; ++i)
        walk.at.zoomBy(2, middle);
    EXPECT_NEAR(walk.at.window().length(), whole * 1.2, 1);
}

TEST(TimelineNavigator, TheMiddleOfTheWindowStaysWithinTheTrace)
{
    Walk walk;
    const TimeRange whole = walk.timeline().extent();
    walk.at.showWindow({static_cast<double>(whole.begin), static_cast<double>(whole.begin) + 1000});
    for (int i = 0; i < 10; ++i)
        walk.at.panByShare(-1);
    EXPECT_NEAR(relative(walk.at.window(), static_cast<double>(whole.begin)), 0.5, 1e-9);
    walk.at.showWindow({static_cast<double>(whole.end) - 1000, static_cast<double>(whole.end)});
    for (int i = 0; i < 10; ++i)
        walk.at.panByShare(1);
    EXPECT_NEAR(relative(walk.at.window(), static_cast<double>(whole.end)), 0.5, 1e-9);
    EXPECT_NEAR(walk.at.window().length(), 1000, 1e-6) << "panning does not zoom";
}

TEST(TimelineNavigator, HistoryGoesBackAndForwardAndANewStepEndsWhatWasAhead)
{
    Walk walk;
    std::vector<TimeWindow> seen{walk.at.window()};
    for (const double share : {0.1, 0.2, 0.3}) {
        walk.at.panByShare(share);
        walk.finish();
        seen.push_back(walk.at.window());
    }
    walk.at.goBack();
    walk.at.goBack();
    walk.finish();
    EXPECT_EQ(walk.at.window(), seen[1]);
    walk.at.goForward();
    walk.finish();
    EXPECT_EQ(walk.at.window(), seen[2]);
    EXPECT_TRUE(walk.at.canGoForward());
    walk.at.zoomBy(0.5, 0);
    walk.finish();
    EXPECT_FALSE(walk.at.canGoForward());
    walk.at.goBack();
    EXPECT_EQ(walk.at.window(), seen[2]);
    for (int i = 0; i < 10; ++i)
        walk.at.goBack();
    EXPECT_EQ(walk.at.window(), seen[0]) << "the first one is the end";
    EXPECT_FALSE(walk.at.canGoBack());
}

TEST(TimelineNavigator, StepsThatFollowQuicklyAreOneInTheHistory)
{
    Walk walk;
    const TimeWindow whole = walk.at.window();
    for (int i = 0; i < 5; ++i) {
        walk.at.zoomBy(0.8, 0);
        walk.finish(100);
    }
    walk.at.goBack();
    EXPECT_EQ(walk.at.window(), whole);
}

TEST(TimelineNavigator, ADraggedWindowEntersTheHistoryWhenTheDragEnds)
{
    Walk walk;
    const TimeWindow whole = walk.at.window();
    for (int i = 0; i < 5; ++i) {
        walk.at.dragWindow({1000.0 * i, 500'000 + 1000.0 * i});
        EXPECT_TRUE(walk.finish().window);
        EXPECT_FALSE(walk.at.canGoBack());
    }
    walk.at.showWindow(walk.at.window());
    walk.finish();
    EXPECT_TRUE(walk.at.canGoBack());
    walk.at.goBack();
    EXPECT_EQ(walk.at.window(), whole);
}

TEST(TimelineNavigator, ReportsOnlyWhatAStepChanged)
{
    Walk walk;
    TimelineChanges changes = walk.finish();
    EXPECT_FALSE(changes.window || changes.range || changes.rows || changes.event || changes.drawing);
    walk.at.selectRange(TimeRange{1000, 2000});
    changes = walk.finish();
    EXPECT_TRUE(changes.range);
    EXPECT_FALSE(changes.rows || changes.drawing) << "the selection lies over the drawing";
    walk.at.selectRange(TimeRange{1000, 2000});
    EXPECT_FALSE(walk.finish().range) << "it is selected already";
    walk.at.select(TimeRange{1000, 2000}, {3});
    changes = walk.finish();
    EXPECT_TRUE(changes.rows);
    EXPECT_FALSE(changes.range);
    const EventRef kernel = walk.event(EventKind::kernel, 5);
    walk.at.choose(kernel, false);
    changes = walk.finish();
    EXPECT_TRUE(changes.event && changes.chosen && changes.drawing);
    EXPECT_FALSE(changes.window || changes.revealed);
    walk.at.choose(kernel);
    changes = walk.finish();
    EXPECT_FALSE(changes.event);
    EXPECT_TRUE(changes.chosen) << "assistive tools hear it again";
    EXPECT_EQ(changes.revealed, kernel);
}

TEST(TimelineNavigator, AnotherTraceKeepsNothingButTheChoiceOfArrows)
{
    Walk walk;
    walk.at.setArrows(false);
    walk.at.setPinned(1, true);
    walk.at.toggleGroup(0);
    walk.at.setMatches(findMatches(walk.timeline(), "DtoH"));
    walk.at.setIterations({{{0, 10}, "mine"}});
    walk.at.choose(walk.event(EventKind::kernel, 3));
    walk.at.select(TimeRange{1000, 2000}, {1});
    walk.at.zoomBy(0.5, 0);
    walk.finish();
    walk.at.open(loop());
    const TimelineChanges changes = walk.finish();
    EXPECT_TRUE(changes.window && changes.range && changes.rows && changes.event && changes.drawing);
    EXPECT_FALSE(walk.at.chosen() || walk.at.selection().range || walk.at.isPinned(1) || walk.at.canGoBack());
    EXPECT_TRUE(walk.at.selection().rows.empty() && walk.at.partners().empty());
    EXPECT_FALSE(walk.at.matches());
    EXPECT_EQ(walk.at.iterations().size(), walk.timeline().iterations().size());
    const TimelineView view = walk.at.view();
    EXPECT_FALSE(view.arrows);
    EXPECT_EQ(std::count(view.collapsed.begin(), view.collapsed.end(), 0),
              static_cast<std::ptrdiff_t>(walk.timeline().groups().size()));
}

TEST(TimelineNavigator, AnEmptyTraceHasATimeButNothingToStepTo)
{
    Walk walk(Timeline::build(std::make_shared<const trace::Trace>()));
    const TimelineDrawing drawing = walk.drawing();
    EXPECT_GT(walk.at.window().length(), 0);
    walk.at.zoomBy(0.001, 0);
    EXPECT_GT(walk.at.window().length(), 0) << "shorter than the shortest window is the whole trace";
    walk.at.stepAlong(1, drawing);
    walk.at.choosePartner();
    walk.at.stepIteration(true);
    walk.at.stepIteration(false);
    walk.at.toggleGroupAtHand(drawing, true);
    walk.at.selectChosen();
    EXPECT_FALSE(walk.at.stepOnLane(1) || walk.at.stepToLane(-1) || walk.at.stepMatch(true) || walk.at.clear());
    EXPECT_FALSE(walk.at.chosen() || walk.at.selection().range);
    walk.at.selectRange(TimeRange{0, 1});
    walk.at.addRow(drawing);
    EXPECT_TRUE(walk.at.selection().rows.empty());
}

TEST(TimelineNavigator, WithoutATraceNothingMoves)
{
    TimelineNavigator at;
    at.showWindow({0, 1000});
    at.zoomBy(0.5, 0);
    at.panByShare(1);
    at.fitAll();
    at.fitSelection();
    at.goBack();
    at.goForward();
    at.selectWindow();
    at.moveEdge(true, true);
    at.stepAlong(1, {});
    at.stepIteration(true);
    EXPECT_FALSE(at.stepMatch(true) || at.stepOnLane(1) || at.stepToLane(1) || at.clear());
    const TimelineChanges changes = at.finishStep(0);
    EXPECT_FALSE(changes.window || changes.range || changes.rows || changes.event || changes.drawing);
    EXPECT_TRUE(at.iterations().empty());
    EXPECT_EQ(at.window(), TimeWindow());
}

TEST(TimelineNavigator, AnEmptyRangeIsNoSelectionAndHasNoRows)
{
    Walk walk;
    walk.at.select(TimeRange{1000, 2000}, {1, 2});
    walk.at.select(TimeRange{2000, 2000}, {1, 2});
    EXPECT_FALSE(walk.at.selection().range);
    EXPECT_TRUE(walk.at.selection().rows.empty());
    walk.at.selectRange(TimeRange{2000, 1000});
    EXPECT_FALSE(walk.at.selection().range);
}

TEST(TimelineNavigator, TheEdgesOfASelectionMoveButNeverPassEachOther)
{
    Walk walk;
    walk.at.showWindow({0, 1'000'000});
    walk.at.selectRange(TimeRange{100'000, 115'000});
    walk.at.moveEdge(false, true);
    EXPECT_EQ(*walk.at.selection().range, (TimeRange{110'000, 115'000}));
    walk.at.moveEdge(false, true);
    EXPECT_EQ(*walk.at.selection().range, (TimeRange{110'000, 115'000})) << "it would be empty";
    walk.at.moveEdge(true, true);
    walk.at.moveEdge(false, false);
    EXPECT_EQ(*walk.at.selection().range, (TimeRange{100'000, 125'000}));
}

TEST(TimelineNavigator, AnEdgeStartsFromTheChosenEventOrFromTheMiddle)
{
    Walk walk;
    walk.at.showWindow({0, 1'000'000});
    walk.at.moveEdge(false, true);
    EXPECT_FALSE(walk.at.selection().range) << "a begin behind the end is no range";
    walk.at.moveEdge(true, true);
    EXPECT_EQ(*walk.at.selection().range, (TimeRange{500'000, 510'000}));
    walk.at.clear();
    const EventRef kernel = walk.event(EventKind::kernel, 2);
    walk.at.choose(kernel, false);
    walk.at.moveEdge(true, true);
    EXPECT_EQ(walk.at.selection().range->begin, walk.timeline().rangeOf(kernel).begin);
    EXPECT_EQ(walk.at.selection().range->end, walk.timeline().rangeOf(kernel).end + 10'000);
}

TEST(TimelineNavigator, RowsJoinTheSelectionDownToTheLastOneAndTheOnlyOneStays)
{
    Walk walk;
    const TimelineDrawing drawing = walk.drawing();
    walk.at.addRow(drawing);
    EXPECT_TRUE(walk.at.selection().rows.empty()) << "there is no range";
    walk.at.selectRange(TimeRange{1000, 2000});
    walk.at.addRow(drawing);
    EXPECT_EQ(walk.at.selection().rows, std::vector<std::uint32_t>{drawing.rows.front().row});
    walk.at.removeRow();
    EXPECT_EQ(walk.at.selection().rows.size(), 1u);
    const std::size_t all = walk.timeline().rows().size();
    for (std::size_t i = 0; i < all + 5; ++i)
        walk.at.addRow(drawing);
    EXPECT_EQ(walk.at.selection().rows.back(), all - 1);
    EXPECT_TRUE(std::is_sorted(walk.at.selection().rows.begin(), walk.at.selection().rows.end()));
    walk.at.toggleRows(drawing);
    EXPECT_TRUE(walk.at.selection().rows.empty());
    walk.at.choose(walk.event(EventKind::copy, 0), false);
    walk.at.toggleRows(drawing);
    EXPECT_EQ(walk.at.selection().rows, std::vector<std::uint32_t>{walk.at.chosen()->row});
}

TEST(TimelineNavigator, SteppingAlongALaneStopsAtItsEnds)
{
    Walk walk;
    const EventRef first = walk.event(EventKind::kernel, 0);
    walk.at.choose(first, false);
    EXPECT_TRUE(walk.at.stepOnLane(-1));
    EXPECT_EQ(walk.at.chosen(), first);
    EXPECT_TRUE(walk.at.stepOnLane(1));
    EXPECT_EQ(walk.at.chosen(), walk.event(EventKind::kernel, 1));
    const std::size_t size = walk.timeline().rows()[first.row].lanes.front().size;
    walk.at.choose(walk.event(EventKind::kernel, size - 1), false);
    EXPECT_TRUE(walk.at.stepOnLane(1));
    EXPECT_EQ(walk.at.chosen(), walk.event(EventKind::kernel, size - 1));
}

TEST(TimelineNavigator, SteppingAcrossLanesSkipsCurvesAndStopsAtTheEnds)
{
    Walk walk;
    const auto& rows = walk.timeline().rows();
    ASSERT_TRUE(std::any_of(rows.begin(), rows.end(), [](const TimelineRow& row) { return row.isCurve(); }));
    for (const int direction : {1, -1}) {
        walk.at.choose(walk.event(EventKind::kernel, 4), false);
        std::optional<EventRef> before;
        for (int i = 0; i < 200 && before != walk.at.chosen(); ++i) {
            before = walk.at.chosen();
            ASSERT_TRUE(walk.at.stepToLane(direction));
            ASSERT_FALSE(rows[walk.at.chosen()->row].isCurve());
            EXPECT_GE(static_cast<int>(walk.at.chosen()->row) * direction, static_cast<int>(before->row) * direction);
        }
        EXPECT_EQ(walk.at.chosen(), before) << "nothing lies beyond";
    }
}

TEST(TimelineNavigator, ASearchStartsAtTheLeftEdgeAndWrapsAround)
{
    Walk walk;
    EXPECT_FALSE(walk.at.stepMatch(true)) << "no search";
    walk.at.setMatches(findMatches(walk.timeline(), "no such name"));
    EXPECT_FALSE(walk.at.stepMatch(true));
    const MatchesPtr matches = findMatches(walk.timeline(), "DtoH");
    ASSERT_EQ(matches->count, 8u);
    walk.at.setMatches(matches);
    const auto beginOf = [&] { return walk.timeline().rangeOf(*walk.at.chosen()).begin; };
    walk.at.showWindow({static_cast<double>(walk.timeline().iterations()[3].range.begin),
                        static_cast<double>(walk.timeline().iterations()[4].range.begin)});
    ASSERT_TRUE(walk.at.stepMatch(true));
    EXPECT_GE(beginOf(), walk.timeline().iterations()[3].range.begin);
    const auto first = walk.at.chosen();
    std::int64_t last = beginOf();
    int wraps = 0;
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(walk.at.stepMatch(true));
        wraps += beginOf() < last ? 1 : 0;
        last = beginOf();
    }
    EXPECT_EQ(wraps, 1);
    EXPECT_EQ(walk.at.chosen(), first);
    walk.at.choose(std::nullopt);
    walk.at.fitAll();
    ASSERT_TRUE(walk.at.stepMatch(false)) << "before the left edge is the end";
    EXPECT_EQ(matches->before(walk.timeline(), beginOf()), 7u);
}

TEST(TimelineNavigator, IterationsOfTheUserReplaceThoseOfTheTrace)
{
    Walk walk;
    walk.at.setIterations({{{1'000, 2'000}, "a"}, {{3'000, 4'000}, "b"}});
    walk.at.stepIteration(true);
    EXPECT_EQ(*walk.at.selection().range, (TimeRange{1'000, 2'000}));
    walk.at.stepIteration(true);
    walk.at.stepIteration(true);
    EXPECT_EQ(*walk.at.selection().range, (TimeRange{3'000, 4'000})) << "none after the last";
    walk.at.clear();
    walk.at.stepIteration(false);
    EXPECT_EQ(*walk.at.selection().range, (TimeRange{3'000, 4'000})) << "the last before the right edge";
    walk.at.setIterations({});
    EXPECT_EQ(walk.at.iterations().size(), walk.timeline().iterations().size());
}

TEST(TimelineNavigator, RevealingAnEventMovesTheWindowOnlyWhereItHasTo)
{
    Walk walk;
    const EventRef kernel = walk.event(EventKind::kernel, 40);
    const TimeRange range = walk.timeline().rangeOf(kernel);
    const auto begin = static_cast<double>(range.begin);
    const auto end = static_cast<double>(range.end);
    const TimeWindow near{begin - 50'000, end + 50'000};
    walk.at.showWindow(near);
    walk.at.choose(kernel);
    EXPECT_EQ(walk.at.window(), near) << "it is in view and large enough";
    walk.at.choose(std::nullopt);
    walk.at.showWindow({0, 20'000});
    walk.at.choose(kernel, false);
    EXPECT_EQ(walk.at.window(), (TimeWindow{0, 20'000}));
    walk.at.choose(kernel);
    EXPECT_LE(walk.at.window().begin, begin);
    EXPECT_GE(walk.at.window().end, end);
    EXPECT_NEAR(relative(walk.at.window(), (begin + end) / 2), 0.5, 1e-6);
}

TEST(TimelineNavigator, RevealingAnEventUnfoldsItsGroup)
{
    Walk walk;
    const EventRef kernel = walk.event(EventKind::kernel, 0);
    const std::uint32_t group = walk.timeline().rows()[kernel.row].group;
    walk.at.toggleGroupAtHand(walk.drawing(), true);
    const TimelineView folded = walk.at.view();
    EXPECT_EQ(std::count(folded.collapsed.begin(), folded.collapsed.end(), 0), 0);
    walk.at.choose(kernel, false);
    EXPECT_TRUE(walk.at.view().collapsed[group]);
    walk.at.choose(kernel);
    EXPECT_FALSE(walk.at.view().collapsed[group]);
}

TEST(TimelineNavigator, GroupsFoldWithTheChosenEventAndAllOfThemFollow)
{
    Walk walk;
    ASSERT_GT(walk.timeline().groups().size(), 1u);
    const EventRef call = walk.event(EventKind::runtimeCall, 0);
    const std::uint32_t group = walk.timeline().rows()[call.row].group;
    ASSERT_NE(group, 0u);
    walk.at.choose(call, false);
    walk.at.toggleGroupAtHand(walk.drawing(), false);
    TimelineView view = walk.at.view();
    EXPECT_TRUE(view.collapsed[group]);
    EXPECT_FALSE(view.collapsed[0]);
    walk.at.toggleGroupAtHand(walk.drawing(), true);
    view = walk.at.view();
    EXPECT_EQ(std::count(view.collapsed.begin(), view.collapsed.end(), 0),
              static_cast<std::ptrdiff_t>(view.collapsed.size()))
        << "it was folded, so all unfold";
}

TEST(TimelineNavigator, PinnedRowsKeepTheirOrderAndAreNotPinnedTwice)
{
    Walk walk;
    for (const std::uint32_t row : {4u, 1u, 4u})
        walk.at.setPinned(row, true);
    EXPECT_EQ(walk.at.view().pinned, (std::vector<std::uint32_t>{4, 1}));
    walk.at.setPinned(4, false);
    walk.at.setPinned(4, false);
    EXPECT_EQ(walk.at.view().pinned, std::vector<std::uint32_t>{1});
    EXPECT_TRUE(walk.at.isPinned(1));
    EXPECT_FALSE(walk.at.isPinned(4));
    walk.at.toggleThin(2);
    EXPECT_TRUE(walk.at.view().compact[2]);
    walk.at.toggleThin(2);
    EXPECT_FALSE(walk.at.view().compact[2]);
}

} // namespace apertune::timeline
