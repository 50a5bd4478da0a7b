// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/analysis/iterations.h"
#include "core/trace/timeline.h"

#include "small_trace.h"

#include <gtest/gtest.h>

#include <random>

namespace apertune::trace::analysis {
namespace {

using testing::SmallTrace;

TEST(Iterations, ProfilerStepsComeBeforeAnythingElse)
{
    SmallTrace t;
    for (int i = 0; i < 5; ++i) {
        t.b.add(t.host, EventKind::range, t.event("ProfilerStep#" + std::to_string(i + 8), i * 100, i * 100 + 90));
        t.kernel("k", i * 100 + 10, i * 100 + 50);
    }
    const Trace trace = t.finish();
    const TraceIndex index(trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.source, IterationSource::profilerStep);
    ASSERT_EQ(found.all.size(), 5u);
    EXPECT_EQ(found.all[0].length(), 100'000); // what follows a step belongs to it
}

TEST(Iterations, StepsOfOldRecordersThatOverlapByARoundingErrorAreThemAsInThePicture)
{
    SmallTrace t;
    for (int i = 0; i < 6; ++i) {
        // One microsecond into the next; the last two hold nothing: the recorder was stopped behind the loop.
        t.op("ProfilerStep#" + std::to_string(i + 8), i * 100, i * 100 + 101);
        if (i < 4)
            t.kernel("k", i * 100 + 10, i * 100 + 50);
    }
    const auto trace = std::make_shared<Trace>(t.finish());
    const TraceIndex index(*trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.source, IterationSource::profilerStep);
    ASSERT_EQ(found.all.size(), 4u);
    EXPECT_EQ(found.all[3].length(), 100'000);
    const TimelinePtr timeline = Timeline::build(trace);
    ASSERT_EQ(timeline->iterations().size(), 6u);
    EXPECT_EQ(timeline->iterations()[1].label, "ProfilerStep#9");
    EXPECT_EQ(timeline->iterations()[0].range, (TimeRange{0, 100'000}));
}

TEST(Iterations, ThePeriodOfRepeatedBlocksIsTheWholePassAndNotTheBlock)
{
    std::mt19937 random(3);
    SmallTrace t;
    std::int64_t now = 0;
    const auto kernel = [&](const std::string& name) {
        const std::int64_t length = 5 + static_cast<std::int64_t>(random() % 4);
        t.kernel(name, now, now + length);
        now += length + 1;
    };
    for (int i = 0; i < 9; ++i) {
        now += i == 0 ? 0 : 30;
        for (const char* stem : {"patch_conv", "bias", "concat", "position"})
            kernel(stem);
        for (int block = 0; block < 12; ++block)
            for (const char* layer :
                 {"norm1", "qkv", "attention", "project", "add1", "norm2", "mlp1", "gelu", "mlp2", "add2"}) {
                kernel(layer);
                if (random() % 400 == 0)
                    kernel("odd"); // comes now and then
            }
        for (const char* head : {"norm3", "pick", "linear", "softmax"})
            kernel(head);
    }
    const Trace trace = t.finish();
    const TraceIndex index(trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.source, IterationSource::period);
    EXPECT_EQ(found.all.size(), 9u);
    EXPECT_EQ(found.name, "patch_conv");
}

TEST(Iterations, RangesAroundAPartOfSomeIterationsAreNotTheIterations)
{
    SmallTrace t;
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < 7; ++k)
            t.kernel("k" + std::to_string(k), i * 100 + k * 10, i * 100 + k * 10 + 9);
        if (i % 3 == 0)
            t.b.add(t.host, EventKind::range, t.event("postprocess", i * 100 + 80, i * 100 + 90));
    }
    const Trace trace = t.finish();
    const TraceIndex index(trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.source, IterationSource::period);
    EXPECT_EQ(found.all.size(), 12u);
}

TEST(Iterations, OneOperatorBeforeALoopIsEnoughToTellThePassFromTheLoop)
{
    SmallTrace t;
    std::int64_t now = 0;
    const auto op = [&](const std::string& name) {
        t.op(name, now, now + 9);
        now += 10;
    };
    for (int i = 0; i < 14; ++i) {
        op("aten::conv2d");
        for (int k = 0; k < 6; ++k)
            for (const char* name : {"aten::contiguous", "aten::relu", "aten::contiguous"})
                op(name);
    }
    const Trace trace = t.finish();
    const TraceIndex index(trace);
    EXPECT_EQ(findIterations(index, OperatorForest(index)).all.size(), 14u);
}

TEST(Iterations, OneOperatorAroundEachPassIsTheIteration)
{
    SmallTrace t;
    for (int i = 0; i < 5; ++i) {
        t.op("forward", i * 100, i * 100 + 95);
        t.op("aten::conv2d", i * 100 + 5, i * 100 + 50);
        t.op("aten::relu", i * 100 + 50, i * 100 + 60);
    }
    const Trace trace = t.finish();
    const TraceIndex index(trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.all.size(), 5u);
    EXPECT_EQ(found.name, "forward");
}

TEST(Iterations, WorkThatNeverRepeatsHasNone)
{
    SmallTrace t;
    std::mt19937 random(5);
    for (int i = 0; i < 300; ++i)
        t.kernel("k" + std::to_string(random() % 40), i * 10, i * 10 + 8);
    const Trace trace = t.finish();
    const TraceIndex index(trace);
    EXPECT_FALSE(findIterations(index, OperatorForest(index)).found());
}

TEST(Iterations, SlowFirstOnesAreWarmUp)
{
    SmallTrace t;
    std::int64_t now = 0;
    for (int i = 0; i < 8; ++i) {
        const std::int64_t length = i < 2 ? 500 : 100;
        t.b.add(t.host, EventKind::range, t.event("step", now, now + length));
        t.kernel("k", now + 1, now + length);
        now += length;
    }
    const Trace trace = t.finish();
    const TraceIndex index(trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.source, IterationSource::range);
    EXPECT_EQ(found.steady, 2u);
    EXPECT_EQ(found.window().length(), 600'000);
}

} // namespace
} // namespace apertune::trace::analysis
