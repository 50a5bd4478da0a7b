// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/conversion_scale.h"
#include "core/search/searcher.h"

#include <cstddef>
#include <set>
#include <vector>

namespace apertune::search {

class SearchState;

inline constexpr base::Nanoseconds kRaceBlock =
    base::fromMilliseconds(200);       ///< length of one block in a round of the race
inline constexpr int kRoundsLeast = 5; ///< rounds before a configuration may leave the race

/// Divides the budgets of a race between its stages. Unless a comment says wall time, times are measuring time (blocks
/// and warm-up), counted from the start of the search. Private to this folder. One thread.
class RaceBudget
{
public:
    /// `state` provides the task and the time spent; it must outlive this object.
    explicit RaceBudget(const SearchState& state) : m_state(state) {}

    /// Notes an answered probe. From the groups that need no compiling it learns how long opening takes, and from
    /// conversions and compilations how far their expected times are off.
    void count(const Probe& probe, const ProbeResult& result);

    /// Expected wall time of the first probe of an engine: converting the model, which takes `convert` on a machine
    /// that is not busy, and loading it.
    base::Nanoseconds firstProbe(base::Nanoseconds convert) const;

    /// Expected wall time of a compilation that was expected to take `compile` before the search.
    base::Nanoseconds compilation(base::Nanoseconds compile) const { return m_compilations.of(compile); }

    /// Approximate time of the race and the final rounds; at most a third of the measuring budget.
    base::Nanoseconds reserve() const;

    /// Time of one finalist in all final rounds: the full protocol, at most a sixth of the measuring budget.
    base::Nanoseconds finalistTime() const;

    /// Time that a batch search may take which began at `begin` (measuring time) with `remaining` further ones waiting.
    /// REQUIRES: the task has a measuring budget.
    base::Nanoseconds share(base::Nanoseconds begin, std::ptrdiff_t remaining) const;

    /// Whether the batch search that began at `begin` has used its share; false without a measuring budget.
    bool shareSpent(base::Nanoseconds begin, std::ptrdiff_t remaining) const;

    /// Whether a probe of the configuration fits into `time`. `cost` is in ns a sample; when it is infinite (nothing
    /// is known), the answer is no.
    bool probeFits(std::size_t configuration, base::Nanoseconds time, double cost) const;

    /// Moves the largest batch whose probe fits into `time`, else the smallest, to the end of `batches`, because a
    /// batch search continues there.
    /// REQUIRES: `batches` is not empty and has configurations of one group, batches ascending.
    void startWithin(base::Nanoseconds time, double cost, std::vector<std::size_t>& batches) const;

    /// Whether the rescue pass has to end: it took kRescueShare of the time of the batch searches (`batchSearches`,
    /// wall time), or the race needs the rest of a budget.
    bool rescueEnds(base::Nanoseconds batchSearches) const;

private:
    base::Nanoseconds reserveWall() const; ///< wall time of the reserve, with opening the racing configurations again

    const SearchState& m_state;
    std::set<std::size_t> m_opened; ///< opened configurations of groups that need no compiling
    base::Nanoseconds m_opening{};  ///< wall time of opening these
    ConversionScale m_conversions;
    ConversionScale m_compilations;
};

} // namespace apertune::search
