// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/race_standing.h"

#include "core/stats/block_stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apertune::search {

namespace {

/// Least relative spread of a block: the MAD of few rounds is too small, and a quiet machine shows 0.5 %.
constexpr double kLeastSpread = 0.005;

} // namespace

RaceStanding raceStanding(const std::vector<std::vector<double>>& costs)
{
    std::vector<double> medians;
    for (const std::vector<double>& arm : costs)
        medians.push_back(stats::median(arm));
    const auto leader = static_cast<std::size_t>(std::min_element(medians.begin(), medians.end()) - medians.begin());
    RaceStanding standing;
    std::vector<double> deviations;
    for (std::size_t arm = 0; arm < costs.size(); ++arm) {
        std::vector<double> logs;
        for (std::size_t round = 0; round < costs[arm].size(); ++round)
            logs.push_back(std::log(costs[arm][round] / costs[leader][round]));
        const double centre = stats::median(logs);
        standing.behind.push_back(centre);
        for (const double value : logs)
            if (arm != leader && std::isfinite(value - centre))
                deviations.push_back(std::abs(value - centre));
    }
    // 1.4826 turns a MAD into a standard deviation, 1.2533 is the standard error of a median over that of a mean (both
    // for normal noise), and 2 standard errors are a 95 % interval.
    const double spread = deviations.empty() ? 0 : std::max(kLeastSpread, 1.4826 * stats::median(deviations));
    standing.halfWidth = 2 * 1.2533 * spread / std::sqrt(static_cast<double>(costs[leader].size()));
    standing.ranked.resize(costs.size());
    std::iota(standing.ranked.begin(), standing.ranked.end(), std::size_t{0});
    std::swap(standing.ranked.front(), standing.ranked[leader]);
    std::stable_sort(standing.ranked.begin() + 1, standing.ranked.end(),
                     [&](std::size_t a, std::size_t b) { return standing.behind[a] < standing.behind[b]; });
    return standing;
}

} // namespace apertune::search
