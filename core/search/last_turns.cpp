// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/last_turns.h"

#include "core/search/notebook.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"

#include <algorithm>
#include <span>

namespace apertune::search {

void LastTurns::add(std::size_t cell, const std::vector<double>& passNs)
{
    std::vector<double>& all = m_passNs[cell];
    all.insert(all.end(), passNs.begin(), passNs.end());
}

std::vector<double> LastTurns::costs(std::size_t cell) const
{
    const SearchTask& task = m_notes.task();
    const double samples = task.goal.objective == model::Objective::throughput ? task.cells[cell].batch : 1;
    std::vector<double> costs;
    for (const double passNs : m_passNs.at(cell))
        costs.push_back(passNs / samples);
    return costs;
}

bool LastTurns::isAllowed(std::size_t cell) const
{
    return m_notes.isAllowed(cell, stats::median(m_passNs.at(cell)));
}

bool LastTurns::rank(std::vector<std::size_t>& finalists) const
{
    if (!std::all_of(finalists.begin(), finalists.end(), [&](std::size_t cell) { return m_passNs.contains(cell); }))
        return false;
    std::stable_sort(finalists.begin(), finalists.end(), [&](std::size_t a, std::size_t b) {
        const auto key = [&](std::size_t cell) { return std::pair(!isAllowed(cell), stats::median(costs(cell))); };
        return key(a) < key(b);
    });
    return true;
}

void LastTurns::dropBeaten(std::vector<std::size_t>& finalists) const
{
    std::vector<std::size_t> ranked = finalists;
    if (!rank(ranked) || !isAllowed(ranked.front()))
        return;
    std::erase_if(finalists,
                  [&](std::size_t cell) { return cell != ranked.front() && ratio(cell, ranked.front()).lo > 1; });
}

model::Interval LastTurns::ratio(std::size_t cell, std::size_t other) const
{
    const std::vector<double> one = costs(cell);
    const std::vector<double> two = costs(other);
    const std::size_t pairs = std::min(one.size(), two.size());
    stats::CompareOptions options;
    options.pairing = stats::Pairing::paired;
    return stats::compare({std::span<const double>(one).first(pairs)}, {std::span<const double>(two).first(pairs)},
                          options)
        .ratio;
}

} // namespace apertune::search
