// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/leaderboard.h"

#include "core/search/notebook.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::search {

namespace {

constexpr double kNear = 0.12; ///< from the leader: what races

} // namespace

std::optional<std::size_t> Leaderboard::leader() const
{
    std::optional<std::size_t> best;
    for (std::size_t cell = 0; cell < m_notes.size(); ++cell)
        if (const double cost = m_notes.optimisticCost(cell);
            std::isfinite(cost) && (!best || cost < m_notes.optimisticCost(*best)))
            best = cell;
    return best;
}

std::optional<std::size_t> Leaderboard::rivalOf(std::size_t cell, bool atEdge) const
{
    const auto& cells = m_notes.task().cells;
    const auto best = leader();
    if (!best || atEdge)
        return best;
    std::optional<std::size_t> rival;
    for (std::size_t other = 0; other < m_notes.size(); ++other)
        if (cells[other].family == cells[*best].family && cells[other].batch <= cells[cell].batch &&
            std::isfinite(m_notes.optimisticCost(other)) &&
            (!rival || m_notes.optimisticCost(other) < m_notes.optimisticCost(*rival)))
            rival = other;
    return rival;
}

double Leaderboard::leaderCost() const
{
    const auto cell = leader();
    return cell ? m_notes.optimisticCost(*cell) : INFINITY;
}

double Leaderboard::slowestCost() const
{
    std::map<std::size_t, double> best; // of each family
    for (std::size_t cell = 0; cell < m_notes.size(); ++cell)
        if (const double cost = m_notes.optimisticCost(cell); std::isfinite(cost)) {
            const auto [at, first] = best.emplace(m_notes.task().cells[cell].family, cost);
            at->second = std::min(at->second, cost);
        }
    double slowest = 0;
    for (const auto& [family, cost] : best)
        slowest = std::max(slowest, cost);
    return best.empty() ? INFINITY : slowest;
}

double Leaderboard::bestOf(const std::vector<std::size_t>& cells) const
{
    double least = INFINITY;
    for (const std::size_t cell : cells)
        least = std::min(least, m_notes.optimisticCost(cell));
    return least;
}

std::vector<std::size_t> Leaderboard::nearBest() const
{
    std::vector<std::size_t> arms;
    const double leader = leaderCost();
    for (std::size_t cell = 0; cell < m_notes.size(); ++cell)
        if (std::isfinite(leader) && m_notes.optimisticCost(cell) <= leader * (1 + kNear))
            arms.push_back(cell);
    std::stable_sort(arms.begin(), arms.end(), [&](std::size_t a, std::size_t b) {
        return m_notes.optimisticCost(a) < m_notes.optimisticCost(b);
    });
    return arms;
}

} // namespace apertune::search
