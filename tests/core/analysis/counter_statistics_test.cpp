// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counter_statistics.h"

#include <gtest/gtest.h>

namespace apertune::analysis {
namespace {

const std::vector<std::int64_t> kStart{100, 200, 300, 400};
const std::vector<std::int64_t> kValue{10, 30, 20, 60};

TEST(CounterStatistics, WeighEveryValueByHowLongItHolds)
{
    const auto s = counterStatistics(kStart, kValue, 150, 350);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->samples, 2);
    EXPECT_EQ(s->least, 10) << "it holds at the begin";
    EXPECT_EQ(s->most, 30);
    EXPECT_DOUBLE_EQ(s->mean, (10 * 50 + 30 * 100 + 20 * 50) / 200.0);
    EXPECT_EQ(s->first, 10);
    EXPECT_EQ(s->last, 20);
    EXPECT_EQ(s->growth(), 10);
}

TEST(CounterStatistics, BeginWithTheFirstSampleWhereNothingIsKnownBefore)
{
    const auto s = counterStatistics(kStart, kValue, 0, 500);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->samples, 4);
    EXPECT_DOUBLE_EQ(s->mean, (10 + 30 + 20 + 60) / 4.0) << "not of the 100 ns before the first";
    EXPECT_EQ(s->growth(), 50);
    const auto running = counterStatistics(kStart, kValue, 0, 500, 0);
    ASSERT_TRUE(running);
    EXPECT_DOUBLE_EQ(running->mean, (10 + 30 + 20 + 60) / 5.0);
    EXPECT_EQ(running->least, 0);
    EXPECT_EQ(running->growth(), 60);
}

TEST(CounterStatistics, ACounterThatWasZeroThroughoutHasNoColumn)
{
    const auto s = counterStatistics({100, 200}, {}, 0, 500);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->samples, 2);
    EXPECT_EQ(s->most, 0);
    EXPECT_EQ(s->mean, 0);
}

TEST(CounterStatistics, HoldBetweenSamplesAndNowhereWithoutAny)
{
    const auto between = counterStatistics(kStart, kValue, 310, 320);
    ASSERT_TRUE(between);
    EXPECT_EQ(between->samples, 0);
    EXPECT_EQ(between->mean, 20);
    EXPECT_EQ(between->least, 20);
    EXPECT_EQ(between->last, 20);
    EXPECT_FALSE(counterStatistics(kStart, kValue, 0, 100));
    EXPECT_FALSE(counterStatistics({}, {}, 0, 100));
    const auto after = counterStatistics(kStart, kValue, 900, 900);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->mean, 60) << "an instant";
}

TEST(CounterStatistics, ASampleAtTheBeginReplacesWhatHeldBefore)
{
    const auto s = counterStatistics(kStart, kValue, 400, 500);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->least, 60);
    EXPECT_EQ(s->mean, 60);
    EXPECT_EQ(s->growth(), 40) << "from what was held when the range began";
}

} // namespace
} // namespace apertune::analysis
