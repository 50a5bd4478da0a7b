// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/searcher.h"

#include <cstddef>
#include <set>
#include <vector>

namespace apertune::search {

class SearchState;

constexpr base::Nanoseconds kRaceBlock = base::fromMilliseconds(200); ///< of a configuration in a round of the race
constexpr int kRoundsLeast = 5;

/// What a race spends of its budgets on what. Times are of measuring, which is counted from the race's beginning,
/// where no other is named. Private to this folder.
class RaceBudget
{
public:
    /// `state` knows the task and what was spent; must outlive this.
    explicit RaceBudget(const SearchState& state) : m_state(state) {}

    /// A probe has been answered: keeps what opening the configurations took that needed no compiling.
    void count(const Probe& probe, const ProbeResult& result);

    /// What the race and the last turns will still take, about: a third of the budget at most.
    base::Nanoseconds reserve() const;

    /// What each finalist's last turns take together: the full protocol, a sixth of the budget at most.
    base::Nanoseconds lastTime() const;

    /// What a walk that begins at that time may take, with so many groups to come. REQUIRES: there is a budget.
    base::Nanoseconds share(base::Nanoseconds begin, std::ptrdiff_t toCome) const;

    /// Whether the walk that began at that time has used its share; never without a budget.
    bool shareSpent(base::Nanoseconds begin, std::ptrdiff_t toCome) const;

    /// Whether a look at the configuration fits that time; `cost`: ns a sample, infinite while nothing is known, then
    /// it does not.
    bool probeFits(std::size_t configuration, base::Nanoseconds time, double cost) const;

    /// Puts the largest batch whose look fits that time, or the smallest, at the end of the ladder (configurations of
    /// one group, the largest batch last), where the walk goes on.
    void startWithin(base::Nanoseconds time, double cost, std::vector<std::size_t>& batches) const;

    /// Whether second looks took what is theirs of the time, or of a budget that the race still needs. `walks`: wall
    /// time that the walks took.
    bool secondProbeEnds(base::Nanoseconds batchSearches) const;

private:
    base::Nanoseconds reserveWall() const; ///< the reserve with opening what races again

    const SearchState& m_state;
    std::set<std::size_t> m_opened; ///< configurations of groups that need no compiling
    base::Nanoseconds m_opening{};  ///< wall time that that took
};

} // namespace apertune::search
