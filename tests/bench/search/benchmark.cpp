// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/search/benchmark.h"

#include "core/base/random.h"
#include "core/search/algorithm.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace apertune::search::bench {

namespace {

struct Sweep
{
    std::size_t table = 0;
    bool near = false;
    double regret = 1;
    double measuring = 0;
    double wall = 0;
    double soon = 0;
    double failing = 0;
};

using Groups = std::vector<std::vector<double>>; ///< values that a resample draws together

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

/// What `figure` makes of the values drawn: percentile bootstrap (95 %, 2,000 resamples) over groups.
model::Interval bootstrap(std::size_t groups, const std::function<double(const std::vector<std::size_t>&)>& figure)
{
    std::vector<std::size_t> drawn(groups);
    std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    const double value = figure(drawn);
    if (groups < 6)
        return {value, value, value, 0};
    constexpr std::size_t kResamples = 2000;
    base::Random random(0x5eed);
    std::vector<double> figures(kResamples);
    for (double& resampled : figures) {
        for (std::size_t& g : drawn)
            g = random.below(groups);
        resampled = figure(drawn);
    }
    std::sort(figures.begin(), figures.end());
    return {value, figures[kResamples / 40], figures[kResamples - 1 - kResamples / 40], 0.95};
}

Groups grouped(const std::vector<Sweep>& sweeps, std::size_t tables, const std::function<double(const Sweep&)>& value)
{
    Groups groups(tables > 1 ? tables : sweeps.size());
    for (std::size_t i = 0; i < sweeps.size(); ++i)
        groups[tables > 1 ? sweeps[i].table : i].push_back(value(sweeps[i]));
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    return groups;
}

std::vector<Score::Table> meansByTable(const std::vector<Sweep>& sweeps, const std::vector<BruteTable>& tables)
{
    std::vector<Score::Table> means;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        Score::Table mean{tables[t].name, tables[t].configurations.size()};
        double n = 0;
        for (const Sweep& sweep : sweeps) {
            if (sweep.table != t)
                continue;
            ++n;
            mean.near += (sweep.near - mean.near) / n;
            mean.regret += (sweep.regret - mean.regret) / n;
            mean.measuring += (sweep.measuring - mean.measuring) / n;
            mean.wall += (sweep.wall - mean.wall) / n;
        }
        if (n > 0)
            means.push_back(std::move(mean));
    }
    return means;
}

} // namespace

std::unique_ptr<Searcher> makeSecondRace(const BruteTable& table, const SearchTask& task, std::uint64_t seed)
{
    // The first study draws other noise.
    const auto first = makeSearcher(Algorithm::racing, task, seed + 1);
    const SearchOutcome known = replay(table, *first, seed + 1).outcome;
    SearchTask again = task;
    std::vector<KnownBest> best(task.groups.size(), {INFINITY, 1});
    for (std::size_t i = 0; i < task.configurations.size(); ++i)
        if (known.configurations[i].blocks > 0) {
            const int batch = task.configurations[i].batch;
            const double sample = known.configurations[i].passNs / batch;
            if (KnownBest& own = best[task.configurations[i].group]; sample < own.cost)
                own = {sample, batch};
        }
    for (std::size_t group = 0; group < best.size(); ++group)
        if (std::isfinite(best[group].cost) && std::isfinite(best[0].cost))
            again.groups[group].known = KnownBest{best[group].cost / best[0].cost, best[group].batch};
    return makeSearcher(Algorithm::racing, again, seed);
}

Benchmark benchmark(const std::vector<BruteTable>& tables, const std::vector<Candidate>& candidates,
                    const BenchmarkOptions& options)
{
    Benchmark result;
    result.tables = tables.size();
    result.scores.resize(candidates.size());
    std::vector<std::vector<Sweep>> sweeps(candidates.size());
    const std::size_t perTable = (options.sweeps + tables.size() - 1) / tables.size();
    std::size_t done = 0;
    bool stopped = false;
    for (std::size_t t = 0; t < tables.size() && !stopped; ++t) {
        const BruteTable& table = tables[t];
        const BruteCost brute = bruteCost(table);
        result.configurations += table.configurations.size();
        result.bruteMeasuring += brute.measuring;
        result.bruteWall += brute.wall;
        for (std::size_t k = 0; k < perTable && !stopped; ++k) {
            const std::uint64_t seed = options.seed + t * 1'000'003 + k;
            base::Nanoseconds measuring{brute.measuring.count / 10};
            const base::Nanoseconds most = base::fromSeconds(options.wallShare * brute.wall.seconds());
            base::Nanoseconds wall = most;
            bool isKnown = false; // whether a search with a budget of its own has run
            for (std::size_t c = 0; c < candidates.size(); ++c) {
                SearchTask task = table.task();
                if (candidates[c].budget != Candidate::Budget::none)
                    task.wall = candidates[c].budget == Candidate::Budget::wall ? most : wall;
                if (candidates[c].budget == Candidate::Budget::equal)
                    task.measuring = measuring;
                const auto searcher = candidates[c].make(table, task, seed);
                const Replay replayed = replay(table, *searcher, seed ^ 0x9e3779b97f4a7c15);
                if (candidates[c].budget == Candidate::Budget::wall && !std::exchange(isKnown, true)) {
                    measuring = replayed.measuring;
                    wall = replayed.wall;
                }
                sweeps[c].push_back({t, replayed.regret <= kNearBest, replayed.regret,
                                     replayed.measuring.seconds() / brute.measuring.seconds(),
                                     replayed.wall.seconds() / brute.wall.seconds(),
                                     replayed.soon.seconds() / brute.wall.seconds(),
                                     replayed.failing.seconds() / replayed.wall.seconds()});
                Score& score = result.scores[c];
                score.mostOutOfMemory = std::max(score.mostOutOfMemory, replayed.mostOfOneGroup);
            }
            stopped = options.progress && !options.progress(++done, perTable * tables.size());
        }
    }
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        Score& score = result.scores[c];
        score.name = candidates[c].name;
        score.sweeps = sweeps[c].size();
        const auto mean = [&](const std::function<double(const Sweep&)>& value) {
            const Groups groups = grouped(sweeps[c], tables.size(), value);
            return bootstrap(groups.size(), [&](const auto& drawn) { return meanOf(groups, drawn); });
        };
        score.near = mean([](const Sweep& s) { return s.near ? 1.0 : 0.0; });
        score.regret = mean([](const Sweep& s) { return s.regret; });
        score.measuring = mean([](const Sweep& s) { return s.measuring; });
        score.wall = mean([](const Sweep& s) { return s.wall; });
        score.soon = mean([](const Sweep& s) { return s.soon; });
        score.failing = mean([](const Sweep& s) { return s.failing; });
        const auto regret = [](const Sweep& s) { return s.regret; };
        const Groups ofFirst = grouped(sweeps[0], tables.size(), regret);
        const Groups ofThis = grouped(sweeps[c], tables.size(), regret);
        score.firstToThis = bootstrap(ofThis.size(), [&](const auto& drawn) {
            const double rival = meanOf(ofThis, drawn);
            return rival > 0 ? meanOf(ofFirst, drawn) / rival : INFINITY;
        });
        score.byTable = meansByTable(sweeps[c], tables);
    }
    return result;
}

} // namespace apertune::search::bench
