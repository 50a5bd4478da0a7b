// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/detect.h"
#include "core/stats/summarize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::stats {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

/// Blocks of 10 passes and 30 ms, in which the k-th takes (1 + k · step) of it.
model::Measurement steadyMeasurement(int blocks, double step = 0)
{
    model::Measurement m;
    for (int k = 0; k < blocks; ++k) {
        model::Block block;
        block.iterations = 10;
        block.wall = {static_cast<std::int64_t>(30e6 * (1 + k * step))};
        m.blocks.push_back(block);
    }
    return m;
}

TEST(Summarize, LatencyIsPerForwardPassAndThroughputInSamplesASecond)
{
    model::Measurement m = steadyMeasurement(30, 0.0001);
    summarize(m, 4);
    EXPECT_NEAR(m.latencyNs.value, 3e6 * (1 + 14.5 * 0.0001), 1);
    EXPECT_NEAR(m.latencyNs.lo, 3e6 * (1 + 9 * 0.0001), 1);
    EXPECT_NEAR(m.latencyNs.hi, 3e6 * (1 + 20 * 0.0001), 1);
    EXPECT_EQ(m.latencyNs.confidence, 0.95);
    EXPECT_DOUBLE_EQ(m.throughput.value, 4e9 / m.latencyNs.value);
    EXPECT_DOUBLE_EQ(m.throughput.lo, 4e9 / m.latencyNs.hi);
    EXPECT_DOUBLE_EQ(m.throughput.hi, 4e9 / m.latencyNs.lo);
    EXPECT_EQ(m.throughput.confidence, 0.95);
    EXPECT_TRUE(m.flags.empty());
}

TEST(Summarize, PercentilesComeFromSinglePassesOnlyWhereTheSampleSupportsThem)
{
    model::Measurement m = steadyMeasurement(30);
    for (int i = 1; i <= 100; ++i)
        m.iterations.push_back({i * 1000});
    summarize(m, 1);
    EXPECT_EQ(m.p50Ns, 50000);
    EXPECT_EQ(m.p90Ns, 90000);
    EXPECT_EQ(m.p95Ns, 95000);
    EXPECT_EQ(m.p99Ns, std::nullopt);
}

TEST(Summarize, DeviceTimeIsTheMedianPerPassOfBlocksThatHaveIt)
{
    model::Measurement m = steadyMeasurement(6);
    summarize(m, 1);
    EXPECT_EQ(m.deviceNs, std::nullopt);
    for (std::size_t i = 0; i < 3; ++i)
        m.blocks[i].device = {static_cast<std::int64_t>(10e6 + 1e6 * static_cast<double>(i))};
    summarize(m, 1);
    EXPECT_EQ(m.deviceNs, 1.1e6);
}

TEST(Summarize, AShiftBetweenFirstAndLastThirdIsDrift)
{
    model::Measurement m = steadyMeasurement(30, 0.002);
    summarize(m, 1);
    EXPECT_THAT(m.flags, Contains(model::TrialFlag::drift));
    m = steadyMeasurement(30, 0.0005); // 1 % between the thirds
    summarize(m, 1);
    EXPECT_THAT(m.flags, Not(Contains(model::TrialFlag::drift)));
}

TEST(Summarize, NoiseWithoutATrendIsNotDrift)
{
    model::Measurement m = steadyMeasurement(30);
    for (std::size_t i = 0; i < m.blocks.size(); i += 2)
        m.blocks[i].wall.count = m.blocks[i].wall.count * 115 / 100;
    summarize(m, 1);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::bimodal, model::TrialFlag::notConverged));
    const Modes two = modesOf(m);
    EXPECT_NEAR(two.high / two.low, 1.15, 0.01);
    EXPECT_NEAR(two.lowShare, 0.5, 0.1);
}

TEST(Summarize, ManyInvoluntarySwitchesAreContention)
{
    model::Measurement m = steadyMeasurement(31);
    for (model::Block& block : m.blocks)
        block.involuntarySwitches = 9; // 6 a 20 ms
    summarize(m, 1);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::contended));
    for (std::size_t i = 0; i < 16; ++i)
        m.blocks[i].involuntarySwitches = 0; // now the median block is quiet
    summarize(m, 1);
    EXPECT_TRUE(m.flags.empty());
}

TEST(Summarize, AFifthOfTheBlocksKeptWaitingIsContentionThoughTheyWereThrownAway)
{
    model::Measurement m = steadyMeasurement(30);
    m.conditions.contended = 7;
    m.conditions.discarded = 7; // 7 of 37
    summarize(m, 1);
    EXPECT_TRUE(m.flags.empty());
    m.conditions.contended = 8;
    summarize(m, 1);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::contended));
    m.conditions.contended = 0;
    m.conditions.throttled = 8;
    summarize(m, 1);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::throttled));
}

TEST(Summarize, BlocksBeforeTheClockGotToItsFullRateAreThrottled)
{
    model::Measurement m = steadyMeasurement(30);
    for (std::size_t i = 0; i < m.blocks.size(); ++i)
        m.blocks[i].clock = i < 6 ? 0.95 : i < 20 ? 0.98 : 1; // 0.98 is usual
    m.conditions.clockHigh = 1;
    summarize(m, 1);
    EXPECT_TRUE(m.flags.empty()) << "six of thirty";
    m.blocks[6].clock = 0.95;
    summarize(m, 1);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::throttled));
}

TEST(Summarize, WhatOthersHadOfTheMachineIsContention)
{
    model::Measurement m = steadyMeasurement(30);
    m.conditions.span = {1'000'000'000};
    m.conditions.processors = 4;
    m.conditions.others = {1'000'000'000}; // one of four, but ticks may be wrong
    m.conditions.steal = {40'000'000};
    summarize(m, 1);
    EXPECT_TRUE(m.flags.empty());
    m.conditions.others = {1'200'000'000};
    summarize(m, 1);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::contended));
    m.conditions.others = {};
    m.conditions.steal = {130'000'000};
    summarize(m, 1);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::contended));
}

TEST(Summarize, TooFewBlocksAreNotConverged)
{
    model::Measurement m = steadyMeasurement(5);
    summarize(m, 1);
    EXPECT_EQ(m.latencyNs.confidence, 0);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::notConverged));
}

TEST(Summarize, AWideIntervalIsNotConverged)
{
    model::Measurement m = steadyMeasurement(30, 0.003);
    summarize(m, 1, 0.05);
    EXPECT_THAT(m.flags, Not(Contains(model::TrialFlag::notConverged)));
    summarize(m, 1, 0.01);
    EXPECT_THAT(m.flags, Contains(model::TrialFlag::notConverged));
}

TEST(Summarize, OtherFlagsStayAndItsOwnAreNotRepeated)
{
    model::Measurement m = steadyMeasurement(4);
    m.flags = {model::TrialFlag::neverSteady};
    summarize(m, 1);
    summarize(m, 1);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::neverSteady, model::TrialFlag::notConverged));
}

TEST(Summarize, NothingMeasuredGivesNoNumbersAndSaysSo)
{
    model::Measurement m;
    m.blocks.resize(3); // no iterations in them
    summarize(m, 1);
    EXPECT_EQ(m.latencyNs.value, 0);
    EXPECT_EQ(m.throughput.value, 0);
    EXPECT_EQ(m.p50Ns, std::nullopt);
    EXPECT_THAT(m.flags, ElementsAre(model::TrialFlag::notConverged));
}

} // namespace
} // namespace apertune::stats
