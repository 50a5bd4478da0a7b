// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_ticks.h"

#include <gmock/gmock.h>

namespace apertune::plots {
namespace {

using ::testing::Pointwise;

MATCHER(Near, "")
{
    return std::abs(std::get<0>(arg) - std::get<1>(arg)) < 1e-9 * std::max(1.0, std::abs(std::get<1>(arg)));
}

TEST(ChartTicks, LinearTicksAreRoundAndInside)
{
    EXPECT_THAT(linearTicks({0, 205}, 6), Pointwise(Near(), std::vector<double>{0, 50, 100, 150, 200}));
    EXPECT_THAT(linearTicks({0.1, 0.42}, 4), Pointwise(Near(), std::vector<double>{0.1, 0.2, 0.3, 0.4}));
    EXPECT_THAT(linearTicks({-3, 3}, 3), Pointwise(Near(), std::vector<double>{-2, 0, 2}));
}

TEST(ChartTicks, AnEmptyRangeHasNoTicks)
{
    EXPECT_TRUE(linearTicks({5, 5}, 4).empty());
    EXPECT_TRUE(logTicks({0, 10}, 4).empty());
    EXPECT_TRUE(logTicks({-1, 10}, 4).empty());
}

TEST(ChartTicks, LogTicksStepByOneTwoFive)
{
    EXPECT_THAT(logTicks({4, 300}, 10), Pointwise(Near(), std::vector<double>{5, 10, 20, 50, 100, 200}));
}

TEST(ChartTicks, ManyDecadesKeepOnlyTheDecades)
{
    EXPECT_THAT(logTicks({0.5, 2e6}, 10), Pointwise(Near(), std::vector<double>{1, 10, 100, 1e3, 1e4, 1e5, 1e6}));
}

TEST(ChartTicks, ANarrowLogRangeStillHasAtLeastThree)
{
    EXPECT_GE(logTicks({20, 31}, 10).size(), 3u);
    EXPECT_GE(logTicks({20, 23}, 10).size(), 3u);
}

TEST(ChartTicks, EveryTickLiesInsideItsRange)
{
    for (double lo = 0.003; lo < 4000; lo *= 1.7) {
        for (double factor = 1.05; factor < 1e5; factor *= 2.3) {
            const AxisRange range{lo, lo * factor};
            for (const double tick : logTicks(range, 8)) {
                EXPECT_GE(tick, range.lo * (1 - 1e-6));
                EXPECT_LE(tick, range.hi * (1 + 1e-6));
            }
            EXPECT_LE(linearTicks(range, 6).size(), 7u);
        }
    }
}

TEST(ChartTicks, RangesLeaveRoomAroundTheValues)
{
    const AxisRange fromZero = linearRange(0, 200, true, 0.1);
    EXPECT_EQ(fromZero.lo, 0);
    EXPECT_DOUBLE_EQ(fromZero.hi, 220);
    const AxisRange log = logRange(1, 100, 0.1);
    EXPECT_LT(log.lo, 1);
    EXPECT_GT(log.hi, 100);
    const AxisRange single = linearRange(5, 5, false);
    EXPECT_LT(single.lo, 5);
    EXPECT_GT(single.hi, 5);
    const AxisRange one = logRange(7, 7);
    EXPECT_LT(one.lo, 7);
    EXPECT_GT(one.hi, 7);
}

} // namespace
} // namespace apertune::plots
