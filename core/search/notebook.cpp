// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/notebook.h"

#include "core/stats/block_stats.h"

#include <algorithm>
#include <cmath>

namespace apertune::search {

Notebook::Notebook(const SearchTask& task, std::uint64_t seed)
    : m_task(task), m_random(seed), m_samples(task.cells.size()), m_peaks(task.cells.size()), m_fates(task.cells.size())
{
}

void Notebook::note(const Probe& probe, const ProbeResult& result)
{
    m_measuring += result.measuring;
    m_wall += result.wall;
    CellFate& fate = m_fates[probe.cell];
    if (result.end != ProbeResult::End::ok) {
        fate.state = CellFate::State::failed;
        fate.reason = result.reason;
        return;
    }
    if (result.peak)
        m_peaks[probe.cell] = result.peak;
    auto& samples = m_samples[probe.cell];
    samples.insert(samples.end(), result.passNs.begin(), result.passNs.end());
    if (samples.empty())
        return;
    fate.state = CellFate::State::measured;
    fate.passNs = stats::median(samples);
    fate.blocks = static_cast<int>(samples.size());
}

void Notebook::prune(std::size_t cell, std::string kind, std::string text)
{
    CellFate& fate = m_fates[cell];
    if (fate.state == CellFate::State::untouched) {
        fate.state = CellFate::State::pruned;
        fate.reason = {std::move(kind), std::move(text), {}};
    }
}

void Notebook::pruneRest(const std::string& kind, const std::string& text)
{
    for (std::size_t cell = 0; cell < size(); ++cell)
        prune(cell, kind, text);
}

bool Notebook::spent() const
{
    return (m_task.wall.count > 0 && m_wall >= m_task.wall) ||
           (m_task.measuring.count > 0 && m_measuring >= m_task.measuring);
}

bool Notebook::isAllowed(std::size_t cell, double passNs) const
{
    const model::Goal& goal = m_task.goal;
    if (const auto bound = model::medianBound(goal); bound && !(passNs <= static_cast<double>(bound->count)))
        return false;
    return !goal.maxMemory || (m_peaks[cell] && *m_peaks[cell] <= *goal.maxMemory);
}

double Notebook::costOf(std::size_t cell, double passNs) const
{
    if (!isAllowed(cell, passNs))
        return INFINITY;
    switch (m_task.goal.objective) {
    case model::Objective::latency:
        return passNs;
    case model::Objective::memory:
        return m_peaks[cell] ? static_cast<double>(m_peaks[cell]->count) : INFINITY;
    case model::Objective::throughput:
        break;
    }
    return passNs / m_task.cells[cell].batch;
}

double Notebook::cost(std::size_t cell) const
{
    const bool usable = m_fates[cell].state == CellFate::State::measured;
    return usable ? costOf(cell, m_fates[cell].passNs) : INFINITY;
}

double Notebook::optimisticCost(std::size_t cell) const
{
    if (m_fates[cell].state != CellFate::State::measured)
        return INFINITY;
    const auto& samples = m_samples[cell];
    return costOf(cell, *std::min_element(samples.begin(), samples.end()));
}

std::optional<std::size_t> Notebook::best() const
{
    std::optional<std::size_t> best;
    for (std::size_t cell = 0; cell < size(); ++cell)
        if (std::isfinite(cost(cell)) && (!best || cost(cell) < cost(*best)))
            best = cell;
    return best;
}

std::size_t Notebook::below(std::size_t n)
{
    return m_random.below(n);
}

void Notebook::shuffle(std::vector<std::size_t>& cells)
{
    for (std::size_t i = cells.size(); i > 1; --i)
        std::swap(cells[i - 1], cells[below(i)]);
}

SearchOutcome Notebook::outcome() const
{
    SearchOutcome outcome;
    outcome.winner = best();
    outcome.cells = m_fates;
    return outcome;
}

} // namespace apertune::search
