// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_matches.h"
#include "core/timeline/timeline_navigator.h"
#include "core/timeline/timeline_viewport.h"
#include "core/trace/trace_builder.h"
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
struct Session
{
    explicit Session(TimelinePtr timeline = loop())
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
        text += ", selected " + microseconds(static_cast<double>(range->start), static_cast<double>(range->end));
        for (const std::uint32_t row : at.selection().rows)
            text += " row " + std::to_string(row);
    }
    if (const auto event = at.chosen())
        text += ", chosen " + std::string(at.timeline()->nameOf(*event)) + " in row " + std::to_string(event->row) +
                " at " + std::to_string(at.timeline()->rangeOf(*event).start) + " ns";
    return text + (at.canGoBack() ? ", back" : "") + (at.canGoForward() ? ", forward" : "");
}

double relative(TimeWindow window, double time)
{
    return (time - window.begin) / window.length();
}

} // namespace

TEST(TimelineNavigator, OpensWithTheIterationsWhereTheyAreASmallPartOfTheTrace)
{
    trace::TraceBuilder builder;
    const trace::TrackId host = builder.track({.type = trace::TrackType::hostThread});
    const auto add = [&](EventKind kind, const char* name, std::int64_t start, std::int64_t end) {
        trace::Event event;
        event.name = builder.intern(name);
        event.start = {start};
        event.duration = {end - start};
        builder.add(host, kind, event);
    };
    add(EventKind::operatorCall, "load", 0, 1'000'000);
    for (const std::int64_t begin : {9'000'000, 9'100'000, 9'200'000})
        add(EventKind::range, "iteration", begin, begin + 90'000);
    Session session(Timeline::build(std::make_shared<const trace::Trace>(builder.finish())));
    ASSERT_EQ(session.timeline().iterations().size(), 3U);
    EXPECT_GT(session.at.window().begin, 8'900'000);
    EXPECT_LT(session.at.window().end, 9'400'000);
    session.at.fitAll();
    EXPECT_LT(session.at.window().begin, 1'000);
}

TEST(TimelineNavigator, AWalkThroughATraceReadsAsWrittenDown)
{
    Session session(Timeline::build(testing::makeLoopTrace({3, 3, 1})));
    std::string text = "open: " + describe(session.at) + "\n";
    const auto step = [&](const std::string& what, auto&& act) {
        act(session.at);
        session.finish();
        text += what + ": " + describe(session.at) + "\n";
    };
    const TimelineDrawing drawing = session.drawing();
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
    const Session session;
    const TimeRange whole = session.timeline().extent();
    EXPECT_LT(session.at.window().begin, static_cast<double>(whole.start));
    EXPECT_GT(session.at.window().end, static_cast<double>(whole.end));
    EXPECT_FALSE(session.at.canGoBack());
    EXPECT_FALSE(session.at.canGoForward());
    EXPECT_FALSE(session.at.selection().range);
    EXPECT_FALSE(session.at.chosen());
}

TEST(TimelineNavigator, ZoomingKeepsTheAnchorInItsPlace)
{
    Session session;
    const double anchor = session.at.window().begin + session.at.window().length() * 0.3;
    session.at.zoomBy(0.25, anchor);
    EXPECT_NEAR(relative(session.at.window(), anchor), 0.3, 1e-9);
    session.at.zoomBy(2, anchor);
    EXPECT_NEAR(relative(session.at.window(), anchor), 0.3, 1e-9);
}

TEST(TimelineNavigator, ZoomingEndsAtAHundredNanosecondsAndAtTheTraceWithAMargin)
{
    Session session;
    const double whole = static_cast<double>(session.timeline().extent().length());
    const double middle = session.at.window().begin + session.at.window().length() / 2;
    for (int i = 0; i < 100; ++i)
        session.at.zoomBy(0.5, middle);
    EXPECT_NEAR(session.at.window().length(), 100, 1e-6);
    EXPECT_NEAR(relative(session.at.window(), middle), 0.5, 0.01);
    for (int i = 0; i < 100; ++i)
        session.at.zoomBy(2, middle);
    EXPECT_NEAR(session.at.window().length(), whole * 1.2, 1);
}

TEST(TimelineNavigator, TheMiddleOfTheWindowStaysWithinTheTrace)
{
    Session session;
    const TimeRange whole = session.timeline().extent();
    session.at.showWindow({static_cast<double>(whole.start), static_cast<double>(whole.start) + 1000});
    for (int i = 0; i < 10; ++i)
        session.at.panByShare(-1);
    EXPECT_NEAR(relative(session.at.window(), static_cast<double>(whole.start)), 0.5, 1e-9);
    session.at.showWindow({static_cast<double>(whole.end) - 1000, static_cast<double>(whole.end)});
    for (int i = 0; i < 10; ++i)
        session.at.panByShare(1);
    EXPECT_NEAR(relative(session.at.window(), static_cast<double>(whole.end)), 0.5, 1e-9);
    EXPECT_NEAR(session.at.window().length(), 1000, 1e-6) << "panning does not zoom";
}

TEST(TimelineNavigator, AWideWindowShowsATenthBeyondTheTraceAtMost)
{
    Session session;
    const TimeRange whole = session.timeline().extent();
    const auto length = static_cast<double>(whole.length());
    session.at.showWindow({static_cast<double>(whole.start), static_cast<double>(whole.end)});
    for (int i = 0; i < 10; ++i)
        session.at.panByShare(1);
    EXPECT_NEAR(session.at.window().end, static_cast<double>(whole.end) + 0.1 * length, 1);
    EXPECT_NEAR(session.at.window().length(), length, 1);
}

TEST(TimelineNavigator, HistoryGoesBackAndForwardAndANewStepEndsWhatWasAhead)
{
    Session session;
    const TimeRange whole = session.timeline().extent();
    std::vector<TimeWindow> seen{session.at.window()};
    session.at.showWindow({static_cast<double>(whole.start),
                           static_cast<double>(whole.start) + 0.2 * static_cast<double>(whole.length())});
    session.finish();
    seen.push_back(session.at.window());
    for (const double share : {0.2, 0.3}) {
        session.at.panByShare(share);
        session.finish();
        seen.push_back(session.at.window());
    }
    session.at.goBack();
    session.at.goBack();
    session.finish();
    EXPECT_EQ(session.at.window(), seen[1]);
    session.at.goForward();
    session.finish();
    EXPECT_EQ(session.at.window(), seen[2]);
    EXPECT_TRUE(session.at.canGoForward());
    session.at.zoomBy(0.5, 0);
    session.finish();
    EXPECT_FALSE(session.at.canGoForward());
    session.at.goBack();
    EXPECT_EQ(session.at.window(), seen[2]);
    for (int i = 0; i < 10; ++i)
        session.at.goBack();
    EXPECT_EQ(session.at.window(), seen[0]) << "the first one is the end";
    EXPECT_FALSE(session.at.canGoBack());
}

TEST(TimelineNavigator, StepsThatFollowQuicklyAreOneInTheHistory)
{
    Session session;
    const TimeWindow whole = session.at.window();
    for (int i = 0; i < 5; ++i) {
        session.at.zoomBy(0.8, 0);
        session.finish(100);
    }
    session.at.goBack();
    EXPECT_EQ(session.at.window(), whole);
}

TEST(TimelineNavigator, ADraggedWindowEntersTheHistoryWhenTheDragEnds)
{
    Session session;
    const TimeWindow whole = session.at.window();
    for (int i = 0; i < 5; ++i) {
        session.at.dragWindow({1000.0 * i, 500'000 + 1000.0 * i});
        EXPECT_TRUE(session.finish().window);
        EXPECT_FALSE(session.at.canGoBack());
    }
    session.at.showWindow(session.at.window());
    session.finish();
    EXPECT_TRUE(session.at.canGoBack());
    session.at.goBack();
    EXPECT_EQ(session.at.window(), whole);
}

TEST(TimelineNavigator, ReportsOnlyWhatAStepChanged)
{
    Session session;
    TimelineChanges changes = session.finish();
    EXPECT_FALSE(changes.window || changes.range || changes.rows || changes.event || changes.drawing);
    session.at.selectRange(TimeRange{1000, 2000});
    changes = session.finish();
    EXPECT_TRUE(changes.range);
    EXPECT_FALSE(changes.rows || changes.drawing) << "the selection lies over the drawing";
    session.at.selectRange(TimeRange{1000, 2000});
    EXPECT_FALSE(session.finish().range) << "it is selected already";
    session.at.select(TimeRange{1000, 2000}, {3});
    changes = session.finish();
    EXPECT_TRUE(changes.rows);
    EXPECT_FALSE(changes.range);
    const EventRef kernel = session.event(EventKind::kernel, 5);
    session.at.choose(kernel, false);
    changes = session.finish();
    EXPECT_TRUE(changes.event && changes.chosen && changes.drawing);
    EXPECT_FALSE(changes.window || changes.revealed);
    session.at.choose(kernel);
    changes = session.finish();
    EXPECT_FALSE(changes.event);
    EXPECT_TRUE(changes.chosen) << "assistive tools hear it again";
    EXPECT_EQ(changes.revealed, kernel);
}

TEST(TimelineNavigator, AnotherTraceKeepsNothingButTheChoiceOfArrows)
{
    Session session;
    session.at.setArrows(false);
    session.at.setPinned(1, true);
    session.at.toggleGroup(0);
    session.at.setMatches(findMatches(session.timeline(), "DtoH"));
    session.at.setIterations({{{0, 10}, "mine"}});
    session.at.choose(session.event(EventKind::kernel, 3));
    session.at.select(TimeRange{1000, 2000}, {1});
    session.at.zoomBy(0.5, 0);
    session.finish();
    session.at.open(loop());
    const TimelineChanges changes = session.finish();
    EXPECT_TRUE(changes.window && changes.range && changes.rows && changes.event && changes.drawing);
    EXPECT_FALSE(session.at.chosen() || session.at.selection().range || session.at.isPinned(1) ||
                 session.at.canGoBack());
    EXPECT_TRUE(session.at.selection().rows.empty() && session.at.partners().empty());
    EXPECT_FALSE(session.at.matches());
    EXPECT_EQ(session.at.iterations().size(), session.timeline().iterations().size());
    const TimelineView view = session.at.view();
    EXPECT_FALSE(view.arrows);
    EXPECT_EQ(std::count(view.collapsed.begin(), view.collapsed.end(), 0),
              static_cast<std::ptrdiff_t>(session.timeline().groups().size()));
}

TEST(TimelineNavigator, AnEmptyTraceHasATimeButNothingToStepTo)
{
    Session session(Timeline::build(std::make_shared<const trace::Trace>()));
    const TimelineDrawing drawing = session.drawing();
    EXPECT_GT(session.at.window().length(), 0);
    session.at.zoomBy(0.001, 0);
    EXPECT_GT(session.at.window().length(), 0) << "shorter than the shortest window is the whole trace";
    session.at.stepAlong(1, drawing);
    session.at.choosePartner();
    session.at.stepIteration(true);
    session.at.stepIteration(false);
    session.at.toggleGroupAtHand(drawing, true);
    session.at.selectChosen();
    EXPECT_FALSE(session.at.stepOnLane(1) || session.at.stepToLane(-1) || session.at.stepMatch(true) ||
                 session.at.clear());
    EXPECT_FALSE(session.at.chosen() || session.at.selection().range);
    session.at.selectRange(TimeRange{0, 1});
    session.at.addRow(drawing);
    EXPECT_TRUE(session.at.selection().rows.empty());
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
    Session session;
    session.at.select(TimeRange{1000, 2000}, {1, 2});
    session.at.select(TimeRange{2000, 2000}, {1, 2});
    EXPECT_FALSE(session.at.selection().range);
    EXPECT_TRUE(session.at.selection().rows.empty());
    session.at.selectRange(TimeRange{2000, 1000});
    EXPECT_FALSE(session.at.selection().range);
}

TEST(TimelineNavigator, TheEdgesOfASelectionMoveButNeverPassEachOther)
{
    Session session;
    session.at.showWindow({0, 1'000'000});
    session.at.selectRange(TimeRange{100'000, 115'000});
    session.at.moveEdge(false, true);
    EXPECT_EQ(*session.at.selection().range, (TimeRange{110'000, 115'000}));
    session.at.moveEdge(false, true);
    EXPECT_EQ(*session.at.selection().range, (TimeRange{110'000, 115'000})) << "it would be empty";
    session.at.moveEdge(true, true);
    session.at.moveEdge(false, false);
    EXPECT_EQ(*session.at.selection().range, (TimeRange{100'000, 125'000}));
}

TEST(TimelineNavigator, AnEdgeStartsFromTheChosenEventOrFromTheMiddle)
{
    Session session;
    session.at.showWindow({0, 1'000'000});
    session.at.moveEdge(false, true);
    EXPECT_FALSE(session.at.selection().range) << "a begin behind the end is no range";
    session.at.moveEdge(true, true);
    EXPECT_EQ(*session.at.selection().range, (TimeRange{500'000, 510'000}));
    session.at.clear();
    const EventRef kernel = session.event(EventKind::kernel, 2);
    session.at.choose(kernel, false);
    session.at.moveEdge(true, true);
    EXPECT_EQ(session.at.selection().range->start, session.timeline().rangeOf(kernel).start);
    EXPECT_EQ(session.at.selection().range->end, session.timeline().rangeOf(kernel).end + 10'000);
}

TEST(TimelineNavigator, RowsJoinTheSelectionDownToTheLastOneAndTheOnlyOneStays)
{
    Session session;
    const TimelineDrawing drawing = session.drawing();
    session.at.addRow(drawing);
    EXPECT_TRUE(session.at.selection().rows.empty()) << "there is no range";
    session.at.selectRange(TimeRange{1000, 2000});
    session.at.addRow(drawing);
    EXPECT_EQ(session.at.selection().rows, std::vector<std::uint32_t>{drawing.rows.front().row});
    session.at.removeRow();
    EXPECT_EQ(session.at.selection().rows.size(), 1u);
    const std::size_t all = session.timeline().rows().size();
    for (std::size_t i = 0; i < all + 5; ++i)
        session.at.addRow(drawing);
    EXPECT_EQ(session.at.selection().rows.back(), all - 1);
    EXPECT_TRUE(std::is_sorted(session.at.selection().rows.begin(), session.at.selection().rows.end()));
    session.at.toggleRows(drawing);
    EXPECT_TRUE(session.at.selection().rows.empty());
    session.at.choose(session.event(EventKind::copy, 0), false);
    session.at.toggleRows(drawing);
    EXPECT_EQ(session.at.selection().rows, std::vector<std::uint32_t>{session.at.chosen()->row});
}

TEST(TimelineNavigator, SteppingAlongALaneStopsAtItsEnds)
{
    Session session;
    const EventRef first = session.event(EventKind::kernel, 0);
    session.at.choose(first, false);
    EXPECT_TRUE(session.at.stepOnLane(-1));
    EXPECT_EQ(session.at.chosen(), first);
    EXPECT_TRUE(session.at.stepOnLane(1));
    EXPECT_EQ(session.at.chosen(), session.event(EventKind::kernel, 1));
    const std::size_t size = session.timeline().rows()[first.row].lanes.front().size;
    session.at.choose(session.event(EventKind::kernel, size - 1), false);
    EXPECT_TRUE(session.at.stepOnLane(1));
    EXPECT_EQ(session.at.chosen(), session.event(EventKind::kernel, size - 1));
}

TEST(TimelineNavigator, SteppingAcrossLanesSkipsCurvesAndStopsAtTheEnds)
{
    Session session;
    const auto& rows = session.timeline().rows();
    ASSERT_TRUE(std::any_of(rows.begin(), rows.end(), [](const TimelineRow& row) { return row.isCurve(); }));
    for (const int direction : {1, -1}) {
        session.at.choose(session.event(EventKind::kernel, 4), false);
        std::optional<EventRef> before;
        for (int i = 0; i < 200 && before != session.at.chosen(); ++i) {
            before = session.at.chosen();
            ASSERT_TRUE(session.at.stepToLane(direction));
            ASSERT_FALSE(rows[session.at.chosen()->row].isCurve());
            EXPECT_GE(static_cast<int>(session.at.chosen()->row) * direction,
                      static_cast<int>(before->row) * direction);
        }
        EXPECT_EQ(session.at.chosen(), before) << "nothing lies beyond";
    }
}

TEST(TimelineNavigator, ASearchStartsAtTheLeftEdgeAndWrapsAround)
{
    Session session;
    EXPECT_FALSE(session.at.stepMatch(true)) << "no search";
    session.at.setMatches(findMatches(session.timeline(), "no such name"));
    EXPECT_FALSE(session.at.stepMatch(true));
    const MatchesPtr matches = findMatches(session.timeline(), "DtoH");
    ASSERT_EQ(matches->count, 8u);
    session.at.setMatches(matches);
    const auto beginOf = [&] { return session.timeline().rangeOf(*session.at.chosen()).start; };
    session.at.showWindow({static_cast<double>(session.timeline().iterations()[3].range.start),
                           static_cast<double>(session.timeline().iterations()[4].range.start)});
    ASSERT_TRUE(session.at.stepMatch(true));
    EXPECT_GE(beginOf(), session.timeline().iterations()[3].range.start);
    const auto first = session.at.chosen();
    std::int64_t last = beginOf();
    int wraps = 0;
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(session.at.stepMatch(true));
        wraps += beginOf() < last ? 1 : 0;
        last = beginOf();
    }
    EXPECT_EQ(wraps, 1);
    EXPECT_EQ(session.at.chosen(), first);
    session.at.choose(std::nullopt);
    session.at.fitAll();
    ASSERT_TRUE(session.at.stepMatch(false)) << "before the left edge is the end";
    EXPECT_EQ(matches->before(session.timeline(), beginOf()), 7u);
}

TEST(TimelineNavigator, IterationsOfTheUserReplaceThoseOfTheTrace)
{
    Session session;
    session.at.setIterations({{{1'000, 2'000}, "a"}, {{3'000, 4'000}, "b"}});
    session.at.stepIteration(true);
    EXPECT_EQ(*session.at.selection().range, (TimeRange{1'000, 2'000}));
    session.at.stepIteration(true);
    session.at.stepIteration(true);
    EXPECT_EQ(*session.at.selection().range, (TimeRange{3'000, 4'000})) << "none after the last";
    session.at.clear();
    session.at.stepIteration(false);
    EXPECT_EQ(*session.at.selection().range, (TimeRange{3'000, 4'000})) << "the last before the right edge";
    session.at.setIterations({});
    EXPECT_EQ(session.at.iterations().size(), session.timeline().iterations().size());
}

TEST(TimelineNavigator, RevealingAnEventMovesTheWindowOnlyWhereItHasTo)
{
    Session session;
    const EventRef kernel = session.event(EventKind::kernel, 40);
    const TimeRange range = session.timeline().rangeOf(kernel);
    const auto begin = static_cast<double>(range.start);
    const auto end = static_cast<double>(range.end);
    const TimeWindow near{begin - 50'000, end + 50'000};
    session.at.showWindow(near);
    session.at.choose(kernel);
    EXPECT_EQ(session.at.window(), near) << "it is in view and large enough";
    session.at.choose(std::nullopt);
    session.at.showWindow({0, 20'000});
    session.at.choose(kernel, false);
    EXPECT_EQ(session.at.window(), (TimeWindow{0, 20'000}));
    session.at.choose(kernel);
    EXPECT_LE(session.at.window().begin, begin);
    EXPECT_GE(session.at.window().end, end);
    EXPECT_NEAR(relative(session.at.window(), (begin + end) / 2), 0.5, 1e-6);
}

TEST(TimelineNavigator, RevealingAnEventUnfoldsItsGroup)
{
    Session session;
    const EventRef kernel = session.event(EventKind::kernel, 0);
    const std::uint32_t group = session.timeline().rows()[kernel.row].group;
    session.at.toggleGroupAtHand(session.drawing(), true);
    const TimelineView folded = session.at.view();
    EXPECT_EQ(std::count(folded.collapsed.begin(), folded.collapsed.end(), 0), 0);
    session.at.choose(kernel, false);
    EXPECT_TRUE(session.at.view().collapsed[group]);
    session.at.choose(kernel);
    EXPECT_FALSE(session.at.view().collapsed[group]);
}

TEST(TimelineNavigator, GroupsFoldWithTheChosenEventAndAllOfThemFollow)
{
    Session session;
    ASSERT_GT(session.timeline().groups().size(), 1u);
    const EventRef call = session.event(EventKind::runtimeCall, 0);
    const std::uint32_t group = session.timeline().rows()[call.row].group;
    ASSERT_NE(group, 0u);
    session.at.choose(call, false);
    session.at.toggleGroupAtHand(session.drawing(), false);
    TimelineView view = session.at.view();
    EXPECT_TRUE(view.collapsed[group]);
    EXPECT_FALSE(view.collapsed[0]);
    session.at.toggleGroupAtHand(session.drawing(), true);
    view = session.at.view();
    EXPECT_EQ(std::count(view.collapsed.begin(), view.collapsed.end(), 0),
              static_cast<std::ptrdiff_t>(view.collapsed.size()))
        << "it was folded, so all unfold";
}

TEST(TimelineNavigator, PinnedRowsKeepTheirOrderAndAreNotPinnedTwice)
{
    Session session;
    for (const std::uint32_t row : {4u, 1u, 4u})
        session.at.setPinned(row, true);
    EXPECT_EQ(session.at.view().pinned, (std::vector<std::uint32_t>{4, 1}));
    session.at.setPinned(4, false);
    session.at.setPinned(4, false);
    EXPECT_EQ(session.at.view().pinned, std::vector<std::uint32_t>{1});
    EXPECT_TRUE(session.at.isPinned(1));
    EXPECT_FALSE(session.at.isPinned(4));
    session.at.toggleThin(2);
    EXPECT_TRUE(session.at.view().compact[2]);
    session.at.toggleThin(2);
    EXPECT_FALSE(session.at.view().compact[2]);
}

} // namespace apertune::timeline
