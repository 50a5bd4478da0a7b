// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/search/replay.h"

#include <functional>
#include <string>

namespace apertune::search::bench {

/// Comparing searches on tables, each sweep a search of its own seed.

/// Makes a search of `task`, which is that of `table` with a budget. Only what an earlier search may have learned from
/// the table may be used.
using SearcherFactory =
    std::function<std::unique_ptr<Searcher>(const BruteTable& table, const SearchTask& task, std::uint64_t seed)>;

/// Makes the race of a second study: it knows what a first race in the same time found of each group.
std::unique_ptr<Searcher> makeSecondRace(const BruteTable& table, const SearchTask& task, std::uint64_t seed);

struct Candidate
{
    std::string name;
    SearcherFactory make;
    /// Searches by itself within `wall`; the others get the measuring time and the wall time that the first such one
    /// took in the same sweep, so that regrets compare at an equal budget. One that has none runs to its end.
    enum class Budget { wall, equal, none };
    Budget budget = Budget::equal;
};

/// Means over sweeps. Intervals are percentile bootstraps (95 %, 2,000 resamples) over tables, because sweeps of one
/// table are alike; over sweeps when there is one table.
struct Score
{
    std::string name;
    std::size_t sweeps = 0;
    model::Interval near;        ///< share of sweeps whose winner is within kNearBest of the best configuration
    model::Interval regret;      ///< 1 − best / winner
    model::Interval firstToThis; ///< regret of the first contestant as a share of this one's, in the same sweeps
    model::Interval measuring;   ///< measuring time as a share of brute force's
    model::Interval wall;        ///< wall time as a share of brute force's
    model::Interval soon;        ///< Replay::soon as a share of brute force's wall time
    model::Interval failing;     ///< Replay::failing as a share of the search's own wall time
    int mostOutOfMemory = 0;     ///< most probes of one group in one sweep that ran out of memory

    /// Means of one table, in the order of the tables; none of a table that was not reached.
    struct Table
    {
        std::string name;
        std::size_t configurations = 0;
        double near = 0, regret = 0, measuring = 0, wall = 0;
    };
    std::vector<Table> byTable;
};
inline constexpr double kNearBest = 0.02;

struct Benchmark
{
    std::size_t tables = 0;
    std::size_t configurations = 0; ///< sum over all tables
    base::Nanoseconds bruteMeasuring{};
    base::Nanoseconds bruteWall{};
    std::vector<Score> scores; ///< in the order of the contestants
};

struct BenchmarkOptions
{
    std::size_t sweeps = 500; ///< least number of sweeps, shared evenly by the tables
    double wallShare = 0.20;  ///< budget of Budget::wall as a share of brute force's wall time
    std::uint64_t seed = 1;
    std::function<bool(std::size_t done, std::size_t of)> progress{}; ///< false: stop here; scores hold what is done
};

/// REQUIRES: tables not empty, each with a configuration that meets its goal.
Benchmark benchmark(const std::vector<BruteTable>& tables, const std::vector<Candidate>& candidates,
                    const BenchmarkOptions& options);

} // namespace apertune::search::bench
