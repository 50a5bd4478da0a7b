// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/confirmation_plan.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace apertune::study {
namespace {

using base::Nanoseconds;

/// The course of a confirmation on a machine whose clock is a script.
struct Played
{
    std::vector<int> rounds; ///< number of rounds of each process
    Nanoseconds end{};

    int sum() const { return std::accumulate(rounds.begin(), rounds.end(), 0); }
};

worker::RunLimits usual()
{
    worker::RunLimits limits;
    limits.confirmProcesses = 5;
    limits.maxBlocks = 200;
    return limits;
}

/// Plays a confirmation: every process takes `opening`, and a round takes what `round` says at its time.
template <typename Round>
Played play(double limit, double opening, Round round, const worker::RunLimits& limits = usual(), double grace = 0)
{
    Played played;
    ConfirmationPlan plan(base::fromSeconds(limit), base::fromSeconds(grace), limits);
    Nanoseconds now{};
    do {
        now += base::fromSeconds(opening);
        plan.opened(now, base::fromSeconds(opening));
        played.rounds.push_back(0);
        while (plan.anotherRound(now, false)) {
            const Nanoseconds cost = base::fromSeconds(round(now.seconds()));
            now += cost;
            plan.roundEnded(cost);
            ++played.rounds.back();
        }
    } while (plan.anotherProcess(now));
    played.end = now;
    return played;
}

TEST(ConfirmationPlan, HasAsManyProcessesAsOpenInSixtyPercentOfTheTime)
{
    const Played played = play(20, 2, [](double) { return 0.1; });
    EXPECT_EQ(played.rounds.size(), 5u);
    EXPECT_GE(played.sum(), 40) << "the rest of the time is for rounds";
    EXPECT_LE(played.end.seconds(), 20);
}

TEST(ConfirmationPlan, GivesUpProcessesWhoseRoundsDoNotFit)
{
    EXPECT_EQ(play(10, 1, [](double) { return 0.1; }).rounds.size(), 5u);
    EXPECT_EQ(play(10, 1, [](double) { return 0.55; }).rounds.size(), 3u) << "5 of 2 rounds need 10.5 s";
    EXPECT_EQ(play(12, 1, [](double) { return 1; }).rounds.size(), 2u);
    const Played one = play(10, 1, [](double) { return 1.4; });
    EXPECT_EQ(one.rounds, (std::vector<int>{6})) << "two processes of three rounds need 10.4 s";
}

TEST(ConfirmationPlan, DoesNotKeepTimeForAProcessThatWaitingForAQuietMachineTookAway)
{
    ConfirmationPlan plan(base::fromSeconds(9.5), {}, usual());
    plan.opened(base::fromSeconds(2.6), base::fromSeconds(2.6));
    plan.waited(base::fromSeconds(2));
    Nanoseconds now = base::fromSeconds(4.6);
    int rounds = 0;
    for (; plan.anotherRound(now, false); ++rounds) {
        now += base::fromSeconds(0.53);
        plan.roundEnded(base::fromSeconds(0.53));
    }
    EXPECT_FALSE(plan.anotherProcess(now));
    EXPECT_GE(rounds, 6) << "an interval needs six";
    EXPECT_LE(now.seconds(), 9.5);
}

TEST(ConfirmationPlan, ExtendsByOneProcessWhereTheRestHasTimeForIt)
{
    worker::RunLimits limits = usual();
    limits.confirmProcesses = 2;
    ConfirmationPlan plan(base::fromSeconds(4), {}, limits);
    const Nanoseconds second = base::fromSeconds(1);
    const Nanoseconds round = base::fromSeconds(0.1);
    plan.opened(second, second);
    plan.roundEnded(round);
    plan.opened(base::fromSeconds(3), second);
    plan.roundEnded(round);
    const Nanoseconds now = base::fromSeconds(4);
    EXPECT_FALSE(plan.anotherProcess(now));
    EXPECT_FALSE(plan.extend(now, base::fromSeconds(5.2))) << "it needs 1 s to open and 5 rounds";
    ASSERT_TRUE(plan.extend(now, base::fromSeconds(10)));
    plan.opened(base::fromSeconds(5), second);
    int rounds = 0;
    for (; plan.anotherRound(base::fromSeconds(5) + Nanoseconds{rounds * round.count}, false); ++rounds)
        plan.roundEnded(round);
    EXPECT_GE(rounds, static_cast<int>(ConfirmationPlan::kFewestRounds));
    EXPECT_LE(rounds, 5);
}

TEST(ConfirmationPlan, EndsInTimeOnAMachineThatBecomesBusy)
{
    // Rounds became up to thirty times longer than the first ones.
    for (const double slow : {2.0, 5.0, 30.0})
        for (const double from : {0.0, 2.0, 4.0, 6.0, 8.0}) {
            const Played played = play(10, 1, [&](double now) { return now < from ? 0.1 : 0.1 * slow; });
            // One round may begin before it is known that rounds became long.
            EXPECT_LE(played.end.seconds(), 10 + 0.1 * slow) << slow << " times slower from " << from << " s on";
            EXPECT_GE(played.sum(), 3);
        }
    const Played busy = play(10, 1, [](double) { return 3.0; });
    EXPECT_EQ(busy.rounds, (std::vector<int>{3})) << "no round begins that does not end in time";
    EXPECT_EQ(busy.end, base::fromSeconds(10));
}

TEST(ConfirmationPlan, MeasuresTheRoundsOfAnIntervalBeforeASecondProcessWhereTimeIsShort)
{
    // Two processes of three rounds would fit by the cost of the first rounds, and then rounds take three times as
    // long.
    const Played played = play(10, 2, [](double now) { return now < 4 ? 0.5 : 1.2; });
    EXPECT_EQ(played.rounds.size(), 1u);
    EXPECT_GE(played.sum(), 6);
    EXPECT_LE(played.end.seconds(), 10);
}

TEST(ConfirmationPlan, GivesTheGraceToRoundsThatAnIntervalLacksAndToNoOthers)
{
    const auto round = [](double) { return 1.2; };
    EXPECT_EQ(play(8, 2, round).rounds, (std::vector<int>{5})) << "the sixth round would end at 9.2 s";
    EXPECT_EQ(play(8, 2, round, usual(), 1.5).rounds, (std::vector<int>{6}));
    EXPECT_EQ(play(8, 2, round, usual(), 5).rounds, (std::vector<int>{6})) << "six have an interval";
    EXPECT_EQ(play(8, 2, round, usual(), 1).rounds, (std::vector<int>{5})) << "the grace is a limit as well";
}

TEST(ConfirmationPlan, UsesTheTimeThatProcessesDoNotNeed)
{
    worker::RunLimits limits = usual();
    limits.maxBlocks = 12;
    limits.confirmProcesses = 3;
    const Played played = play(
        60, 1, [](double) { return 0.01; }, limits);
    EXPECT_EQ(played.rounds, (std::vector<int>{4, 4, 4}));
}

TEST(ConfirmationPlan, EndsAProcessWhoseIntervalsAreNarrowEnough)
{
    ConfirmationPlan plan(base::fromSeconds(30), {}, usual());
    plan.opened(base::fromSeconds(1), base::fromSeconds(1));
    int rounds = 0;
    while (plan.anotherRound(base::fromSeconds(1.2), true)) {
        plan.roundEnded(base::fromSeconds(0.01));
        ++rounds;
    }
    EXPECT_EQ(plan.processes(), 5);
    EXPECT_EQ(rounds, 4) << "twice the share of ten rounds";
}

TEST(ConfirmationPlan, HasTimeForMoreProcessesWhenTrialsWereLeftOut)
{
    ConfirmationPlan plan(base::fromSeconds(10), {}, usual());
    plan.opened(base::fromSeconds(4), base::fromSeconds(4));
    plan.roundEnded(base::fromSeconds(0.8));
    EXPECT_EQ(plan.processes(), 1);
    plan.setCosts(base::fromSeconds(2), base::fromSeconds(0.4));
    EXPECT_EQ(plan.processes(), 2);
}

} // namespace
} // namespace apertune::study
