// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/iterations.h"
#include "core/timeline/timeline.h"
#include "small_trace.h"

#include <gtest/gtest.h>

#include <random>

namespace apertune::analysis {
namespace {

using testing::SmallTrace;

TEST(Iterations, ProfilerStepsComeBeforeAnythingElse)
{
    SmallTrace t;
    for (int i = 0; i < 5; ++i) {
        t.b.add(t.host, trace::EventKind::range,
                t.event("ProfilerStep#" + std::to_string(i + 8), i * 100, i * 100 + 90));
        t.kernel("k", i * 100 + 10, i * 100 + 50);
    }
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.source, IterationSource::profilerStep);
    ASSERT_EQ(found.all.size(), 5u);
    EXPECT_EQ(found.all[0].length(), 100'000); // the time after a step belongs to that step
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
    const auto trace = std::make_shared<trace::Trace>(t.finish());
    const TraceIndex index(*trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.source, IterationSource::profilerStep);
    ASSERT_EQ(found.all.size(), 4u);
    EXPECT_EQ(found.all[3].length(), 100'000);
    const timeline::TimelinePtr timeline = timeline::Timeline::build(trace);
    ASSERT_EQ(timeline->iterations().size(), 6u);
    EXPECT_EQ(timeline->iterations()[1].label, "ProfilerStep#9");
    EXPECT_EQ(timeline->iterations()[0].range, (trace::TimeRange{0, 100'000}));
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
    const trace::Trace trace = t.finish();
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
            t.b.add(t.host, trace::EventKind::range, t.event("postprocess", i * 100 + 80, i * 100 + 90));
    }
    const trace::Trace trace = t.finish();
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
    const trace::Trace trace = t.finish();
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
    const trace::Trace trace = t.finish();
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
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    EXPECT_FALSE(findIterations(index, OperatorForest(index)).found());
}

TEST(Iterations, SlowFirstOnesAreWarmUp)
{
    SmallTrace t;
    std::int64_t now = 0;
    for (int i = 0; i < 8; ++i) {
        const std::int64_t length = i < 2 ? 500 : 100;
        t.b.add(t.host, trace::EventKind::range, t.event("step", now, now + length));
        t.kernel("k", now + 1, now + length);
        now += length;
    }
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const Iterations found = findIterations(index, OperatorForest(index));
    EXPECT_EQ(found.source, IterationSource::range);
    EXPECT_EQ(found.steady, 2u);
    EXPECT_EQ(found.window().length(), 600'000);
}

/// Twelve layers of three kernels each, launched one by one from `from` on and run from `device` on; times in µs.
std::int64_t layers(SmallTrace& t, std::int64_t from, std::int64_t device, std::uint32_t& correlation)
{
    for (int layer = 0; layer < 12; ++layer)
        for (const char* const name : {"norm", "project", "activate"}) {
            t.call("cudaLaunchKernel", from, from + 2, ++correlation);
            t.kernel(name, device, device + 9, correlation);
            from += 3;
            device += 10;
        }
    return device;
}

Iterations iterationsOf(const trace::Trace& trace)
{
    const TraceIndex index(trace);
    return findIterations(index, OperatorForest(index));
}

TEST(Iterations, OneProfilerStepIsTheIterationAndNotTheLayersInIt)
{
    SmallTrace t;
    std::uint32_t correlation = 0;
    t.b.add(t.host, trace::EventKind::range, t.event("ProfilerStep#7", 0, 1000));
    layers(t, 500, 510, correlation); // the host prepares for half of the step
    const Iterations found = iterationsOf(t.finish());
    EXPECT_EQ(found.source, IterationSource::profilerStep);
    EXPECT_TRUE(found.marked());
    ASSERT_EQ(found.all.size(), 1u);
    EXPECT_EQ(found.all[0], (TimeRange{0, 1'000'000})) << "host time before and after the device's work is in the step";
}

TEST(Iterations, LayersThatRepeatWithoutAnyMarkAreSectionsAndNoIterations)
{
    SmallTrace t;
    std::uint32_t correlation = 0;
    layers(t, 0, 10, correlation);
    const Iterations found = iterationsOf(t.finish());
    EXPECT_EQ(found.source, IterationSource::period);
    EXPECT_TRUE(found.found());
    EXPECT_FALSE(found.marked());
}

TEST(Iterations, ARangeOfTheProgramThatHoldsTheWorkIsTheIterationHoweverFewThereAre)
{
    for (const char* const name : {"predict", "execute_32_context_0(sq0sk0)_generation_32"}) {
        SmallTrace t;
        std::uint32_t correlation = 0;
        t.b.add(t.host, trace::EventKind::range, t.event(name, 100, 400));
        t.b.add(t.host, trace::EventKind::range,
                t.event("Optimizer.step#SGD.step", 100, 390)); // a framework names this range
        t.b.add(t.host, trace::EventKind::range, t.event("decoder layer 3", 110, 390));
        layers(t, 110, 120, correlation);
        const Iterations found = iterationsOf(t.finish());
        EXPECT_EQ(found.source, IterationSource::range) << name;
        ASSERT_EQ(found.all.size(), 1u);
        EXPECT_EQ(found.all[0], (TimeRange{100'000, 479'000})) << "until its last kernel ends";
    }
}

TEST(Iterations, ARangeAroundASmallPartOfTheWorkIsNone)
{
    SmallTrace t;
    std::uint32_t correlation = 0;
    t.b.add(t.host, trace::EventKind::range, t.event("head", 0, 12)); // launches four kernels of 36
    layers(t, 0, 10, correlation);
    EXPECT_EQ(iterationsOf(t.finish()).source, IterationSource::period);
}

TEST(Iterations, RangesThatDifferInTheirNumbersAreStepsOfOneServer)
{
    SmallTrace t;
    std::uint32_t correlation = 0;
    for (int i = 0; i < 4; ++i) {
        t.b.add(t.host, trace::EventKind::range,
                t.event("step[DECODE bs=" + std::to_string(32 - i) + "]", i * 1000, i * 1000 + 500));
        layers(t, i * 1000 + 10, i * 1000 + 20, correlation);
    }
    const Iterations found = iterationsOf(t.finish());
    EXPECT_EQ(found.source, IterationSource::range);
    EXPECT_EQ(found.name, "step[DECODE bs=#]");
    EXPECT_EQ(found.names.size(), 4u);
    ASSERT_EQ(found.all.size(), 4u);
    EXPECT_EQ(found.all[1].length(), 1'000'000);
}

TEST(Iterations, WithoutRangesTheStepsOfAnOptimizerOrTheBatchesOfALoaderMarkThem)
{
    for (const bool training : {true, false}) {
        SmallTrace t;
        std::uint32_t correlation = 0;
        for (int i = 0; i < 4; ++i) {
            t.b.add(t.host, trace::EventKind::range,
                    t.event("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", i * 1000, i * 1000 + 300));
            layers(t, i * 1000 + 300, i * 1000 + 310, correlation);
            if (training)
                t.b.add(t.host, trace::EventKind::range,
                        t.event("Optimizer.step#SGD.step", i * 1000 + 405, i * 1000 + 900));
        }
        const Iterations found = iterationsOf(t.finish());
        EXPECT_EQ(found.source, IterationSource::stepMarker);
        EXPECT_EQ(found.name.starts_with("Optimizer"), training) << found.name;
        ASSERT_EQ(found.all.size(), 4u);
        EXPECT_EQ(found.all[1].length(), 1'000'000);
    }
}

TEST(Iterations, WorkOfADeviceThatRunsBehindItsHostCountsInTheStepThatLaunchedIt)
{
    SmallTrace t;
    std::uint32_t correlation = 0;
    std::int64_t device = 50;
    for (int i = 0; i < 3; ++i) { // 120 µs of launching, 360 µs of work
        t.b.add(t.host, trace::EventKind::range, t.event("ProfilerStep#" + std::to_string(i), i * 120, i * 120 + 119));
        device = layers(t, i * 120, device, correlation);
    }
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const Iterations found = findIterations(index, forest);
    ASSERT_EQ(found.all.size(), 3u);
    for (const IterationUse& use : iterationStrip(index, forest, found)) {
        EXPECT_EQ(use.work, 36);
        EXPECT_EQ(use.busy, 36 * 9'000);
    }
    EXPECT_EQ(found.all[0].start, 0);
    EXPECT_EQ(found.all[1].start, 409'000) << "when the device has done the work of the step before";
    EXPECT_EQ(found.all[2].end, device * 1000 - 1'000);
    EXPECT_EQ(found.calls[1], (TimeRange{120'000, 240'000}));
}

TEST(Iterations, AStepWhoseWorkStartsAfterItsRangeEndedWaitedForWorkThatWasNotRecorded)
{
    SmallTrace t;
    t.b.add(t.host, trace::EventKind::range, t.event("execute_context_1(8)_generation_0(0)", 0, 300));
    t.call("cudaGraphLaunch", 100, 200, 1);
    for (int k = 0; k < 12; ++k)
        t.kernel("k" + std::to_string(k), 5000 + 10 * k, 5009 + 10 * k, 1);
    const Iterations found = iterationsOf(t.finish());
    ASSERT_EQ(found.all.size(), 1u);
    EXPECT_EQ(found.all[0], (TimeRange{5'000'000, 5'119'000}));
    EXPECT_EQ(found.calls[0], (TimeRange{0, 300'000}));
}

TEST(Iterations, RangesThatOnlyTheDeviceRecordedMarkThemToo)
{
    SmallTrace t;
    for (int i = 0; i < 3; ++i) {
        for (const trace::TrackId stream : {t.stream, t.copies})
            t.b.add(
                stream, trace::EventKind::deviceRange,
                t.event("ProfilerStep#" + std::to_string(i), i * 100 + (stream == t.copies ? 10 : 0), i * 100 + 80));
        t.kernel("k", i * 100, i * 100 + 80);
    }
    const Iterations found = iterationsOf(t.finish());
    EXPECT_EQ(found.source, IterationSource::profilerStep);
    ASSERT_EQ(found.all.size(), 3u);
    EXPECT_EQ(found.all[0], (TimeRange{0, 100'000}));
}

} // namespace
} // namespace apertune::analysis
