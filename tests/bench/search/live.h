// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"

#include <string>

namespace apertune::search::bench {

/// A search on a real machine beside brute force over the same configurations of it: two finished studies.
struct LiveComparison
{
    std::string best;               ///< by brute force
    std::string winner;             ///< recommended by the search
    double regret = 0;              ///< 1 − cost of the best / cost of the winner, both as brute force measured them
    std::size_t configurations = 0; ///< of both
    std::size_t measured = 0;       ///< by the search
    double measuring = 0; ///< blocks and warm-up that the trials keep, of brute force's: what the race took of a
                          ///< finalist before it was confirmed is in `wall` alone
    double wall = 0;      ///< from begin to end, of brute force's; to the second
};

/// Failures: invalidArgument (they have not the same configurations; the search recommends none, or one that brute
/// force has no measurement of).
base::Result<LiveComparison> compareLive(const model::StudySnapshot& brute, const model::StudySnapshot& searched);

} // namespace apertune::search::bench
