// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/search_state.h"

#include "core/stats/block_stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apertune::search {

SearchState::SearchState(const SearchTask& task, std::uint64_t seed)
    : m_task(task), m_random(seed), m_samples(task.configurations.size()), m_peaks(task.configurations.size()),
      m_outcomes(task.configurations.size())
{
}

std::vector<std::size_t> SearchState::all() const
{
    std::vector<std::size_t> configurations(size());
    std::iota(configurations.begin(), configurations.end(), std::size_t{0});
    return configurations;
}

void SearchState::note(const Probe& probe, const ProbeResult& result)
{
    m_measuring += result.measuring;
    m_wall += result.wall;
    ConfigurationOutcome& configurationOutcome = m_outcomes[probe.configuration];
    if (result.end != ProbeResult::End::ok) {
        configurationOutcome.state = ConfigurationOutcome::State::failed;
        configurationOutcome.reason = result.reason;
        return;
    }
    if (result.peak)
        m_peaks[probe.configuration] = result.peak;
    auto& samples = m_samples[probe.configuration];
    samples.insert(samples.end(), result.passNs.begin(), result.passNs.end());
    if (samples.empty())
        return;
    configurationOutcome.state = ConfigurationOutcome::State::measured;
    configurationOutcome.passNs = stats::median(samples);
    configurationOutcome.blocks = static_cast<int>(samples.size());
}

void SearchState::prune(std::size_t configuration, model::ReasonKind kind, base::Message why)
{
    ConfigurationOutcome& configurationOutcome = m_outcomes[configuration];
    if (configurationOutcome.state == ConfigurationOutcome::State::untouched) {
        configurationOutcome.state = ConfigurationOutcome::State::pruned;
        configurationOutcome.reason = model::Reason{kind, std::move(why)};
    }
}

void SearchState::pruneRest(model::ReasonKind kind, const base::Message& why)
{
    for (std::size_t configuration = 0; configuration < size(); ++configuration)
        prune(configuration, kind, why);
}

bool SearchState::spent() const
{
    return (m_task.wall.count > 0 && m_wall >= m_task.wall) ||
           (m_task.measuring.count > 0 && m_measuring >= m_task.measuring);
}

bool SearchState::isAllowed(std::size_t configuration, double passNs) const
{
    const model::Goal& goal = m_task.goal;
    if (const auto bound = model::medianBound(goal); bound && !(passNs <= static_cast<double>(bound->count)))
        return false;
    return !goal.maxMemory || (m_peaks[configuration] && *m_peaks[configuration] <= *goal.maxMemory);
}

double SearchState::costOf(std::size_t configuration, double passNs) const
{
    if (!isAllowed(configuration, passNs))
        return INFINITY;
    switch (m_task.goal.objective) {
    case model::Objective::latency:
        return passNs;
    case model::Objective::memory:
        return m_peaks[configuration] ? static_cast<double>(m_peaks[configuration]->count) : INFINITY;
    case model::Objective::energy: // A probe is too short for it; StudyRunner::plan() refuses a race for energy.
    case model::Objective::throughput:
        break;
    }
    return passNs / m_task.configurations[configuration].batch;
}

double SearchState::cost(std::size_t configuration) const
{
    const bool usable = m_outcomes[configuration].state == ConfigurationOutcome::State::measured;
    return usable ? costOf(configuration, m_outcomes[configuration].passNs) : INFINITY;
}

double SearchState::optimisticCost(std::size_t configuration) const
{
    if (m_outcomes[configuration].state != ConfigurationOutcome::State::measured)
        return INFINITY;
    const auto& samples = m_samples[configuration];
    return costOf(configuration, *std::min_element(samples.begin(), samples.end()));
}

std::optional<std::size_t> SearchState::best() const
{
    std::optional<std::size_t> best;
    for (std::size_t configuration = 0; configuration < size(); ++configuration)
        if (std::isfinite(cost(configuration)) && (!best || cost(configuration) < cost(*best)))
            best = configuration;
    return best;
}

std::size_t SearchState::below(std::size_t n)
{
    return m_random.below(n);
}

void SearchState::shuffle(std::vector<std::size_t>& configurations)
{
    for (std::size_t i = configurations.size(); i > 1; --i)
        std::swap(configurations[i - 1], configurations[below(i)]);
}

SearchOutcome SearchState::outcome() const
{
    SearchOutcome outcome;
    outcome.winner = best();
    outcome.configurations = m_outcomes;
    return outcome;
}

} // namespace apertune::search
