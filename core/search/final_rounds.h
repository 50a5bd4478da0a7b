// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

#include <cstddef>
#include <map>
#include <vector>

namespace apertune::search {

class SearchState;

/// The last, interleaved measurement of a race: every finalist one turn after the other, so that equal turns were
/// taken beside each other and are compared in pairs. Private to this folder.
class FinalRounds
{
public:
    /// `state` knows the goal and must outlive this.
    explicit FinalRounds(const SearchState& state) : m_state(state) {}

    void add(std::size_t configuration, const std::vector<double>& passNs);

    /// Takes out of `finalists` what has surely lost to the best of them: the interval of the paired ratio is clear
    /// of 1. REQUIRES: equally many turns of each.
    void dropBeaten(std::vector<std::size_t>& finalists) const;

    /// Sorts the best first, what no longer keeps the goal's bounds last; false, and as it was, when one had no turn.
    bool rank(std::vector<std::size_t>& finalists) const;

    /// Cost of `configuration` over that of `other`, over the turns that both had.
    model::Interval ratio(std::size_t configuration, std::size_t other) const;

private:
    std::vector<double> costs(std::size_t configuration) const;
    bool isAllowed(std::size_t configuration) const;

    const SearchState& m_state;
    std::map<std::size_t, std::vector<double>> m_passNs;
};

} // namespace apertune::search
