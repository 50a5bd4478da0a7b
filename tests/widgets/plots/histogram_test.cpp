// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/histogram.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace apertune::plots {
namespace {

std::size_t total(const Histogram& histogram)
{
    return std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::size_t{0});
}

TEST(Histogram, CountsEveryValueOnce)
{
    std::mt19937 random(3);
    std::lognormal_distribution<double> values(1, 0.4);
    std::vector<double> sample(1000);
    for (double& value : sample)
        value = values(random);
    const Histogram histogram = makeHistogram(sample);
    EXPECT_EQ(total(histogram) + histogram.beyond, sample.size());
    EXPECT_GE(histogram.counts.size(), 5u);
    EXPECT_LE(histogram.counts.size(), 60u);
}

TEST(Histogram, AFewStallsDoNotSqueezeTheRest)
{
    std::vector<double> sample;
    for (int i = 0; i < 500; ++i)
        sample.push_back(10 + (i % 20) * 0.01);
    sample.push_back(500);
    const Histogram histogram = makeHistogram(sample);
    EXPECT_EQ(histogram.beyond, 1u);
    EXPECT_LT(histogram.lo + histogram.width * static_cast<double>(histogram.counts.size()), 12);
}

TEST(Histogram, ASmallSampleIsShownWhole)
{
    const std::vector<double> sample{1, 1.1, 1.2, 1.1, 9};
    EXPECT_EQ(makeHistogram(sample).beyond, 0u);
}

TEST(Histogram, EqualValuesAndNoValuesAreFine)
{
    const Histogram equal = makeHistogram(std::vector<double>(10, 4.0));
    EXPECT_EQ(total(equal), 10u);
    EXPECT_GT(equal.width, 0);
    EXPECT_TRUE(makeHistogram({}).counts.empty());
}

TEST(Ecdf, RisesFromTheSmallestToAllOfThem)
{
    std::vector<double> sample(5000);
    std::iota(sample.begin(), sample.end(), 0.0);
    const Ecdf ecdf = makeEcdf(sample, 100);
    ASSERT_EQ(ecdf.x.size(), 100u);
    EXPECT_EQ(ecdf.x.front(), 0);
    EXPECT_EQ(ecdf.x.back(), 4999);
    EXPECT_DOUBLE_EQ(ecdf.share.back(), 1);
    EXPECT_TRUE(std::is_sorted(ecdf.share.begin(), ecdf.share.end()));
    EXPECT_TRUE(makeEcdf({}).x.empty());
}

} // namespace
} // namespace apertune::plots
