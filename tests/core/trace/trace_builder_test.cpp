// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"

#include <gtest/gtest.h>

using namespace apertune;
using namespace apertune::trace;

namespace {

trace::Track thread(std::int64_t tid)
{
    trace::Track track;
    track.process = 1;
    track.thread = tid;
    return track;
}

} // namespace

TEST(TraceBuilder, TextsTracksAndDetailsAreKeptOnce)
{
    trace::TraceBuilder builder;
    EXPECT_EQ(builder.intern("").value, 0u);
    EXPECT_EQ(builder.intern("gemm"), builder.intern("gemm"));
    EXPECT_NE(builder.intern("gemm"), builder.intern("conv"));
    EXPECT_EQ(builder.track(thread(7)), builder.track(thread(7)));
    EXPECT_NE(builder.track(thread(7)), builder.track(thread(8)));
    trace::KernelDetail launch;
    EXPECT_EQ(builder.detail(launch), 0u);
    launch.grid = {80, 1, 1};
    EXPECT_EQ(builder.detail(launch), 1u);
    EXPECT_EQ(builder.detail(launch), 1u);
}

TEST(TraceBuilder, ALabelMayComeLaterThanItsTrack)
{
    trace::TraceBuilder builder;
    const trace::TrackId id = builder.track(thread(7));
    trace::Track named = thread(7);
    named.label = "python3";
    EXPECT_EQ(builder.track(named), id);
    builder.add(id, trace::EventKind::range, {});
    EXPECT_EQ(builder.finish().tracks[id.value].label, "python3");
}

TEST(TraceBuilder, TimeZeroIsTheFirstEventAndTheClocksFollow)
{
    trace::TraceBuilder builder;
    builder.head().originEpoch = 1000;
    builder.add(builder.track(thread(1)), trace::EventKind::operatorCall, {.start = {700}, .duration = {10}});
    builder.add(builder.track(thread(2)), trace::EventKind::operatorCall, {.start = {500}, .duration = {1}});
    builder.addLoss({.time = {600}, .kind = trace::EventKind::kernel, .count = 2, .reason = base::foreignText("full")});
    const trace::Trace trace = builder.finish();
    EXPECT_EQ(trace.begin().count, 0);
    EXPECT_EQ(trace.end().count, 210);
    EXPECT_EQ(trace.originEpoch, 1500);
    EXPECT_EQ(trace.losses.front().time.count, 100);
}

TEST(TraceBuilder, SeriesAreFoundByTrackAndKindAndNoneIsEmpty)
{
    trace::TraceBuilder builder;
    const trace::TrackId one = builder.track(thread(1));
    const trace::TrackId two = builder.track(thread(2));
    builder.columns(two, trace::EventKind::range);
    builder.add(two, trace::EventKind::operatorCall, {.start = {5}});
    builder.add(one, trace::EventKind::operatorCall, {.start = {3}});
    builder.add(one, trace::EventKind::range, {.start = {1}});
    const trace::Trace trace = builder.finish();
    EXPECT_EQ(trace.series.size(), 3u);
    EXPECT_EQ(trace.eventCount(), 3u);
    EXPECT_EQ(trace.find(two, trace::EventKind::range), nullptr);
    ASSERT_NE(trace.find(one, trace::EventKind::operatorCall), nullptr);
    EXPECT_EQ(trace.find(one, trace::EventKind::operatorCall)->events.start.front(), 2);
}

TEST(TraceBuilder, LossesOfOneReasonAreCountedTogether)
{
    trace::TraceBuilder builder;
    builder.addLoss({.time = {9}, .kind = trace::EventKind::kernel, .count = 2, .reason = base::foreignText("full")});
    builder.addLoss({.time = {4},
                     .kind = trace::EventKind::kernel,
                     .count = 3,
                     .severity = trace::LossSeverity::error,
                     .reason = base::foreignText("full")});
    builder.addLoss({.time = {1}, .kind = trace::EventKind::copy, .count = 1, .reason = base::foreignText("full")});
    const trace::Trace trace = builder.finish();
    ASSERT_EQ(trace.losses.size(), 2u);
    EXPECT_EQ(trace.losses[0].count, 5);
    EXPECT_EQ(trace.losses[0].time.count, 4);
    EXPECT_EQ(trace.losses[0].severity, trace::LossSeverity::error);
}

TEST(TraceBuilder, ItCanBeUsedAgainAfterFinishing)
{
    trace::TraceBuilder builder;
    builder.add(builder.track(thread(1)), trace::EventKind::range, {.name = builder.intern("a")});
    EXPECT_EQ(builder.finish().eventCount(), 1u);
    EXPECT_EQ(builder.eventCount(), 0u);
    EXPECT_EQ(builder.finish().eventCount(), 0u);
}
