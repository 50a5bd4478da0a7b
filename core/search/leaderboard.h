// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace apertune::search {

class SearchState;

/// Ranking of a race's configurations by the measurements so far. Costs are those of SearchState::optimisticCost():
/// smaller is better, and infinite where nothing was measured. Private to this folder. One thread.
class Leaderboard
{
public:
    /// `state` must outlive this.
    explicit Leaderboard(const SearchState& state) : m_state(state) {}

    std::optional<std::size_t> leader() const; ///< cheapest configuration; nullopt when nothing was measured
    double leaderCost() const;
    double bestOf(const std::vector<std::size_t>& configurations) const; ///< lowest cost among them

    /// The lowest ratio of a configuration's cost to the lowest cost measured with the same batch, over
    /// `configurations`: 1 when one of them leads at its batch, infinite when none was measured.
    double behindAtSameBatch(const std::vector<std::size_t>& configurations) const;

    /// The highest of the groups' lowest costs: the cost of the slowest group at its best batch.
    double slowestCost() const;

    /// The configuration that a group's first probe is compared with. It is the leader when the probe was at the
    /// group's largest batch (`atEdge`). Otherwise it is the best of the leader's group with no larger batch, so that a
    /// small batch is not judged by a large one; nullopt where there is none.
    std::optional<std::size_t> rivalOf(std::size_t configuration, bool atEdge) const;

    /// Configurations within 12 % of the leader, the best first: the arms of the race.
    std::vector<std::size_t> nearBest() const;

private:
    const SearchState& m_state;
};

} // namespace apertune::search
