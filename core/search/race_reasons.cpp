// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/race_reasons.h"

#include "core/search/reasons.h"
#include "core/search/search_state.h"

#include <algorithm>

namespace apertune::search {

namespace {

/// Value of the objective in the configuration's fastest block, with its unit.
base::Argument::Value figure(const SearchState& state, std::size_t configuration)
{
    const double cost = state.optimisticCost(configuration);
    switch (state.task().goal.objective) {
    case model::Objective::latency:
        return base::Nanoseconds{static_cast<std::int64_t>(cost)};
    case model::Objective::memory:
        return base::Bytes{static_cast<std::int64_t>(cost)};
    case model::Objective::energy: // ranked by time, see SearchState::costOf()
    case model::Objective::throughput:
        break;
    }
    return base::SamplesPerSecond{1e9 / cost};
}

int batchOf(const SearchState& state, std::size_t configuration)
{
    return state.task().configurations[configuration].batch;
}

} // namespace

base::Message gettingWorseMessage(const SearchState& state, const std::vector<std::size_t>& measured,
                                  const std::vector<std::size_t>& group)
{
    const std::size_t best = *std::min_element(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
        return state.optimisticCost(a) < state.optimisticCost(b);
    });
    const std::size_t before = measured[measured.size() - 2];
    const std::size_t last = measured.back();
    return base::message<reasons::kGettingWorse>(figure(state, best), batchOf(state, best), figure(state, before),
                                                 batchOf(state, before), figure(state, last), batchOf(state, last));
}

base::Message farBehindMessage(const SearchState& state, const std::vector<std::size_t>& measured, std::size_t leader)
{
    const SearchTask& task = state.task();
    const std::string& name = task.groups[task.configurations[leader].group].label;
    if (measured.size() == 1)
        return base::message<reasons::kFarBehind>(figure(state, measured[0]), name, figure(state, leader),
                                                  batchOf(state, leader));
    return base::message<reasons::kBehind>(figure(state, measured[0]), figure(state, measured[1]), name,
                                           figure(state, leader), batchOf(state, leader));
}

} // namespace apertune::search
