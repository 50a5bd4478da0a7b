// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/quiet_wait.h"

#include <gtest/gtest.h>

namespace apertune::study {
namespace {

using base::Nanoseconds;

/// A machine on which other programs compute until a moment.
struct ScriptedMachine
{
    Nanoseconds time{};
    Nanoseconds busyUntil{};
    bool isKnown = true;

    QuietWait::Machine machine()
    {
        QuietWait::Machine machine;
        machine.runnable = [this]() -> std::optional<int> {
            return isKnown ? std::optional(time < busyUntil ? 2 : 0) : std::nullopt;
        };
        machine.now = [this] { return time; };
        machine.sleep = [this](Nanoseconds pause) { time += pause; };
        return machine;
    }
};

TEST(QuietWait, ReturnsAtOnceOnAQuietMachine)
{
    ScriptedMachine script;
    QuietWait quiet(base::fromSeconds(10), script.machine());
    bool waited = false;
    EXPECT_TRUE(quiet.wait({}, [&] { waited = true; }));
    EXPECT_FALSE(waited);
    EXPECT_LE(script.time, QuietWait::kSamplingTime);
    EXPECT_EQ(quiet.left(), base::fromSeconds(10));
}

TEST(QuietWait, OthersComputeWhereMostLooksFindThem)
{
    ScriptedMachine quiet;
    EXPECT_FALSE(othersCompute(quiet.machine()));
    EXPECT_LE(quiet.time, base::fromSeconds(0.6));
    ScriptedMachine brief;
    brief.busyUntil = base::fromMilliseconds(120);
    EXPECT_FALSE(othersCompute(brief.machine())) << "one program that ends";
    ScriptedMachine busy;
    busy.busyUntil = base::fromSeconds(1000);
    EXPECT_TRUE(othersCompute(busy.machine()));
    ScriptedMachine silent;
    silent.isKnown = false;
    silent.busyUntil = base::fromSeconds(1000);
    EXPECT_FALSE(othersCompute(silent.machine()));
}

TEST(QuietWait, WaitsUntilOtherProgramsAreDone)
{
    ScriptedMachine script;
    script.busyUntil = base::fromSeconds(3);
    QuietWait quiet(base::fromSeconds(10), script.machine());
    int waits = 0;
    EXPECT_TRUE(quiet.wait({}, [&] { ++waits; }));
    EXPECT_EQ(waits, 1);
    EXPECT_GE(script.time, base::fromSeconds(3));
    EXPECT_LE(script.time, base::fromSeconds(4));
    EXPECT_NEAR(quiet.left().seconds(), 10 - script.time.seconds(), 0.01);
}

TEST(QuietWait, WaitsNoLongerThanItsAllowanceInAll)
{
    ScriptedMachine script;
    script.busyUntil = base::fromSeconds(1000);
    QuietWait quiet(base::fromSeconds(2), script.machine());
    EXPECT_FALSE(quiet.wait({}));
    EXPECT_NEAR(script.time.seconds(), 2, 0.5);
    const Nanoseconds before = script.time;
    EXPECT_FALSE(quiet.wait({})) << "it looks once more, and does not wait";
    EXPECT_LE(script.time - before, QuietWait::kSamplingTime);
}

TEST(QuietWait, DoesNotWaitWhereTheSystemDoesNotTell)
{
    ScriptedMachine script;
    script.isKnown = false;
    script.busyUntil = base::fromSeconds(1000);
    QuietWait quiet(base::fromSeconds(2), script.machine());
    EXPECT_TRUE(quiet.wait({}));
    EXPECT_EQ(script.time.count, 0);
}

TEST(QuietWait, PaysForRepeatedMeasurementsOutOfTheSameAllowance)
{
    ScriptedMachine script;
    QuietWait quiet(base::fromSeconds(2), script.machine());
    EXPECT_TRUE(quiet.spend(base::fromSeconds(1.5)));
    EXPECT_FALSE(quiet.spend(base::fromSeconds(1.5)));
    EXPECT_EQ(quiet.left().count, 0);
}

TEST(QuietWait, IsAllowedAShareOfTheBudgetAndNothingWithoutOne)
{
    worker::RunLimits limits;
    limits.quietShare = 0.2;
    EXPECT_EQ(quietAllowance(base::fromSeconds(60), limits), base::fromSeconds(12));
    EXPECT_EQ(quietAllowance(std::nullopt, limits).count, 0);
}

TEST(QuietWait, TheKernelToldOfAtLeastNoNegativeNumberOfThreads)
{
    const auto runnable = runnableThreads();
    ASSERT_TRUE(runnable) << "every Linux tells";
    EXPECT_GE(*runnable, 0);
    EXPECT_FALSE(runnableThreads("/nonexistent"));
}

} // namespace
} // namespace apertune::study
