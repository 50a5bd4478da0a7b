// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/search/table.h"

#include <functional>

namespace apertune::search::bench {

inline constexpr double kSoon = 0.05; ///< regret of a best so far that is worth having

/// What a search took and found.
struct Replay
{
    std::optional<std::size_t> winner{};
    double regret = 1; ///< 1 − best cost / cost of the winner, by the table's truth; 1 without a winner
    base::Nanoseconds measuring{};
    base::Nanoseconds wall{};
    base::Nanoseconds soon{}; ///< wall time from which on the best so far stays within kSoon; `wall` where it never is
    base::Nanoseconds failing{}; ///< part of `wall` for probes that failed, running out of memory included
    int probes = 0;
    int outOfMemory = 0;    ///< probes that ran out of memory
    int mostOfOneGroup = 0; ///< most probes of one group that ran out of memory
    SearchOutcome outcome;
};

/// Answers probes from a table, so that searches are compared exactly. Blocks are the table's samples from a place
/// drawn at random onwards, as many of them as a block is long, or drawn from its noise. What things cost: opening a
/// configuration its group's load and its first pass, again after kOpen other configurations were opened since it was
/// last used; compiling a group once; warm-up and blocks as long as they were asked for, though at least one pass; a
/// configuration that fails costs load, and compiling if it has to. One thread; equal seeds give equal answers.
class TableMachine
{
public:
    static constexpr std::size_t kOpen = 8; ///< sessions that stay open side by side

    TableMachine(const BruteTable& table, std::uint64_t seed);
    ~TableMachine();
    ProbeResult answer(const Probe& probe);

private:
    struct State;
    const BruteTable& m_table;
    std::unique_ptr<State> m_state;
};

/// Runs a search on a table to its end.
Replay replay(const BruteTable& table, Searcher& searcher, std::uint64_t seed);

/// What measuring every configuration once by the full protocol takes: the yardstick.
struct BruteCost
{
    base::Nanoseconds measuring{};
    base::Nanoseconds wall{};
};
BruteCost bruteCost(const BruteTable& table);

/// A share with its interval (Wilson 1927, 95 %).
model::Interval shareInterval(std::size_t hits, std::size_t of);

} // namespace apertune::search::bench
