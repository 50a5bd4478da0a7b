// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/final_rounds.h"

#include "core/search/search_state.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"

#include <algorithm>
#include <span>

namespace apertune::search {

void FinalRounds::add(std::size_t configuration, const std::vector<double>& passNs)
{
    std::vector<double>& all = m_passNs[configuration];
    all.insert(all.end(), passNs.begin(), passNs.end());
}

std::vector<double> FinalRounds::costs(std::size_t configuration) const
{
    const SearchTask& task = m_state.task();
    // Passes of different batches compare by the time of one sample, except for latency, which is the time of a pass.
    const double samples =
        task.goal.objective == model::Objective::throughput ? task.configurations[configuration].batch : 1;
    std::vector<double> costs;
    for (const double passNs : m_passNs.at(configuration))
        costs.push_back(passNs / samples);
    return costs;
}

bool FinalRounds::isAllowed(std::size_t configuration) const
{
    return m_state.isAllowed(configuration, stats::median(m_passNs.at(configuration)));
}

bool FinalRounds::rank(std::vector<std::size_t>& finalists) const
{
    if (!std::all_of(finalists.begin(), finalists.end(),
                     [&](std::size_t configuration) { return m_passNs.contains(configuration); }))
        return false;
    std::stable_sort(finalists.begin(), finalists.end(), [&](std::size_t a, std::size_t b) {
        // A finalist that breaks a bound comes after all that keep it, however fast it is.
        const auto key = [&](std::size_t configuration) {
            return std::pair(!isAllowed(configuration), stats::median(costs(configuration)));
        };
        return key(a) < key(b);
    });
    return true;
}

void FinalRounds::dropBeaten(std::vector<std::size_t>& finalists) const
{
    std::vector<std::size_t> ranked = finalists;
    // When even the best breaks a bound, it is no yardstick: the others stay.
    if (!rank(ranked) || !isAllowed(ranked.front()))
        return;
    std::erase_if(finalists, [&](std::size_t configuration) {
        // An interval above 1 means surely slower, so further rounds would decide nothing.
        return configuration != ranked.front() && ratio(configuration, ranked.front()).lo > 1;
    });
}

model::Interval FinalRounds::ratio(std::size_t configuration, std::size_t other) const
{
    const std::vector<double> one = costs(configuration);
    const std::vector<double> two = costs(other);
    // Blocks at the same position belong to the same round.
    const std::size_t pairs = std::min(one.size(), two.size());
    stats::CompareOptions options;
    options.pairing = stats::Pairing::paired;
    return stats::compare({std::span<const double>(one).first(pairs)}, {std::span<const double>(two).first(pairs)},
                          options)
        .ratio;
}

} // namespace apertune::search
