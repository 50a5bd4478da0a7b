// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace apertune::search {

/// How a race stands after some rounds, by the ratios of each arm to the leader of the same rounds, so that drift
/// cancels. Arms are positions in what raceStanding() was given.
struct RaceStanding
{
    std::vector<std::size_t> ranked; ///< all arms, the leader first
    std::vector<double> behind;      ///< of each arm: median of its log ratios to the leader
    double halfWidth = 0;            ///< of these medians, by the pooled robust spread (MAD)

    bool surelyWorse(std::size_t arm) const { return arm != ranked.front() && behind[arm] > halfWidth; }
};

/// `costs`: of each arm its blocks, one a round. Pure. REQUIRES: arms, all with the same number of rounds, at least
/// one.
RaceStanding raceStanding(const std::vector<std::vector<double>>& costs);

} // namespace apertune::search
