// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

#include <cstddef>
#include <map>
#include <vector>

namespace apertune::search {

class SearchState;

/// The final, interleaved rounds of a race. Each round measures one block of every finalist, so the blocks of a round
/// are compared in pairs and drift of the machine cancels. Private to this folder. One thread.
class FinalRounds
{
public:
    /// `state` knows the goal and must outlive this.
    explicit FinalRounds(const SearchState& state) : m_state(state) {}

    /// Appends blocks of `configuration`: nanoseconds a pass, one value a block.
    void add(std::size_t configuration, const std::vector<double>& passNs);

    /// Removes the finalists that are surely slower than the best one: the interval of the paired ratio lies above 1.
    /// REQUIRES: every finalist has the same number of blocks.
    void dropBeaten(std::vector<std::size_t>& finalists) const;

    /// Sorts by median cost, the best first; finalists that break a bound of the goal come last. Returns false and
    /// leaves the order as it was when a finalist has no block.
    bool rank(std::vector<std::size_t>& finalists) const;

    /// Cost of `configuration` divided by cost of `other`, over the rounds that both took part in.
    /// REQUIRES: both have blocks.
    model::Interval ratio(std::size_t configuration, std::size_t other) const;

private:
    std::vector<double> costs(std::size_t configuration) const;
    bool isAllowed(std::size_t configuration) const;

    const SearchState& m_state;
    std::map<std::size_t, std::vector<double>> m_passNs;
};

} // namespace apertune::search
