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

    /// Returns the configuration of lowest cost; nullopt when nothing was measured.
    std::optional<std::size_t> leader() const;
    double leaderCost() const;
    /// Returns the lowest cost among the configurations.
    double bestOf(const std::vector<std::size_t>& configurations) const;

    /// Divides the cost of each configuration by the lowest cost that any configuration with the same batch has, and
    /// returns the lowest ratio: 1 when one of them leads at its batch, infinite when none was measured.
    double behindAtSameBatch(const std::vector<std::size_t>& configurations) const;

    /// Returns the cost of the slowest group, each group taken at its best batch.
    double slowestCost() const;

    /// Returns the configuration that the first probe of a group is compared with.
    ///  - If the probe was at the largest batch of its group (`atEdge`): the leader.
    ///  - Otherwise: the best configuration of the leader's group whose batch is at most as large as that of the probe,
    ///    because a large batch would win by its size alone. nullopt where there is none.
    std::optional<std::size_t> rivalOf(std::size_t configuration, bool atEdge) const;

    /// Returns the configurations within 12 % of the leader, the best first: the arms of the race.
    std::vector<std::size_t> nearBest() const;

private:
    const SearchState& m_state;
};

} // namespace apertune::search
