// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>
#include <limits>
#include <set>

namespace apertune::base::test {

struct ATag;

TEST(Clock, MonotonicTimeNeverGoesBackAndCountsNanoseconds)
{
    Nanoseconds before = monotonicNow();
    for (int i = 0; i < 100'000; ++i) {
        const Nanoseconds now = monotonicNow();
        ASSERT_GE(now, before);
        before = now;
    }
    const Nanoseconds begin = monotonicNow();
    ::usleep(20'000);
    EXPECT_GE((monotonicNow() - begin).count, 20'000'000);
}

TEST(Clock, ProcessTimeStandsStillWhileWeSleep)
{
    const Nanoseconds begin = processCpuTime();
    ::usleep(200'000);
    EXPECT_LT((processCpuTime() - begin).count, 100'000'000);
    volatile double sink = 0;
    const Nanoseconds deadline = processCpuTime() + fromMilliseconds(5);
    while (processCpuTime() < deadline)
        sink = sink + 1;
    EXPECT_GT(sink, 0);
}

TEST(Clock, UtcIsALabelInIsoForm)
{
    const std::string text = utcNow();
    std::tm parsed{};
    const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parsed);
    ASSERT_NE(end, nullptr) << text;
    EXPECT_EQ(*end, '\0');
    EXPECT_LE(std::abs(std::difftime(std::time(nullptr), ::timegm(&parsed))), 60);
}

TEST(Units, AddCompareAndConvert)
{
    EXPECT_EQ((Nanoseconds{3} + Nanoseconds{4} - Nanoseconds{2}).count, 5);
    EXPECT_LT(Bytes{1}, Bytes{2});
    EXPECT_EQ((Bytes{5} - Bytes{7}).count, -2);
    EXPECT_DOUBLE_EQ(Nanoseconds{1'500'000'000}.seconds(), 1.5);
    EXPECT_DOUBLE_EQ(Nanoseconds{1'500'000}.milliseconds(), 1.5);
    // Rounded, not cut: 1.001 is a little less than its decimal value.
    EXPECT_EQ(fromSeconds(1.001).count, 1'001'000'000);
    EXPECT_EQ(fromSeconds(-1.001).count, -1'001'000'000);
    EXPECT_EQ(fromMilliseconds(0.29).count, 290'000);
    int wrong = 0;
    for (int us = 0; us < 5'000'000; us += 7)
        wrong += fromSeconds(us / 1e6).count != std::int64_t{us} * 1000;
    EXPECT_EQ(wrong, 0);
}

TEST(Units, ATimeThatIsTooLongIsTheLongest)
{
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(fromSeconds(1e300).count, 9'200'000'000'000'000'000);
    EXPECT_EQ(fromSeconds(kInfinite), fromSeconds(1e300));
    EXPECT_EQ(fromMilliseconds(-kInfinite).count, -9'200'000'000'000'000'000);
    EXPECT_EQ(fromSeconds(std::numeric_limits<double>::quiet_NaN()).count, 0);
}

TEST(Units, IdsAreFalseUntilStored)
{
    EXPECT_FALSE(StrongId<ATag>{});
    EXPECT_TRUE(StrongId<ATag>{3});
    EXPECT_LT(StrongId<ATag>{3}, StrongId<ATag>{4});
}

} // namespace apertune::base::test
