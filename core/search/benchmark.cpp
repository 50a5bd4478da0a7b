// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/benchmark.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>

namespace apertune::search {

namespace {

struct Sweep
{
    std::size_t table = 0;
    bool near = false;
    double regret = 1;
    double measuring = 0;
    double wall = 0;
};

using Groups = std::vector<std::vector<double>>; ///< what is drawn together

double meanOf(const Groups& groups, const std::vector<std::size_t>& drawn)
{
    double sum = 0;
    double n = 0;
    for (const std::size_t g : drawn) {
        for (const double value : groups[g])
            sum += value;
        n += static_cast<double>(groups[g].size());
    }
    return n > 0 ? sum / n : 0;
}

model::Interval bootstrapMean(const std::vector<Sweep>& sweeps, std::size_t tables,
                              const std::function<double(const Sweep&)>& value)
{
    Groups groups(tables > 1 ? tables : sweeps.size());
    for (std::size_t i = 0; i < sweeps.size(); ++i)
        groups[tables > 1 ? sweeps[i].table : i].push_back(value(sweeps[i]));
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    std::vector<std::size_t> drawn(groups.size());
    for (std::size_t i = 0; i < drawn.size(); ++i)
        drawn[i] = i;
    const double mean = meanOf(groups, drawn);
    if (groups.size() < 6)
        return {mean, mean, mean, 0};
    constexpr std::size_t kResamples = 2000;
    base::Random random(0x5eed);
    std::vector<double> means(kResamples);
    for (double& resampled : means) {
        for (std::size_t& g : drawn)
            g = random.below(groups.size());
        resampled = meanOf(groups, drawn);
    }
    std::sort(means.begin(), means.end());
    return {mean, means[kResamples / 40], means[kResamples - 1 - kResamples / 40], 0.95};
}

} // namespace

Benchmark benchmark(const std::vector<BruteTable>& tables, const std::vector<Contestant>& contestants,
                    const BenchmarkOptions& options)
{
    Benchmark result;
    result.tables = tables.size();
    result.scores.resize(contestants.size());
    std::vector<std::vector<Sweep>> sweeps(contestants.size());
    const std::size_t perTable = (options.sweeps + tables.size() - 1) / tables.size();
    std::size_t done = 0;
    bool stopped = false;
    for (std::size_t t = 0; t < tables.size() && !stopped; ++t) {
        const BruteTable& table = tables[t];
        const BruteCost brute = bruteCost(table);
        result.cells += table.cells.size();
        result.bruteMeasuring += brute.measuring;
        result.bruteWall += brute.wall;
        for (std::size_t k = 0; k < perTable && !stopped; ++k) {
            const std::uint64_t seed = options.seed + t * 1'000'003 + k;
            base::Nanoseconds equal{brute.measuring.count / 10};
            for (std::size_t c = 0; c < contestants.size(); ++c) {
                SearchTask task = table.task();
                if (contestants[c].budget == Contestant::Budget::wall)
                    task.wall = base::fromSeconds(options.wallShare * brute.wall.seconds());
                else if (contestants[c].budget == Contestant::Budget::equal)
                    task.measuring = equal;
                const auto searcher = contestants[c].make(task, seed);
                const Replay replayed = replay(table, *searcher, seed ^ 0x9e3779b97f4a7c15);
                if (contestants[c].budget == Contestant::Budget::wall)
                    equal = replayed.measuring;
                sweeps[c].push_back({t, replayed.regret <= kNearBest, replayed.regret,
                                     replayed.measuring.seconds() / brute.measuring.seconds(),
                                     replayed.wall.seconds() / brute.wall.seconds()});
                Score& score = result.scores[c];
                score.mostOutOfMemory = std::max(score.mostOutOfMemory, replayed.mostOfOneFamily);
            }
            stopped = options.progress && !options.progress(++done, perTable * tables.size());
        }
    }
    for (std::size_t c = 0; c < contestants.size(); ++c) {
        Score& score = result.scores[c];
        score.name = contestants[c].name;
        score.sweeps = sweeps[c].size();
        const auto mean = [&](const std::function<double(const Sweep&)>& value) {
            return bootstrapMean(sweeps[c], tables.size(), value);
        };
        score.near = mean([](const Sweep& s) { return s.near ? 1.0 : 0.0; });
        score.regret = mean([](const Sweep& s) { return s.regret; });
        score.measuring = mean([](const Sweep& s) { return s.measuring; });
        score.wall = mean([](const Sweep& s) { return s.wall; });
    }
    return result;
}

} // namespace apertune::search
