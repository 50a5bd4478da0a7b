// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace apertune::search {

class Notebook;

/// Who leads a race by what was measured so far. Costs are optimistic ones, ns a sample; infinite where nothing was
/// measured. Private to this folder.
class Leaderboard
{
public:
    /// `notes` must outlive this.
    explicit Leaderboard(const Notebook& notes) : m_notes(notes) {}

    std::optional<std::size_t> leader() const;
    double leaderCost() const;
    double bestOf(const std::vector<std::size_t>& cells) const;

    /// Of the families' bests the worst.
    double slowestCost() const;

    /// What a family whose first look that was is compared with: the leader, or, where a smaller batch would stand
    /// beside a larger one, what the leader's family made of one that is no larger; null where it has none.
    std::optional<std::size_t> rivalOf(std::size_t cell, bool atEdge) const;

    /// What is so near the leader that it races, the best first.
    std::vector<std::size_t> nearBest() const;

private:
    const Notebook& m_notes;
};

} // namespace apertune::search
