// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace apertune::search {

class SearchState;

/// Who leads a race by what was measured so far. Costs are optimistic ones, ns a sample; infinite where nothing was
/// measured. Private to this folder.
class Leaderboard
{
public:
    /// `state` must outlive this.
    explicit Leaderboard(const SearchState& state) : m_state(state) {}

    std::optional<std::size_t> leader() const;
    double leaderCost() const;
    double bestOf(const std::vector<std::size_t>& configurations) const;

    /// Of the groups' bests the worst.
    double slowestCost() const;

    /// What a group whose first look that was is compared with: the leader, or, where a smaller batch would stand
    /// beside a larger one, what the leader's group made of one that is no larger; null where it has none.
    std::optional<std::size_t> rivalOf(std::size_t configuration, bool atEdge) const;

    /// What is so near the leader that it races, the best first.
    std::vector<std::size_t> nearBest() const;

private:
    const SearchState& m_state;
};

} // namespace apertune::search
