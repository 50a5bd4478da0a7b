// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/goal.h"
#include "core/model/measurement.h"
#include "core/model/trial.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apertune::search {

/// Searching a grid by asking and telling: a searcher names the next measurement, whoever can measure tells what came
/// out. Searchers are pure: no clock, no files, equal answers and seed give equal questions. One thread at a time.

/// One runnable configuration. Configurations of one group differ by batch only and share a loaded model.
struct SearchConfiguration
{
    std::size_t group = 0;
    int batch = 1;
};

struct ConfigurationGroup
{
    std::string label;
    base::Nanoseconds compile{};        ///< about what compiling takes, once a group; 0: nothing is compiled
    std::optional<std::size_t> plain{}; ///< the same group without compiling
    std::optional<std::size_t> kept{};  ///< int8: so many layers stay in float
    std::optional<double> ceiling{};    ///< samples/s it cannot exceed (roofline)
};

struct SearchTask
{
    std::vector<SearchConfiguration> configurations;
    std::vector<ConfigurationGroup> groups; ///< in the order in which they are to be tried
    model::Goal goal;
    std::optional<base::Bytes> memory{}; ///< of the device; none: batches have no edge worth probing for
    base::Nanoseconds wall{};            ///< budget with loading and compiling; 0: none
    base::Nanoseconds measuring{};       ///< budget of measuring alone; 0: none
    std::size_t openAtOnce = 8;          ///< configurations that stay open side by side; others are loaded again
};

/// The next measurement.
struct Probe
{
    std::size_t configuration = 0;
    int blocks = 1; ///< 0: open the configuration and make one pass, to learn what memory it takes
    base::Nanoseconds block = base::fromMilliseconds(200); ///< at least one pass, though
    base::Nanoseconds warmUp = base::fromMilliseconds(100);
    bool confirm = false; ///< one turn of the last, interleaved measurement: in a process of its own
};

/// What came of it.
struct ProbeResult
{
    enum class End { ok, outOfMemory, failed };
    End end = End::ok;
    std::vector<double> passNs{};      ///< one a block
    std::optional<base::Bytes> peak{}; ///< memory while it ran
    base::Nanoseconds measuring{};     ///< blocks and warm-up
    base::Nanoseconds wall{};          ///< everything, loading and compiling too
    model::Reason reason{};            ///< of a failure
};

/// What became of a configuration.
struct ConfigurationOutcome
{
    enum class State { untouched, measured, failed, pruned };
    State state = State::untouched;
    model::Reason reason{}; ///< of a failed or pruned one
    double passNs = 0;      ///< median of its blocks
    int blocks = 0;
};

struct SearchOutcome
{
    std::optional<std::size_t> winner{};   ///< configuration; none when nothing met the goal
    std::optional<std::size_t> runnerUp{}; ///< confirmed beside the winner
    model::Interval ratio{1, 1, 1, 0};     ///< runner-up / winner of the objective's cost; > 1: the winner is better
    std::vector<ConfigurationOutcome> configurations;
};

class Searcher
{
public:
    virtual ~Searcher() = default;
    /// The next measurement; none: the search is over. Each must be answered by tell() before the next call.
    virtual std::optional<Probe> next() = 0;
    virtual void tell(const ProbeResult& result) = 0;
    /// May be asked at any time.
    virtual SearchOutcome outcome() const = 0;
};

enum class Algorithm { grid, random, halving, racing, bisect };
std::string_view toString(Algorithm algorithm); ///< "grid", "random", "halving", "racing", "bisect"
std::optional<Algorithm> algorithmFromString(std::string_view text);

/// What a sweep is gone through with that names no search: racing, which looks at every group and measures in full
/// what may win. grid without a time budget (zero), which asks for every configuration, and where there is nothing to
/// save: with up to kFewConfigurations configurations on each device, since the race and the last turns take as long as
/// so many configurations in full. But when the budget gives a configuration less than kShareLeast and has room for a
/// short race, a race finds more with it.
Algorithm suitable(std::size_t mostOfADevice, base::Nanoseconds budget);
inline constexpr std::size_t kFewConfigurations = 16;
inline constexpr base::Nanoseconds kShareLeast =
    base::fromSeconds(5); ///< below it, a configuration's interval says little

/// grid: every configuration by the full protocol. random: configurations in random order by the full protocol until
/// the budget is spent. halving: successive halving (Jamieson & Talwalkar 2016) with eta = 3 over all configurations,
/// or over as many drawn at random as the measuring budget gives a block each. racing: frontier racing, see racing.h.
/// bisect: mixed precision, see bisect.h.
std::unique_ptr<Searcher> makeSearcher(Algorithm algorithm, const SearchTask& task, std::uint64_t seed);

/// The full protocol: what grid and random give every configuration, and racing its last two.
inline constexpr int kFullBlocks = 5;
inline constexpr base::Nanoseconds kFullBlock = base::fromSeconds(2);
inline constexpr base::Nanoseconds kFullWarmUp = base::fromMilliseconds(500);

} // namespace apertune::search
