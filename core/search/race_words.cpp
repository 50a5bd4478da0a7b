// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/race_words.h"

#include "core/base/text.h"
#include "core/search/search_state.h"

#include <algorithm>

namespace apertune::search {

namespace {

/// What the configuration's best block made of the objective.
std::string figure(const SearchState& state, std::size_t configuration)
{
    const double cost = state.optimisticCost(configuration);
    switch (state.task().goal.objective) {
    case model::Objective::latency:
        return base::formatDuration({static_cast<std::int64_t>(cost)});
    case model::Objective::memory:
        return base::formatBytes({static_cast<std::int64_t>(cost)});
    case model::Objective::throughput:
        break;
    }
    return base::formatSignificant(1e9 / cost, 4) + " samples/s";
}

std::string withBatch(const SearchState& state, std::size_t configuration)
{
    return figure(state, configuration) + " with batch " +
           std::to_string(state.task().configurations[configuration].batch);
}

} // namespace

std::string whyFalling(const SearchState& state, const std::vector<std::size_t>& seen,
                       const std::vector<std::size_t>& group)
{
    const std::size_t best = *std::min_element(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
        return state.optimisticCost(a) < state.optimisticCost(b);
    });
    return "It went on getting worse: " + withBatch(state, best) + ", " + withBatch(state, seen[seen.size() - 2]) +
           ", " + withBatch(state, seen.back()) + ".";
}

std::string whyHopeless(const SearchState& state, const std::vector<std::size_t>& seen, std::size_t leader)
{
    const SearchTask& task = state.task();
    const std::string made = seen.size() == 1 ? "Its most promising batch made " + figure(state, seen[0])
                                              : "Its two most promising batches made " + figure(state, seen[0]) +
                                                    " and " + figure(state, seen[1]);
    return made + "; " + task.groups[task.configurations[leader].group].label + " makes " + withBatch(state, leader) +
           ".";
}

} // namespace apertune::search
