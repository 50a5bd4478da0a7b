// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/block_stats.h"
#include "core/stats/bootstrap.h"
#include "tests/core/stats/samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace apertune::stats {
namespace {

using test::SampleSource;

model::Interval ratio(std::span<const double> baseline, std::span<const double> candidate)
{
    return ratioOfMedians({baseline}, {candidate});
}

TEST(RatioOfMedians, AboveOneMeansThatTheCandidateIsFaster)
{
    SampleSource source(1);
    const auto slow = source.draw(30, 200, 0.01);
    const auto fast = source.draw(30, 100, 0.01);
    EXPECT_NEAR(ratio(slow, fast).value, 2, 0.03);
    EXPECT_EQ(verdictOf(ratio(slow, fast)), Verdict::faster);
    EXPECT_EQ(verdictOf(ratio(fast, slow)), Verdict::slower);
}

TEST(RatioOfMedians, EqualInputGivesEqualOutput)
{
    SampleSource source(2);
    const auto a = source.draw(40, 10, 0.05);
    const auto b = source.draw(25, 9, 0.05);
    const model::Interval once = ratio(a, b);
    const model::Interval again = ratio(a, b);
    EXPECT_EQ(once.lo, again.lo);
    EXPECT_EQ(once.hi, again.hi);
    EXPECT_EQ(once.confidence, 0.95);
    EXPECT_LT(once.lo, once.value);
    EXPECT_GT(once.hi, once.value);
}

TEST(RatioOfMedians, CoversAPlantedEffectAndSeesIt)
{
    constexpr int kRuns = 300;
    SampleSource source(3);
    int covered = 0;
    int seen = 0;
    for (int run = 0; run < kRuns; ++run) {
        const model::Interval r = ratio(source.draw(30, 110, 0.02), source.draw(30, 100, 0.02));
        covered += r.lo <= 1.10 && r.hi >= 1.10;
        seen += verdictOf(r) == Verdict::faster;
    }
    EXPECT_GE(covered, kRuns * 0.92);
    EXPECT_LE(covered, kRuns * 0.999);
    EXPECT_GE(seen, kRuns * 0.99);
}

double falsePositives(std::size_t n, double rho, std::uint64_t seed)
{
    constexpr int kRuns = 300;
    SampleSource source(seed);
    int wrong = 0;
    for (int run = 0; run < kRuns; ++run) {
        const Verdict verdict = verdictOf(ratio(source.draw(n, 100, 0.03, rho), source.draw(n, 100, 0.03, rho)), 0);
        wrong += verdict == Verdict::faster || verdict == Verdict::slower;
    }
    return static_cast<double>(wrong) / kRuns;
}

TEST(RatioOfMedians, IdenticalCodeIsRarelyToldApart)
{
    for (std::size_t n : {8u, 15u, 30u, 60u})
        EXPECT_LE(falsePositives(n, 0, n), 0.07) << n;
}

TEST(RatioOfMedians, IdenticalCodeIsRarelyToldApartWhenNeighbouringBlocksDepend)
{
    for (std::size_t n : {15u, 30u, 60u})
        EXPECT_LE(falsePositives(n, 0.3, n + 100), 0.09) << n;
}

TEST(RatioOfMedians, SmallSamplesGiveTheRangeWithoutConfidence)
{
    const model::Interval r = ratio(std::vector<double>{20, 22, 24}, std::vector<double>{10, 11, 12});
    EXPECT_EQ(r.value, 2);
    EXPECT_NEAR(r.lo, 20.0 / 12, 1e-12);
    EXPECT_NEAR(r.hi, 24.0 / 10, 1e-12);
    EXPECT_EQ(r.confidence, 0);
    EXPECT_EQ(verdictOf(r), Verdict::cannotTell);
}

TEST(RatioOfMedians, AMedianOfZeroHasNoConfidence)
{
    EXPECT_EQ(ratio(std::vector<double>(10, 5.0), std::vector<double>(10, 0.0)).confidence, 0);
    EXPECT_EQ(ratio(std::vector<double>(10, 0.0), std::vector<double>(10, 0.0)).confidence, 0);
}

TEST(RatioOfMedians, ConstantSamplesGiveAPoint)
{
    const model::Interval r = ratio(std::vector<double>(10, 6.0), std::vector<double>(10, 3.0));
    EXPECT_EQ(r.lo, 2);
    EXPECT_EQ(r.hi, 2);
    EXPECT_EQ(verdictOf(r), Verdict::faster);
}

TEST(Verdict, NeedsTheWholeIntervalBeyondTheIndifferenceZone)
{
    const auto of = [](double lo, double hi, double confidence = 0.95) {
        return verdictOf({(lo + hi) / 2, lo, hi, confidence});
    };
    EXPECT_EQ(of(1.02, 1.30), Verdict::faster);
    EXPECT_EQ(of(0.70, 0.98), Verdict::slower);
    EXPECT_EQ(of(0.995, 1.005), Verdict::same);
    EXPECT_EQ(of(0.99, 1.01), Verdict::same);
    EXPECT_EQ(of(1.005, 1.30), Verdict::cannotTell); // reaches into the zone
    EXPECT_EQ(of(0.90, 1.10), Verdict::cannotTell);
    EXPECT_EQ(of(1.02, 1.30, 0), Verdict::cannotTell);
    EXPECT_EQ(of(std::nan(""), std::nan("")), Verdict::cannotTell);
    EXPECT_EQ(verdictOf({1.04, 1.03, 1.05, 0.95}, 0.10), Verdict::same);
}

TEST(Verdict, HasTheWordsThatScriptsRelyOn)
{
    EXPECT_EQ(toString(Verdict::faster), "faster");
    EXPECT_EQ(toString(Verdict::slower), "slower");
    EXPECT_EQ(toString(Verdict::same), "same");
    EXPECT_EQ(toString(Verdict::cannotTell), "cannot_tell");
}

} // namespace
} // namespace apertune::stats
