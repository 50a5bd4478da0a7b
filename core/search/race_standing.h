// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace apertune::search {

/// Standing of a race after some rounds. Each arm is compared with the leader round by round, so that drift cancels.
/// Arms are positions in the argument of raceStanding().
struct RaceStanding
{
    std::vector<std::size_t> ranked; ///< all arms, the leader first
    std::vector<double> behind;      ///< median log ratio to the leader, one value an arm
    double halfWidth = 0;            ///< half-width of the 95 % interval of these medians

    /// Whether the interval of the arm's log ratio lies above 0.
    bool surelyWorse(std::size_t arm) const { return arm != ranked.front() && behind[arm] > halfWidth; }
};

/// Compares the arms by `costs`, which has for each arm one block a round. The leader is the arm with the lowest
/// median. The half-width is 2·1.2533·s/√rounds with s = 1.4826·MAD, pooled over the arms behind the leader. Pure.
/// REQUIRES: at least one arm; all arms have the same number of rounds, at least one.
RaceStanding raceStanding(const std::vector<std::vector<double>>& costs);

} // namespace apertune::search
