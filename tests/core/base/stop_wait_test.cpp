// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/stop_wait.h"

#include <gtest/gtest.h>

#include <thread>

namespace apertune::base::test {

TEST(StopWait, EndsWithoutAStopWhenTheTimeHasPassed)
{
    const std::stop_source source;
    const Nanoseconds begin = monotonicNow();
    EXPECT_FALSE(waitForStop(source.get_token(), fromMilliseconds(20)));
    EXPECT_GE(monotonicNow() - begin, fromMilliseconds(20));
    EXPECT_FALSE(waitForStop(source.get_token(), {}));
    EXPECT_FALSE(waitForStop(source.get_token(), fromSeconds(-1)));
}

TEST(StopWait, AStopEndsAWaitOfAnHour)
{
    std::stop_source source;
    const std::jthread stopper([&source] { source.request_stop(); });
    EXPECT_TRUE(waitForStop(source.get_token(), fromSeconds(3600)));
    EXPECT_TRUE(waitForStop(source.get_token(), {})) << "the stop came before the wait";
}

} // namespace apertune::base::test
