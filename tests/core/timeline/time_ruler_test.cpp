// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/time_ruler.h"

#include <gtest/gtest.h>

namespace apertune::timeline {

TEST(TimeRuler, StepsAreRoundAndTextsCarryTheDigitsOfTheStep)
{
    EXPECT_EQ(niceStep(0.3), 1);
    EXPECT_EQ(niceStep(7), 10);
    EXPECT_EQ(niceStep(101), 200);
    EXPECT_EQ(niceStep(450'000), 500'000);
    EXPECT_EQ(timeText(1'302'000'000, 1'000'000), "1.302 s");
    EXPECT_EQ(timeText(350'000, 50'000), "350 µs");
    EXPECT_EQ(timeText(0, 500'000), "0 µs");
    EXPECT_EQ(timeText(12'500'000, 500'000), "12.5 ms");
    EXPECT_EQ(timeText(-2'000, 1'000), "-2 µs");
}

TEST(TimeWindow, ZoomKeepsTheAnchorAndClampingKeepsTheTraceInSight)
{
    const TimeWindow window{1000, 3000};
    const TimeWindow zoomed = zoomAt(window, 1500, 0.5);
    EXPECT_DOUBLE_EQ(zoomed.begin, 1250);
    EXPECT_DOUBLE_EQ(zoomed.end, 2250);
    const trace::TimeRange extent{0, 10'000};
    EXPECT_GE(clampWindow({-90'000, -80'000}, extent).end, 0);
    EXPECT_LE(clampWindow({-1e9, 1e9}, extent).length(), 12'000.1);
    EXPECT_DOUBLE_EQ(clampWindow({500, 501}, extent).length(), 100);
}

TEST(ZoomHistory, OneGestureIsOneStepAndGoingBackLosesNothingButWhatIsOverwritten)
{
    ZoomHistory history;
    history.visit({0, 100}, 0);
    history.visit({0, 50}, 1000);
    history.visit({0, 40}, 1100); // the same gesture
    history.visit({0, 10}, 5000);
    ASSERT_TRUE(history.canGoBack());
    EXPECT_EQ(history.back(), (TimeWindow{0, 40}));
    EXPECT_EQ(history.back(), (TimeWindow{0, 100}));
    EXPECT_FALSE(history.canGoBack());
    EXPECT_EQ(history.forward(), (TimeWindow{0, 40}));
    history.visit({5, 6}, 9000);
    EXPECT_FALSE(history.canGoForward());
    EXPECT_EQ(history.back(), (TimeWindow{0, 40}));
}

} // namespace apertune::timeline
