// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"

#include <string>

namespace apertune::search::bench {

/// A search on a real machine beside brute force over the same configurations of it: two finished studies.
struct LiveComparison
{
    std::string best;               ///< best configuration in the study of brute force
    std::string winner;             ///< configuration that the search recommends
    double regret = 0;              ///< 1 − cost of the best / cost of the winner, both as brute force measured them
    std::size_t configurations = 0; ///< number of configurations of either study
    std::size_t measured = 0;       ///< number of configurations that the search measured
    /// The time of the blocks and the warm-up that the trials keep, as a share of brute force's. What the race took of
    /// a finalist before it was confirmed is in `wall` alone.
    double measuring = 0;
    double wall = 0; ///< time from begin to end as a share of brute force's, to the second
};

/// Failures: invalidArgument (they have not the same configurations; the search recommends none, or one that brute
/// force has no measurement of).
base::Result<LiveComparison> compareLive(const model::StudySnapshot& brute, const model::StudySnapshot& searched);

} // namespace apertune::search::bench
