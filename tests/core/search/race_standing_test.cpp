// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/race_standing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace apertune::search {
namespace {

TEST(RaceStanding, RanksByTheRatiosToTheLeaderSoThatDriftCancels)
{
    // Each round is slower than the one before by half: alone, the arms' blocks overlap widely.
    std::vector<std::vector<double>> costs(3);
    for (int round = 0; round < 5; ++round) {
        const double drift = std::pow(1.5, round);
        costs[0].push_back(1.10 * drift);
        costs[1].push_back(1.00 * drift);
        costs[2].push_back(1.02 * drift);
    }
    const RaceStanding standing = raceStanding(costs);
    EXPECT_EQ(standing.ranked, (std::vector<std::size_t>{1, 2, 0}));
    EXPECT_NEAR(standing.behind[0], std::log(1.10), 1e-12);
    EXPECT_TRUE(standing.surelyWorse(0));
    EXPECT_TRUE(standing.surelyWorse(2));
    EXPECT_FALSE(standing.surelyWorse(1)) << "the leader";
}

TEST(RaceStanding, WhatTheRoundsDisagreeOnIsNotSurelyWorse)
{
    const RaceStanding standing = raceStanding({{1.0, 1.0, 1.0, 1.0, 1.0}, {0.9, 1.2, 1.02, 0.95, 1.1}});
    EXPECT_EQ(standing.ranked.front(), 0u);
    EXPECT_GT(standing.behind[1], 0);
    EXPECT_FALSE(standing.surelyWorse(1));
}

} // namespace
} // namespace apertune::search
