// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/leaderboard.h"

#include "core/search/search_state.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::search {

namespace {

constexpr double kRaceMargin = 0.12; ///< relative distance to the leader within which a configuration races

} // namespace

std::optional<std::size_t> Leaderboard::leader() const
{
    std::optional<std::size_t> best;
    for (std::size_t configuration = 0; configuration < m_state.size(); ++configuration)
        if (const double cost = m_state.optimisticCost(configuration);
            std::isfinite(cost) && (!best || cost < m_state.optimisticCost(*best)))
            best = configuration;
    return best;
}

std::optional<std::size_t> Leaderboard::rivalOf(std::size_t configuration, bool atEdge) const
{
    const auto& configurations = m_state.task().configurations;
    const auto best = leader();
    // At the memory edge a group shows its best, so it is compared with the best of all.
    if (!best || atEdge)
        return best;
    std::optional<std::size_t> rival;
    for (std::size_t other = 0; other < m_state.size(); ++other)
        if (configurations[other].group == configurations[*best].group &&
            // Elsewhere only batches that are no larger are a fair comparison, because throughput grows with the batch.
            configurations[other].batch <= configurations[configuration].batch &&
            std::isfinite(m_state.optimisticCost(other)) &&
            (!rival || m_state.optimisticCost(other) < m_state.optimisticCost(*rival)))
            rival = other;
    return rival;
}

double Leaderboard::leaderCost() const
{
    const auto configuration = leader();
    return configuration ? m_state.optimisticCost(*configuration) : INFINITY;
}

double Leaderboard::slowestCost() const
{
    std::map<std::size_t, double> best; // lowest cost by group
    for (std::size_t configuration = 0; configuration < m_state.size(); ++configuration)
        if (const double cost = m_state.optimisticCost(configuration); std::isfinite(cost)) {
            const auto [at, first] = best.emplace(m_state.task().configurations[configuration].group, cost);
            at->second = std::min(at->second, cost);
        }
    double slowest = 0;
    for (const auto& [group, cost] : best)
        slowest = std::max(slowest, cost);
    // Without any measurement nothing can be excluded.
    return best.empty() ? INFINITY : slowest;
}

double Leaderboard::bestOf(const std::vector<std::size_t>& configurations) const
{
    double least = INFINITY;
    for (const std::size_t configuration : configurations)
        least = std::min(least, m_state.optimisticCost(configuration));
    return least;
}

double Leaderboard::behindAtSameBatch(const std::vector<std::size_t>& configurations) const
{
    const auto& all = m_state.task().configurations;
    double least = INFINITY;
    for (const std::size_t configuration : configurations) {
        double best = INFINITY;
        for (std::size_t other = 0; other < m_state.size(); ++other)
            // A group that was measured at the smallest batch alone is compared there.
            if (all[other].batch == all[configuration].batch)
                best = std::min(best, m_state.optimisticCost(other));
        if (const double cost = m_state.optimisticCost(configuration); std::isfinite(cost))
            least = std::min(least, cost / best);
    }
    return least;
}

std::vector<std::size_t> Leaderboard::nearBest() const
{
    std::vector<std::size_t> arms;
    const double leader = leaderCost();
    for (std::size_t configuration = 0; configuration < m_state.size(); ++configuration)
        if (std::isfinite(leader) && m_state.optimisticCost(configuration) <= leader * (1 + kRaceMargin))
            arms.push_back(configuration);
    std::stable_sort(arms.begin(), arms.end(), [&](std::size_t a, std::size_t b) {
        return m_state.optimisticCost(a) < m_state.optimisticCost(b);
    });
    return arms;
}

} // namespace apertune::search
