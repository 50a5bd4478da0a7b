// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/search_space.h"
#include "core/search/searcher.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace apertune::search {

using Algorithm = model::SearchAlgorithm;

/// The algorithm of a study that names none. `mostPerDevice` is the largest number of configurations on one device;
/// `budget` is measuring time, 0 when unlimited.
///   - grid without a budget, because it measures every configuration;
///   - grid for up to kFewConfigurations, because a race takes as long as so many full measurements;
///   - but racing when the budget gives each of these less than kShareLeast and has time for a short race;
///   - racing for more configurations.
Algorithm suitable(std::size_t mostPerDevice, base::Nanoseconds budget);
inline constexpr std::size_t kFewConfigurations = 16;
inline constexpr base::Nanoseconds kShareLeast =
    base::fromSeconds(5); ///< with less time the interval of a configuration is too wide to be useful

/// Makes a searcher.
///   grid, random  see sequence.h
///   halving       see halving.h
///   racing        frontier racing, see racing.h
///   bisect        mixed-precision search, see bisect.h
std::unique_ptr<Searcher> makeSearcher(Algorithm algorithm, const SearchTask& task, std::uint64_t seed);

} // namespace apertune::search
