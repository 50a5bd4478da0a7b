// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/block_stats.h"
#include "tests/core/stats/samples.h"

#include <gtest/gtest.h>

#include <numeric>

namespace apertune::stats {
namespace {

using test::SampleSource;

std::vector<double> firstNumbers(std::size_t n)
{
    std::vector<double> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 1.0);
    std::reverse(numbers.begin(), numbers.end()); // order must not matter
    return numbers;
}

double missRate(std::size_t n, bool skewed)
{
    SampleSource source(n);
    constexpr int kRuns = 4000;
    int missed = 0;
    for (int run = 0; run < kRuns; ++run) {
        const model::Interval interval = medianInterval(source.draw(n, 100, 0.05, 0, skewed));
        missed += interval.lo > 100 || interval.hi < 100;
    }
    return static_cast<double>(missed) / kRuns;
}

TEST(Median, OddCountIsTheMiddleAndEvenCountTheMeanOfTheTwoMiddleValues)
{
    EXPECT_EQ(median(std::vector<double>{7}), 7);
    EXPECT_EQ(median(std::vector<double>{9, 1, 5}), 5);
    EXPECT_EQ(median(std::vector<double>{9, 1, 5, 2}), 3.5);
    EXPECT_EQ(median(std::vector<double>{3, 3, 3, 3}), 3);
}

TEST(MedianInterval, UsesTheRanksOfTheBinomialDistribution)
{
    // Ranks of Le Boudec's table of distribution-free 95 % intervals.
    struct Row
    {
        std::size_t n;
        double lo;
        double hi;
    };
    for (const Row& row : {Row{6, 1, 6}, Row{9, 2, 8}, Row{20, 6, 15}, Row{30, 10, 21}, Row{70, 27, 44},
                           Row{100, 40, 61}, Row{1000, 469, 532}}) {
        const model::Interval interval = medianInterval(firstNumbers(row.n));
        EXPECT_EQ(interval.lo, row.lo) << row.n;
        EXPECT_EQ(interval.hi, row.hi) << row.n;
        EXPECT_EQ(interval.confidence, 0.95);
    }
}

TEST(MedianInterval, FewerThanSixSamplesGiveTheRangeWithoutConfidence)
{
    const model::Interval interval = medianInterval(std::vector<double>{5, 1, 4, 2, 3});
    EXPECT_EQ(interval.value, 3);
    EXPECT_EQ(interval.lo, 1);
    EXPECT_EQ(interval.hi, 5);
    EXPECT_EQ(interval.confidence, 0);
    EXPECT_EQ(medianInterval(std::vector<double>{2}).confidence, 0);
}

TEST(MedianInterval, AHigherConfidenceNeedsMoreSamplesAndIsWider)
{
    EXPECT_EQ(medianInterval(firstNumbers(6), 0.99).confidence, 0);
    EXPECT_EQ(medianInterval(firstNumbers(8), 0.99).confidence, 0.99);
    EXPECT_LT(medianInterval(firstNumbers(100), 0.99).lo, medianInterval(firstNumbers(100), 0.95).lo);
}

TEST(MedianInterval, CoversTheTrueMedianAsOftenAsItSaysWhateverTheDistribution)
{
    for (std::size_t n : {6u, 15u, 30u, 101u})
        for (bool skewed : {false, true}) {
            const double missed = missRate(n, skewed);
            EXPECT_LE(missed, 0.06) << n << (skewed ? " skewed" : "");
            // An interval that never misses is not a 95 % interval but a useless one.
            EXPECT_GE(missed, 0.005) << n << (skewed ? " skewed" : "");
        }
}

TEST(MedianInterval, TenThousandSamplesDoNotUnderflow)
{
    const model::Interval interval = medianInterval(firstNumbers(10000));
    EXPECT_NEAR(interval.lo, 4902, 2);
    EXPECT_NEAR(interval.hi, 5099, 2);
}

TEST(Percentile, NeedsAsManySamplesAsItsUpperBound)
{
    EXPECT_EQ(samplesForPercentile(0.90), 29u);
    EXPECT_EQ(samplesForPercentile(0.95), 59u);
    EXPECT_EQ(samplesForPercentile(0.99), 299u);
    EXPECT_EQ(samplesForPercentile(0.999), 2995u);
    for (double p : {0.90, 0.95, 0.99, 0.999}) {
        const std::size_t needed = samplesForPercentile(p);
        EXPECT_FALSE(percentile(firstNumbers(needed - 1), p)) << p;
        EXPECT_TRUE(percentile(firstNumbers(needed), p)) << p;
    }
}

TEST(Percentile, IsTheNearestRank)
{
    EXPECT_EQ(percentile(firstNumbers(300), 0.99), 297);
    EXPECT_EQ(percentile(firstNumbers(100), 0.95), 95);
    EXPECT_EQ(percentile(firstNumbers(29), 0.90), 27);
}

TEST(Percentile, TheMedianIsSupportedFromOneSampleAndNothingFromNone)
{
    EXPECT_EQ(percentile(std::vector<double>{4}, 0.5), 4);
    EXPECT_EQ(percentile(std::vector<double>{}, 0.5), std::nullopt);
}

TEST(Percentile, LowOnesNeedAsManySamplesAsTheirMirrorImage)
{
    EXPECT_FALSE(percentile(firstNumbers(28), 0.10));
    EXPECT_EQ(percentile(firstNumbers(100), 0.10), 10);
}

TEST(IsSteady, NeedsTwoGroups)
{
    EXPECT_FALSE(isSteady(std::vector<double>(9, 1.0)));
    EXPECT_TRUE(isSteady(std::vector<double>(10, 1.0)));
    EXPECT_FALSE(isSteady(std::vector<double>{}));
}

TEST(IsSteady, FollowsTheLastTwoGroupsOnly)
{
    std::vector<double> iterations(5, 500.0);
    iterations.insert(iterations.end(), 5, 103.0);
    EXPECT_FALSE(isSteady(iterations));
    iterations.insert(iterations.end(), 5, 100.0);
    EXPECT_FALSE(isSteady(iterations)); // 3 % apart
    iterations.insert(iterations.end(), 5, 101.0);
    EXPECT_TRUE(isSteady(iterations));
}

TEST(IsSteady, OneSlowPassInAGroupDoesNotHideThatItIsSteady)
{
    EXPECT_TRUE(isSteady(std::vector<double>{1, 1, 9, 1, 1, 1, 1, 1, 30, 1}));
}

} // namespace
} // namespace apertune::stats
