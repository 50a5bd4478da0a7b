// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/change_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace apertune::stats {
namespace {

/// Histories whose level is multiplied by `factor` at `at`.
std::vector<HistoryValue> history(std::uint64_t seed, std::size_t n, double noise, double factor, std::size_t at)
{
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<HistoryValue> values;
    for (std::size_t i = 0; i < n; ++i)
        values.push_back({10 * std::exp(noise * normal(random)) * (i >= at ? factor : 1), 0.005});
    return values;
}

TEST(ChangePoints, AStepIsFoundWhereItIs)
{
    int found = 0, exact = 0, covered = 0;
    constexpr int kRuns = 100;
    for (int seed = 0; seed < kRuns; ++seed) {
        const auto result = findSteps(history(1000 + static_cast<std::uint64_t>(seed), 20, 0.01, 1.1, 12), 0);
        found += result.steps.size() == 1;
        if (result.steps.size() != 1)
            continue;
        exact += result.steps[0].at == 12;
        covered += result.steps[0].ratio.lo <= 1.1 && 1.1 <= result.steps[0].ratio.hi;
    }
    EXPECT_GE(found, 97);
    EXPECT_GE(exact, 95);
    EXPECT_GE(covered, 88);
}

TEST(ChangePoints, AHistoryWithoutAStepHasNone)
{
    for (const double noise : {0.01, 0.03, 0.10}) {
        int wrong = 0;
        for (std::uint64_t seed = 0; seed < 200; ++seed)
            wrong += !findSteps(history(5000 + seed, 20, noise, 1, 0), 0).steps.empty();
        EXPECT_LE(wrong, 8) << noise; // 2 are expected at 1 %
    }
}

TEST(ChangePoints, SeveralStepsDoNotHideEachOther)
{
    std::vector<HistoryValue> values = history(7, 30, 0.01, 1.2, 10);
    for (std::size_t i = 20; i < 30; ++i)
        values[i].value /= 1.2; // back to the first level, so the halves have nearly equal means
    const auto steps = findSteps(values, 0).steps;
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].at, 10u);
    EXPECT_GT(steps[0].ratio.value, 1);
    EXPECT_EQ(steps[1].at, 20u);
    EXPECT_LT(steps[1].ratio.value, 1);
}

TEST(ChangePoints, AStepWithinTheNoiseFloorIsNone)
{
    const std::vector<HistoryValue> values = history(3, 40, 0.005, 1.04, 20);
    ASSERT_EQ(findSteps(values, 0).steps.size(), 1u);
    EXPECT_TRUE(findSteps(values, 0.06).steps.empty());
    // However exact the values are, less than one percent is no step.
    EXPECT_TRUE(findSteps(history(3, 60, 0.0005, 1.006, 30), 0).steps.empty());
}

TEST(ChangePoints, WideIntervalsAreRespected)
{
    std::vector<HistoryValue> values{{10, 0.4}, {10.2, 0.4}, {9.9, 0.4},  {10.1, 0.4},
                                     {13, 0.4}, {12.8, 0.4}, {13.1, 0.4}, {12.9, 0.4}};
    EXPECT_TRUE(findSteps(values, 0).steps.empty()) << "each value may be off by 40 %";
    for (HistoryValue& value : values)
        value.uncertainty = 0.01;
    EXPECT_EQ(findSteps(values, 0).steps.size(), 1u);
}

TEST(ChangePoints, OneSlowRunIsNoStepAndTheNewestIsTold)
{
    std::vector<HistoryValue> values = history(11, 20, 0.01, 1, 0);
    values[8].value *= 1.5;
    EXPECT_TRUE(findSteps(values, 0).steps.empty());
    EXPECT_FALSE(findSteps(values, 0).newest);
    values = history(12, 20, 0.01, 1, 0);
    values.back().value *= 1.5;
    const auto found = findSteps(values, 0);
    EXPECT_TRUE(found.steps.empty());
    ASSERT_TRUE(found.newest);
    EXPECT_EQ(found.newest->at, 19u);
    EXPECT_NEAR(found.newest->ratio.value, 1.5, 0.05);
}

TEST(ChangePoints, ShortHistoriesHaveNoStep)
{
    EXPECT_TRUE(findSteps({}, 0).steps.empty());
    const std::vector<HistoryValue> values{{1, 0.01}, {2, 0.01}, {2, 0.01}};
    for (std::size_t n = 1; n <= values.size(); ++n)
        EXPECT_TRUE(findSteps(std::span(values).first(n), 0).steps.empty()) << n;
    // Equal values have no spread, and a level of two values is enough.
    const std::vector<HistoryValue> equal{{1, 0}, {1, 0}, {1, 0}, {2, 0}, {2, 0}};
    ASSERT_EQ(findSteps(equal, 0).steps.size(), 1u);
    EXPECT_EQ(findSteps(equal, 0).steps[0].at, 3u);
}

} // namespace
} // namespace apertune::stats
