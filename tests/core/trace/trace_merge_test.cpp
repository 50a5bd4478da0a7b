// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_merge.h"
#include "tests/core/trace/support/synthetic_trace.h"

#include <gtest/gtest.h>

using namespace apertune;
using namespace apertune::trace;

namespace {

trace::Track threadTrack(std::int64_t id)
{
    trace::Track track;
    track.process = 1;
    track.thread = id;
    return track;
}

TEST(TraceMerge, AnEmptyBuilderTakesATraceAsItIs)
{
    const trace::TracePtr loop = apertune::testing::makeLoopTrace({3, 4, 7});
    trace::TraceBuilder builder;
    append(builder, trace::Trace(*loop));
    const trace::Trace merged = builder.finish(false);
    EXPECT_EQ(merged.strings, loop->strings);
    EXPECT_EQ(merged.tracks, loop->tracks);
    EXPECT_EQ(merged.devices, loop->devices);
    EXPECT_EQ(merged.losses, loop->losses);
    ASSERT_EQ(merged.series.size(), loop->series.size());
    for (std::size_t i = 0; i < merged.series.size(); ++i) {
        const trace::Series& a = merged.series[i];
        const trace::Series& b = loop->series[i];
        EXPECT_EQ(a.kind, b.kind);
        ASSERT_EQ(a.events.size(), b.events.size());
        EXPECT_EQ(a.events.start, b.events.start);
        for (std::size_t k = 0; k < a.events.size(); ++k)
            ASSERT_EQ(merged.nameOf(a, k), loop->nameOf(b, k));
        EXPECT_EQ(a.events.detail, b.events.detail);
    }
}

TEST(TraceMerge, NumbersOfTextsTracksAndDetailsAreTranslated)
{
    trace::TraceBuilder first;
    first.head().originMonotonic = 1'000'000;
    const trace::OperatorDetail shapes{first.intern("[[1]]"), {}, {}, -1};
    first.add(first.track(threadTrack(5)), trace::EventKind::operatorCall,
              {{100}, {10}, first.intern("aten::relu"), 0, 0, first.detail(shapes)});

    trace::TraceBuilder second;
    second.head().originMonotonic = 1'000'500;
    const trace::OperatorDetail others{second.intern("[[2]]"), {}, second.intern("layer1"), 3};
    second.add(second.track(threadTrack(4)), trace::EventKind::operatorCall, {{1}, {1}, second.intern("aten::add")});
    second.add(second.track(threadTrack(5)), trace::EventKind::operatorCall,
               {{-450}, {5}, second.intern("aten::conv2d"), 0, 0, second.detail(others)});
    second.addLoss({{50}, trace::EventKind::kernel, 3, trace::LossSeverity::error, base::foreignText("Full.")});
    second.head().devices.push_back({});
    second.head().devices.back().id = 1;

    append(first, second.finish(false));
    const trace::Trace merged = first.finish(false);
    ASSERT_EQ(merged.series.size(), 2U) << "thread 5 is one track";
    const trace::Series& s = merged.series[0];
    ASSERT_EQ(s.events.size(), 2U);
    EXPECT_EQ(s.events.start[0], 50) << "500 ns after its own origin's beginning, sorted in";
    EXPECT_EQ(merged.nameOf(s, 0), "aten::conv2d");
    EXPECT_EQ(merged.nameOf(s, 1), "aten::relu");
    const trace::OperatorDetail& detail = merged.details.operators[s.events.detail[0]];
    EXPECT_EQ(merged.text(detail.inputShapes), "[[2]]");
    EXPECT_EQ(merged.text(detail.module), "layer1");
    EXPECT_EQ(merged.text(merged.details.operators[s.events.detail[1]].inputShapes), "[[1]]");
    ASSERT_EQ(merged.losses.size(), 1U);
    EXPECT_EQ(merged.losses[0].time.count, 550);
    EXPECT_EQ(merged.devices.size(), 1U);
    EXPECT_EQ(merged.originMonotonic, 1'000'000);
}

TEST(TraceMerge, WithoutACommonClockTimesStay)
{
    trace::TraceBuilder first;
    trace::TraceBuilder second;
    second.head().originMonotonic = 77;
    second.add(second.track(threadTrack(1)), trace::EventKind::range, {{10}, {1}, second.intern("x")});
    append(first, second.finish(false));
    EXPECT_EQ(first.finish(false).begin().count, 10);
}

} // namespace
