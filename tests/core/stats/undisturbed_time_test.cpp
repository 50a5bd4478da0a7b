// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/compare.h"
#include "core/stats/reference_turns.h"
#include "core/stats/summarize.h"
#include "core/stats/undisturbed_time.h"

#include <gtest/gtest.h>

namespace apertune::stats {
namespace {

/// Ten passes of a block.
model::Block blockOf(double wallMs, double cpuMs, double waitedMs)
{
    model::Block block;
    block.iterations = 10;
    block.wall = base::fromMilliseconds(wallMs);
    block.cpu = base::fromMilliseconds(cpuMs);
    block.waited = base::fromMilliseconds(waitedMs);
    return block;
}

/// A confirmed trial of two threads whose blocks were disturbed. Times are those of a pass in ms.
model::Trial disturbedTrial(std::int64_t id, double wall, double cpu, double waited)
{
    model::Trial trial;
    trial.id = {id};
    trial.state = model::TrialState::ok;
    trial.device = "cpu";
    trial.config.threads = 2;
    model::Measurement& m = trial.measurement;
    for (int i = 0; i < 12; ++i) {
        const double drift = 1 + 0.01 * (i % 3);
        m.blocks.push_back(blockOf(10 * wall * drift, 10 * cpu * drift, 10 * waited));
        m.blocks.back().process = 1 + i / 6;
        m.blocks.back().referenceNs = 2e6;
    }
    m.conditions.processors = 2;
    m.conditions.contended = 12;
    m.conditions.driftReading = model::DriftReading{"one", 2e6, 0.01, 1};
    m.confirmation = 1;
    summarize(m, 1);
    return trial;
}

TEST(UndisturbedTime, OfABlockThatDidNotWaitIsItsWallTime)
{
    EXPECT_DOUBLE_EQ(undisturbedNs(blockOf(100, 190, 2), 2), 10e6);
    EXPECT_DOUBLE_EQ(undisturbedNs(blockOf(100, 190, 60), 0), 10e6) << "its device is no CPU";
}

TEST(UndisturbedTime, OfABlockThatWaitedIsTheProcessorTimeOfAThread)
{
    EXPECT_DOUBLE_EQ(undisturbedNs(blockOf(100, 120, 40), 2), 6e6);
    EXPECT_DOUBLE_EQ(undisturbedNs(blockOf(100, 55, 45), 1), 5.5e6);
}

TEST(UndisturbedTime, OfAModelThatSleepsIsItsWallTime)
{
    EXPECT_DOUBLE_EQ(undisturbedNs(blockOf(100, 20, 10), 1), 10e6);
}

TEST(UndisturbedTime, CountsNoMoreThreadsThanProcessors)
{
    model::Trial trial = disturbedTrial(1, 10, 12, 4);
    EXPECT_EQ(computingThreads(trial), 2);
    trial.config.threads = 8;
    EXPECT_EQ(computingThreads(trial), 2);
    trial.config.threads = 0;
    EXPECT_EQ(computingThreads(trial), 2);
    trial.measurement.conditions.processors = 0; // not observed
    trial.config.threads = 8;
    EXPECT_EQ(computingThreads(trial), 8);
    trial.device = "cuda:0";
    EXPECT_EQ(computingThreads(trial), 0);
}

// Measured on two cores beside two busy processes: an engine whose threads often sleep took 57 ms, one that computes
// without a pause took 89 ms. Without them the second is the faster one.
TEST(UndisturbedTime, DecidesWhereTheKernelFavoursAnEngineThatSleeps)
{
    const model::Trial sleeps = disturbedTrial(1, 57, 114, 25);
    const model::Trial computes = disturbedTrial(2, 89, 55, 80);
    ASSERT_TRUE(wasKeptWaiting(computes.measurement));
    ASSERT_TRUE(isEstimated(computes));
    EXPECT_LT(undisturbedNs(computes), undisturbedNs(sleeps));
    EXPECT_NEAR(relativeToReference(computes, false)->value, 27.5 / 2, 0.3);

    const auto effect = effectBetween({sleeps}, {computes});
    ASSERT_TRUE(effect);
    EXPECT_NEAR(effect->ratio.value, 114.0 / 55, 0.05);
    EXPECT_LT(effect->ratio.lo, 114.0 / 55 / 1.39);
    EXPECT_GT(effect->ratio.hi, 114.0 / 55 * 1.39);
    EXPECT_EQ(effect->verdict, Verdict::cannotTell) << "an estimate names no winner";
}

} // namespace
} // namespace apertune::stats
