// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/algorithm.h"
#include "core/sentences/sentences.h"
#include "tests/bench/search/replay.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace apertune::search::test {

using bench::BruteCost;
using bench::bruteCost;
using bench::BruteTable;
using bench::loadTables;
using bench::Replay;
using bench::replay;
using bench::TableMachine;

/// A table of groups whose throughput rises to a peak at `best` (position on the batch axis) and falls after it.
inline BruteTable quietTable(const std::vector<double>& peaks, std::size_t best = 5, std::size_t batches = 8)
{
    BruteTable table;
    table.noise = {0, 0, 0};
    for (std::size_t f = 0; f < peaks.size(); ++f) {
        table.groups.push_back({"group " + std::to_string(f), base::fromSeconds(1), {}, {}});
        for (std::size_t k = 0; k < batches; ++k) {
            BruteTable::Configuration configuration;
            configuration.group = f;
            configuration.batch = 1 << k;
            const double off = static_cast<double>(k) - static_cast<double>(best);
            configuration.passNs = configuration.batch * 1e9 / (peaks[f] * std::exp(-0.08 * off * off));
            configuration.first = base::fromMilliseconds(100);
            configuration.peak = base::Bytes{(std::int64_t{200} + 100 * configuration.batch) << 20};
            table.configurations.push_back(configuration);
        }
    }
    return table;
}

inline Replay search(const BruteTable& table, Algorithm algorithm, SearchTask task, std::uint64_t seed = 1)
{
    const auto searcher = makeSearcher(algorithm, task, seed);
    return replay(table, *searcher, seed + 77);
}

inline Replay race(const BruteTable& table, std::uint64_t seed = 1)
{
    return search(table, Algorithm::racing, table.task(), seed);
}

inline std::set<model::ReasonKind> kindsOf(const Replay& r)
{
    std::set<model::ReasonKind> kinds;
    for (const ConfigurationOutcome& configurationOutcome : r.outcome.configurations)
        if (configurationOutcome.state == ConfigurationOutcome::State::pruned)
            kinds.insert(configurationOutcome.reason.kind);
    return kinds;
}

} // namespace apertune::search::test
