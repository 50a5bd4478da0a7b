// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/algorithm.h"

#include "core/search/bisect.h"
#include "core/search/halving.h"
#include "core/search/racing.h"
#include "core/search/sequence.h"

namespace apertune::search {

Algorithm suitable(std::size_t mostPerDevice, base::Nanoseconds budget)
{
    if (budget.count <= 0)
        return Algorithm::grid;
    const double configurations = static_cast<double>(mostPerDevice);
    constexpr double kProbeSeconds = 0.5; // seconds that one probe takes
    const bool tight = budget.seconds() < configurations * kShareLeast.seconds();
    const bool roomToRace = budget.seconds() >= configurations * kProbeSeconds + 2 * kFullBlocks * kFullBlock.seconds();
    return mostPerDevice > kFewConfigurations || (tight && roomToRace) ? Algorithm::racing : Algorithm::grid;
}

std::unique_ptr<Searcher> makeSearcher(Algorithm algorithm, const SearchTask& task, std::uint64_t seed)
{
    switch (algorithm) {
    case Algorithm::racing:
        return makeRacing(task, seed);
    case Algorithm::halving:
        return makeHalving(task, seed);
    case Algorithm::bisect:
        return makeBisect(task, seed);
    case Algorithm::random:
        return makeSequence(task, seed, true);
    case Algorithm::grid:
        break;
    }
    return makeSequence(task, seed, false);
}

} // namespace apertune::search
