// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/search/replay.h"

#include "core/base/random.h"
#include "core/search/algorithm.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace apertune::search::bench {

using base::Nanoseconds;

struct TableMachine::State
{
    explicit State(std::uint64_t seed) : random(seed) {}
    double normal()
    {
        const double u = 1 - random.uniform();
        return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * random.uniform());
    }
    base::Random random;
    std::vector<std::size_t> open; ///< configurations, the last used at the end
    std::set<std::size_t> compiled;
    std::map<std::size_t, std::size_t> place; ///< next sample of a configuration
};

TableMachine::TableMachine(const BruteTable& table, std::uint64_t seed)
    : m_table(table), m_state(std::make_unique<State>(seed))
{
}

TableMachine::~TableMachine() = default;

ProbeResult TableMachine::answer(const Probe& probe)
{
    State& state = *m_state;
    const BruteTable::Configuration& configuration = m_table.configurations[probe.configuration];
    const BruteTable::Group& group = m_table.groups[configuration.group];
    ProbeResult result;
    if (group.compile.count > 0 && state.compiled.insert(configuration.group).second)
        result.wall += group.compile;
    const auto at = std::find(state.open.begin(), state.open.end(), probe.configuration);
    if (at != state.open.end()) {
        state.open.erase(at);
    } else {
        result.wall += group.load + configuration.first;
        if (state.open.size() == kOpen)
            state.open.erase(state.open.begin());
    }
    if (!configuration.failure.empty()) {
        result.end = configuration.failure.kind == model::ReasonKind::outOfMemory ? ProbeResult::End::outOfMemory
                                                                                  : ProbeResult::End::failed;
        result.reason = configuration.failure;
        return result;
    }
    state.open.push_back(probe.configuration);
    result.peak = configuration.peak;
    const Nanoseconds pass{static_cast<std::int64_t>(configuration.passNs)};
    if (probe.blocks > 0 && probe.warmUp.count > 0)
        result.measuring += std::max(pass, probe.warmUp);
    for (int i = 0; i < probe.blocks; ++i) {
        double value = configuration.passNs;
        if (!configuration.samples.empty()) {
            const auto start =
                static_cast<std::size_t>(state.random.uniform() * static_cast<double>(configuration.samples.size()));
            std::size_t& place = state.place.try_emplace(probe.configuration, start).first->second;
            const auto several = configuration.block.count > 0
                                     ? std::max<std::int64_t>(1, probe.block.count / configuration.block.count)
                                     : 1;
            value = 0;
            for (std::int64_t k = 0; k < several; ++k)
                value += configuration.samples[place++ % configuration.samples.size()] / static_cast<double>(several);
        } else {
            value *= std::exp(m_table.noise.between * state.normal());
            if (state.random.uniform() < m_table.noise.disturbed)
                value *= 1 + m_table.noise.longer;
        }
        result.passNs.push_back(value);
        const double passes = std::max(1.0, std::round(static_cast<double>(probe.block.count) / value));
        result.measuring += {static_cast<std::int64_t>(passes * value)};
    }
    result.wall += result.measuring;
    return result;
}

Replay replay(const BruteTable& table, Searcher& searcher, std::uint64_t seed)
{
    TableMachine machine(table, seed);
    Replay result;
    const auto best = table.best();
    const auto regretOf = [&](const std::optional<std::size_t>& winner) {
        return winner && best && std::isfinite(table.cost(*winner)) ? 1 - table.cost(*best) / table.cost(*winner) : 1;
    };
    bool isSoon = false;
    std::map<std::size_t, int> failures;
    while (const auto probe = searcher.next()) {
        const ProbeResult answer = machine.answer(*probe);
        searcher.tell(answer);
        result.measuring += answer.measuring;
        result.wall += answer.wall;
        ++result.probes;
        if (answer.end != ProbeResult::End::ok)
            result.failing += answer.wall;
        const bool wasSoon = std::exchange(isSoon, regretOf(searcher.outcome().winner) <= kSoon);
        if (isSoon && !wasSoon)
            result.soon = result.wall;
        if (answer.end == ProbeResult::End::outOfMemory) {
            ++result.outOfMemory;
            result.mostOfOneGroup =
                std::max(result.mostOfOneGroup, ++failures[table.configurations[probe->configuration].group]);
        }
    }
    result.outcome = searcher.outcome();
    result.winner = result.outcome.winner;
    result.regret = regretOf(result.winner);
    if (!isSoon)
        result.soon = result.wall;
    return result;
}

BruteCost bruteCost(const BruteTable& table)
{
    const SearchTask task = table.task();
    const auto searcher = makeSearcher(Algorithm::grid, task, 1);
    const Replay all = replay(table, *searcher, 1);
    return {all.measuring, all.wall};
}

model::Interval shareInterval(std::size_t hits, std::size_t of)
{
    if (of == 0)
        return {0, 0, 1, 0};
    constexpr double z = 1.959964;
    const auto n = static_cast<double>(of);
    const double p = static_cast<double>(hits) / n;
    const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return {p, std::max(0.0, centre - half), std::min(1.0, centre + half), 0.95};
}

} // namespace apertune::search::bench
