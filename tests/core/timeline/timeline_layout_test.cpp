// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/range_statistics.h"
#include "core/timeline/time_ruler.h"
#include "core/timeline/timeline_layout.h"
#include "core/timeline/timeline_matches.h"
#include "core/trace/time_mip_codec.h"
#include "core/trace/trace_builder.h"
#include "tests/core/timeline/drawing_text.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace apertune::timeline {
namespace {

using apertune::test::expectGolden;

TimelineView viewOf(const Timeline& timeline, TimeWindow window, int width = 400, int height = 420)
{
    TimelineView view;
    view.width = width;
    view.height = height;
    view.metrics.labelWidth = 100;
    view.begin = window.begin;
    view.nsPerPx = window.length() / view.plotWidth();
    (void)timeline;
    return view;
}

TimelinePtr smallTimeline()
{
    return Timeline::build(testing::makeLoopTrace({2, 3, 1}));
}

std::uint32_t rowOf(const Timeline& timeline, trace::EventKind kind)
{
    for (std::uint32_t i = 0; i < timeline.rows().size(); ++i)
        if (timeline.rows()[i].kind == kind)
            return i;
    return 0;
}

/// Processes 1 and 2 number their launches alike; their kernels say that they are of these processes.
TimelinePtr twoProcesses(std::int64_t first, std::int64_t second)
{
    trace::TraceBuilder builder;
    trace::Event event;
    event.duration = {100};
    event.correlation = 5;
    event.name = builder.intern("work");
    const std::array<std::int64_t, 2> recorded = {first, second};
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        event.start = {number * 1000};
        builder.add(builder.track({.type = trace::TrackType::hostThread, .process = number + 1, .thread = 1}),
                    trace::EventKind::runtimeCall, event);
        event.start = {number * 1000 + 300};
        builder.add(
            builder.track({.type = trace::TrackType::stream, .process = recorded[i], .device = number, .stream = 7}),
            trace::EventKind::kernel, event);
    }
    return Timeline::build(std::make_shared<trace::Trace>(builder.finish()));
}

} // namespace

TEST(TimelineLayout, TheWholeOfASmallTraceLooksAsWrittenDown)
{
    const TimelinePtr timeline = smallTimeline();
    const TimelineView view = viewOf(*timeline, fitTo(timeline->extent(), 0));
    expectGolden("whole.txt", describe(*timeline, layOutTimeline(*timeline, view)));
}

TEST(TimelineLayout, OneStrayEventOnAnotherClockDoesNotStopThePicture)
{
    // 50,000 kernels within a second, and something at the epoch, or one call that lasts as long.
    constexpr std::int64_t kEpoch = 1'763'800'000'000'000'000;
    for (const std::int64_t length : {std::int64_t{5'000}, kEpoch / 2}) {
        trace::TraceBuilder builder;
        const trace::TrackId stream = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 7});
        const trace::TrackId thread = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
        trace::Event event;
        event.duration = {10'000};
        event.name = builder.intern("kernel");
        for (int i = 0; i < 50'000; ++i) {
            event.start = {i * 20'000};
            builder.add(stream, trace::EventKind::kernel, event);
            builder.add(thread, trace::EventKind::runtimeCall, event);
            event.value = i;
            builder.add(thread, trace::EventKind::counter, event);
        }
        event.start = {length == 5'000 ? kEpoch : 1'000'000'001};
        event.duration = {length};
        builder.add(thread, trace::EventKind::runtimeCall, event);
        const TimelinePtr timeline = Timeline::build(std::make_shared<trace::Trace>(builder.finish()));
        ASSERT_TRUE(timeline);
        EXPECT_GE(timeline->extent().length(), kEpoch / 2);
        EXPECT_GE(timeline->overview().front(), 1) << "the kernels are still seen";
        for (const double share : {1.0, 1e-3, 1e-9}) {
            const auto span = static_cast<double>(timeline->extent().length()) * share;
            const TimelineDrawing drawing = layOutTimeline(*timeline, viewOf(*timeline, {0, span}));
            EXPECT_FALSE(drawing.strips.empty());
            EXPECT_LE(drawing.ticks.size(), 20u);
        }
    }
}

TEST(TimelineLayout, ZoomedInThereAreBoxesWithArrowsFromLaunchesToKernels)
{
    const TimelinePtr timeline = smallTimeline();
    TimelineView view = viewOf(*timeline, {400'000, 700'000}, 500, 460);
    view.collapsed.assign(timeline->groups().size(), 0);
    expectGolden("close.txt", describe(*timeline, layOutTimeline(*timeline, view)));
}

TEST(TimelineLayout, ArrowsStayWithinAProcess)
{
    const auto arrows = [](std::int64_t first, std::int64_t second) {
        const TimelinePtr timeline = twoProcesses(first, second);
        std::vector<int> steps; // pixels
        const TimelineDrawing drawing = layOutTimeline(*timeline, viewOf(*timeline, {-100, 1700}, 600, 600));
        for (const FlowArrow& arrow : drawing.arrows)
            steps.push_back(static_cast<int>(arrow.toX - arrow.fromX));
        return steps;
    };
    const std::vector<int> both = arrows(1, 2);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_LT(both[0], 150) << "from its own call, which begins 300 ns before: 500 px are 1800";
    EXPECT_LT(both[1], 150);
    EXPECT_EQ(arrows(1, -1).size(), 1u) << "two calls could be meant";
    EXPECT_TRUE(arrows(-1, -1).empty());
    EXPECT_TRUE(arrows(3, 4).empty()) << "of processes whose calls were not recorded";
}

TEST(Timeline, PartnersAreOfTheSameProcess)
{
    const auto partners = [](std::int64_t first, std::int64_t second, trace::EventKind kind) {
        const TimelinePtr timeline = twoProcesses(first, second);
        std::size_t found = 0;
        for (std::uint32_t row = 0; row < timeline->rows().size(); ++row)
            if (timeline->rows()[row].kind == kind)
                found += timeline->partnersOf({row, 0}).size();
        return found;
    };
    for (const trace::EventKind kind : {trace::EventKind::kernel, trace::EventKind::runtimeCall}) {
        EXPECT_EQ(partners(1, 2, kind), 2u);
        EXPECT_EQ(partners(1, -1, kind), 1u);
        EXPECT_EQ(partners(-1, -1, kind), 0u);
        EXPECT_EQ(partners(3, 4, kind), 0u);
    }
}

TEST(TimelineLayout, ASearchGreysTheRestAndMeasuresWhatItKeeps)
{
    const TimelinePtr timeline = smallTimeline();
    const MatchesPtr matches = findMatches(*timeline, "BATCH norm");
    TimelineView view = viewOf(*timeline, {0, 1'500'000});
    view.matches = matches.get();
    expectGolden("search.txt", describe(*timeline, layOutTimeline(*timeline, view)));
}

TEST(TimelineLayout, WhateverTheZoomTheBarsAddUpToTheBusyTime)
{
    const TimelinePtr timeline = Timeline::build(testing::makeLargeTrace(200'000, 3));
    const double whole = static_cast<double>(timeline->extent().length());
    for (const double share : {1.0, 0.4, 0.11, 0.03, 0.004}) {
        TimelineView view = viewOf(*timeline, {whole * 0.2, whole * (0.2 + share * 0.8)}, 1100, 800);
        const TimelineDrawing drawing = layOutTimeline(*timeline, view);
        for (const RowBox& box : drawing.rows) {
            const TimelineRow& row = timeline->rows()[box.row];
            double drawn = 0;
            for (const DensityStrip& strip : drawing.strips)
                if (strip.row == box.row)
                    for (int x = 0; x < strip.width; ++x)
                        drawn += drawing.coverage[strip.first + static_cast<std::size_t>(x)] / 255.0;
            bool boxes = false;
            for (const EventBox& event : drawing.boxes)
                boxes = boxes || event.event.row == box.row;
            if (boxes)
                continue; // where there are boxes, the bars hold only what is narrower
            const double busy =
                static_cast<double>(row.lanes[0].busy(timeline->columns(row), static_cast<std::int64_t>(view.begin),
                                                      static_cast<std::int64_t>(view.end()))) /
                view.nsPerPx;
            EXPECT_NEAR(drawn, busy, busy * 0.03 + 3) << "share " << share << " row " << box.row;
        }
    }
}

TEST(TimelineLayout, PanningByWholePixelsMovesThePictureAndChangesNothingElse)
{
    const TimelinePtr timeline = Timeline::build(testing::makeLargeTrace(300'000, 2));
    TimelineView view = viewOf(*timeline, {1e9, 21e9}, 900, 300);
    view.begin = std::round(view.begin / view.nsPerPx) * view.nsPerPx;
    const auto columnsOf = [&](double begin) {
        view.begin = begin;
        const TimelineDrawing drawing = layOutTimeline(*timeline, view);
        const DensityStrip& strip = drawing.strips.front();
        const auto first = drawing.coverage.begin() + static_cast<std::ptrdiff_t>(strip.first);
        return std::vector<std::uint8_t>(first, first + strip.width);
    };
    const double at = view.begin;
    const std::vector<std::uint8_t> before = columnsOf(at);
    const std::vector<std::uint8_t> after = columnsOf(at + 40 * view.nsPerPx);
    ASSERT_EQ(before.size(), after.size());
    int different = 0;
    for (std::size_t i = 41; i + 1 < before.size(); ++i)
        different += before[i] != after[i - 40] ? 1 : 0;
    EXPECT_LE(different, static_cast<int>(before.size() / 100));
}

TEST(TimelineLayout, DrawsNothingOutsideItsPlaceAtAnyZoomAndSize)
{
    const TimelinePtr timeline = Timeline::build(testing::makeLoopTrace({6, 12, 3}));
    for (const int width : {1, 99, 101, 400, 1920}) {
        for (const int height : {1, 80, 500}) {
            for (const double share : {1.2, 0.3, 0.01, 1e-4, 1e-6}) {
                const double length = static_cast<double>(timeline->extent().length()) * share;
                TimelineView view = viewOf(*timeline, {1'000'000, 1'000'000 + length}, width, height);
                view.scroll = 50;
                view.nsPerPx = length / std::max(1, view.plotWidth());
                const TimelineDrawing drawing = layOutTimeline(*timeline, view);
                for (const EventBox& box : drawing.boxes) {
                    EXPECT_GE(box.x, view.metrics.labelWidth);
                    EXPECT_LE(box.x + box.width, width);
                    EXPECT_GE(box.width, 1);
                }
                for (const DensityStrip& strip : drawing.strips) {
                    EXPECT_GE(strip.x, view.metrics.labelWidth);
                    EXPECT_LE(strip.x + strip.width, width);
                    EXPECT_LE(strip.first + static_cast<std::size_t>(strip.width), drawing.coverage.size());
                }
            }
        }
    }
}

TEST(TimelineLayout, ThePointOfABoxFindsItsEvent)
{
    const TimelinePtr timeline = smallTimeline();
    TimelineView view = viewOf(*timeline, {400'000, 900'000}, 900, 700);
    const TimelineDrawing drawing = layOutTimeline(*timeline, view);
    int wide = 0;
    for (const EventBox& box : drawing.boxes) {
        if (box.width < 8)
            continue;
        ++wide;
        EXPECT_EQ(eventAt(*timeline, view, drawing, box.x + box.width / 2.0, box.y + box.height / 2.0), box.event);
    }
    EXPECT_GT(wide, 10);
    EXPECT_FALSE(eventAt(*timeline, view, drawing, 50, 200)) << "names are not events";
}

TEST(TimelineLayout, ACollapsedGroupAndAPinnedRowTakeTheirPlaces)
{
    const TimelinePtr timeline = smallTimeline();
    TimelineView view = viewOf(*timeline, fitTo(timeline->extent(), 0), 400, 900);
    view.collapsed.assign(timeline->groups().size(), 1);
    view.pinned = {rowOf(*timeline, trace::EventKind::operatorCall)};
    const TimelineDrawing drawing = layOutTimeline(*timeline, view);
    ASSERT_EQ(drawing.rows.size(), 1u);
    EXPECT_TRUE(drawing.rows[0].pinned);
    EXPECT_EQ(drawing.rows[0].y, drawing.bodyTop);
    EXPECT_EQ(drawing.groups.size(), timeline->groups().size());
    EXPECT_EQ(drawing.contentHeight, static_cast<int>(timeline->groups().size()) * view.metrics.groupHeight);
}

TEST(TimelineLayout, AGroupsNameStaysInSightWhileItsRowsScroll)
{
    const TimelinePtr timeline = smallTimeline();
    TimelineView view = viewOf(*timeline, fitTo(timeline->extent(), 0), 400, 200);
    view.scroll = 20;
    const TimelineDrawing drawing = layOutTimeline(*timeline, view);
    ASSERT_FALSE(drawing.groups.empty());
    EXPECT_EQ(drawing.groups.front().y, drawing.scrollTop);
    EXPECT_EQ(drawing.scroll, 20);
    view.scroll = 1'000'000;
    EXPECT_LT(layOutTimeline(*timeline, view).scroll, 2000);
}

TEST(RangeStatistics, AddUpToWhatTheEventsSay)
{
    const TimelinePtr timeline = Timeline::build(testing::makeLoopTrace({6, 20, 2}));
    for (const trace::TimeRange range : {timeline->extent(), trace::TimeRange{1'000'000, 2'345'678}}) {
        const auto statistics = rangeStatistics(*timeline, range);
        ASSERT_TRUE(statistics);
        std::int64_t count = 0;
        std::vector<char> busy(static_cast<std::size_t>(range.length() / 100) + 1, 0); // a raster of 100 ns
        for (const NameStatistics& name : statistics->names) {
            count += name.count;
            const std::vector<double> durations = durationsOf(*timeline, name.kind, name.name, range);
            ASSERT_EQ(static_cast<std::int64_t>(durations.size()), name.count);
            EXPECT_EQ(static_cast<std::int64_t>(std::accumulate(durations.begin(), durations.end(), 0.0)), name.total);
            EXPECT_EQ(*std::max_element(durations.begin(), durations.end()), static_cast<double>(name.longest));
            EXPECT_EQ(timeline->rangeOf(name.outlier).length(), name.longest);
            EXPECT_LE(name.shortest, name.median);
            EXPECT_LE(name.median, name.longest);
        }
        EXPECT_EQ(count, statistics->events);
        for (const TimelineRow& row : timeline->rows()) {
            const trace::EventColumns& c = timeline->columns(row);
            for (std::size_t i = 0; trace::isDeviceWork(row.kind) && i < c.size(); ++i)
                for (std::int64_t t = std::max(c.start[i], range.start); t < std::min(c.end(i), range.end); t += 100)
                    busy[static_cast<std::size_t>((t - range.start) / 100)] = 1;
        }
        const double rastered = 100.0 * static_cast<double>(std::accumulate(busy.begin(), busy.end(), 0));
        EXPECT_NEAR(static_cast<double>(statistics->deviceBusy), rastered, rastered * 0.02);
        EXPECT_GE(statistics->deviceTotal, statistics->deviceBusy);
        EXPECT_LE(statistics->largestGap.length(), range.length() - statistics->deviceBusy);
    }
}

TEST(Timeline, JoinsLaunchesAndKernelsBothWays)
{
    const TimelinePtr timeline = smallTimeline();
    const EventRef kernel{rowOf(*timeline, trace::EventKind::kernel), 2};
    const std::vector<EventRef> launches = timeline->partnersOf(kernel);
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(timeline->nameOf(launches[0]), "cudaLaunchKernel");
    EXPECT_EQ(timeline->partnersOf(launches[0]), std::vector<EventRef>{kernel});
}

TEST(Timeline, FindsTheStepsOfTheProgramAndItsRunningMemory)
{
    const TimelinePtr timeline = smallTimeline();
    ASSERT_EQ(timeline->iterations().size(), 2u);
    EXPECT_EQ(timeline->iterations()[1].label, "ProfilerStep#4");
    const TimelineRow& memory = timeline->rows()[rowOf(*timeline, trace::EventKind::tensorMemory)];
    ASSERT_TRUE(memory.isCurve());
    EXPECT_EQ(memory.total.back(), 0) << "everything allocated was freed";
    EXPECT_GT(*std::max_element(memory.total.begin(), memory.total.end()), 0);
}

TEST(Timeline, TakesStoredMipsAsItsOwn)
{
    const trace::TracePtr trace = testing::makeLargeTrace(50'000, 4);
    const TimelinePtr built = Timeline::build(trace);
    std::vector<trace::SeriesMip> stored(trace->series.size());
    for (const TimelineRow& row : built->rows()) {
        const trace::SeriesMip mip{row.lanes};
        auto again = trace::decodeMip(trace::encodeMip(mip.lanes), built->columns(row).size());
        ASSERT_TRUE(again);
        stored[row.series] = *again;
    }
    const TimelinePtr loaded = Timeline::build(trace, {}, std::move(stored));
    const TimelineView view = viewOf(*built, fitTo(built->extent()), 1200, 600);
    EXPECT_EQ(describe(*built, layOutTimeline(*built, view)), describe(*loaded, layOutTimeline(*loaded, view)));
}

TEST(Timeline, AStoppedBuildGivesNothing)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(Timeline::build(testing::makeLoopTrace(), stop.get_token()), nullptr);
}

TEST(Timeline, AnEmptyTraceIsAnEmptyPicture)
{
    const TimelinePtr timeline = Timeline::build(std::make_shared<const trace::Trace>());
    const TimelineView view = viewOf(*timeline, {0, 1}, 400, 300);
    const TimelineDrawing drawing = layOutTimeline(*timeline, view);
    EXPECT_TRUE(drawing.rows.empty());
    EXPECT_TRUE(drawing.boxes.empty());
}

TEST(TimelineMatches, WalksThroughAllMatchesInOrder)
{
    const TimelinePtr timeline = smallTimeline();
    const MatchesPtr matches = findMatches(*timeline, "cudalaunch");
    ASSERT_EQ(matches->count, 6u);
    std::int64_t time = -1;
    for (std::size_t i = 0; i < matches->count; ++i) {
        const std::optional<EventRef> next = matches->next(*timeline, time, true);
        ASSERT_TRUE(next);
        time = timeline->rangeOf(*next).start;
        EXPECT_EQ(matches->before(*timeline, time), i);
    }
    EXPECT_FALSE(matches->next(*timeline, time, true));
    EXPECT_EQ(matches->before(*timeline, matches->next(*timeline, time, false).has_value() ? time : 0), 5u);
    EXPECT_EQ(findMatches(*timeline, "no such name")->count, 0u);
    EXPECT_EQ(findMatches(*timeline, "")->count, 0u);
}

TEST(TimelineMatches, ANameInQuotesIsFoundAloneAndInItsOwnCase)
{
    trace::TraceBuilder builder;
    for (const char* name : {"aten::add", "aten::add_", "Aten::add", "void f<int, 3>(a \"b\")"}) {
        trace::Event event;
        event.duration = {10};
        event.name = builder.intern(name);
        builder.add(builder.track({.type = trace::TrackType::hostThread, .thread = 1}), trace::EventKind::operatorCall,
                    event);
    }
    const TimelinePtr timeline = Timeline::build(std::make_shared<const trace::Trace>(builder.finish()));
    EXPECT_EQ(findMatches(*timeline, "aten::add")->count, 3u) << "words are found anywhere, in any case";
    EXPECT_EQ(findMatches(*timeline, wholeName("aten::add"))->count, 1u);
    EXPECT_EQ(findMatches(*timeline, wholeName("void f<int, 3>(a \"b\")"))->count, 1u);
    EXPECT_EQ(findMatches(*timeline, "\"")->count, 1u) << "one quote is a letter like others";
    const MatchesPtr tested = findMatches(*timeline, "short", [](std::string_view name) { return name.size() == 10; });
    EXPECT_EQ(tested->count, 1u) << "a test of the caller decides";
    EXPECT_EQ(tested->pattern, "short");
}

TEST(RangeStatistics, WhatRunsTwiceAtOnceIsBusyOnceAndOnlyWithinTheRange)
{
    trace::TraceBuilder builder;
    const auto add = [&builder](std::int64_t thread, std::int64_t start, std::int64_t duration) {
        trace::Event event;
        event.start = {start};
        event.duration = {duration};
        event.name = builder.intern("infer");
        builder.add(builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = thread}),
                    trace::EventKind::operatorCall, event);
    };
    add(1, 0, 600);
    add(1, 100, 300); // inside the first
    add(2, 200, 700); // at the same time
    add(2, 950, 500); // runs on after the range
    const TimelinePtr timeline = Timeline::build(std::make_shared<const trace::Trace>(builder.finish()));
    const auto statistics = rangeStatistics(*timeline, {0, 1000});
    ASSERT_EQ(statistics->names.size(), 1u);
    EXPECT_EQ(statistics->names[0].total, 2100);
    EXPECT_EQ(statistics->names[0].busy, 950);
}

} // namespace apertune::timeline
