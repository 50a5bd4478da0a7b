// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/goal.h"
#include "core/model/measurement.h"
#include "core/model/trial.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::search {

/// Searches over a grid with an ask-and-tell interface (as in Optuna): a searcher asks for the next measurement, and
/// its caller measures and tells the result. Searchers are pure: they use no clock and no files, and equal seeds and
/// answers give equal questions. One thread at a time.

/// One runnable configuration. Configurations of a group differ in the batch alone and share a loaded model.
struct SearchConfiguration
{
    std::size_t group = 0;
    int batch = 1;
};

/// The best configuration that an earlier search measured of a group.
struct KnownBest
{
    double cost = 1; ///< time of a sample over that of the plain baseline
    int batch = 1;
};

struct ConfigurationGroup
{
    std::string label;                            ///< name for messages
    base::Nanoseconds compile{};                  ///< expected compile time, once a group; 0 when nothing is compiled
    std::optional<std::size_t> plain{};           ///< position of the same group without compiling
    std::optional<std::size_t> floatLayerCount{}; ///< number of layers of an int8 model that stay in float
    std::optional<double> ceiling{};              ///< upper bound of the throughput in samples/s (roofline)
    std::string engine{};                         ///< groups of one engine share what was converted for it
    base::Nanoseconds convert{}; ///< expected time to convert the model for the engine; 0 when that is done
    double compileGain = 3;      ///< largest speed-up that compiling is known to give on the device
    std::optional<KnownBest> known{};
};

struct SearchTask
{
    std::vector<SearchConfiguration> configurations;
    std::vector<ConfigurationGroup> groups; ///< planned order; racing takes the first as the plain baseline
    model::Goal goal;
    std::optional<base::Bytes> memory{}; ///< memory of the device; without it no memory edge is searched
    base::Nanoseconds wall{};            ///< budget of wall time, with loading and compiling; 0 when unlimited
    base::Nanoseconds measuring{};       ///< budget of measuring time (blocks and warm-up); 0 when unlimited
    std::size_t openAtOnce = 8;          ///< configurations that the caller keeps open; others are loaded again
};

/// A measurement that a searcher asks for.
struct Probe
{
    std::size_t configuration = 0; ///< position in SearchTask::configurations
    int blocks = 1;                ///< 0: open the configuration and run one pass, to learn its peak of memory
    base::Nanoseconds block = base::fromMilliseconds(200); ///< length of a block, which has at least one pass
    base::Nanoseconds warmUp = base::fromMilliseconds(100);
    bool confirm = false; ///< the block belongs to the final, interleaved rounds and needs a process of its own
};

/// The answer to a probe.
struct ProbeResult
{
    enum class End { ok, outOfMemory, failed };
    End end = End::ok;
    std::vector<double> passNs{};      ///< one value a block: nanoseconds a pass
    std::optional<base::Bytes> peak{}; ///< peak of memory while it ran
    base::Nanoseconds measuring{};     ///< time of blocks and warm-up
    base::Nanoseconds wall{};          ///< time of everything, with loading and compiling
    base::Nanoseconds convert{};       ///< part of `wall` in which the model was converted or compiled
    model::Reason reason{};            ///< set when the probe failed
};

/// State of a configuration during and after a search.
struct ConfigurationOutcome
{
    enum class State { untouched, measured, failed, pruned };
    State state = State::untouched;
    model::Reason reason{}; ///< set when it failed or was pruned
    double passNs = 0;      ///< median of its blocks, nanoseconds a pass
    int blocks = 0;         ///< number of its blocks
};

struct SearchOutcome
{
    std::optional<std::size_t> winner{};   ///< configuration; nullopt when none met the goal
    std::optional<std::size_t> runnerUp{}; ///< the other finalist; racing alone sets it
    model::Interval ratio{1, 1, 1, 0};     ///< cost of the runner-up over the winner's; > 1: the winner is better
    std::vector<ConfigurationOutcome> configurations;
};

/// A search algorithm. The caller alternates between next() and tell() until next() returns nullopt.
class Searcher
{
public:
    virtual ~Searcher() = default;
    /// The next measurement, or nullopt when the search is over.
    /// REQUIRES: the previous probe was answered by tell().
    virtual std::optional<Probe> next() = 0;
    /// Answers the probe that next() returned last.
    virtual void tell(const ProbeResult& result) = 0;
    /// The outcome so far; may be called at any time.
    virtual SearchOutcome outcome() const = 0;
};

/// The full protocol of one configuration: 5 blocks of 2 s after 0.5 s of warm-up.
inline constexpr int kFullBlocks = 5;
inline constexpr base::Nanoseconds kFullBlock = base::fromSeconds(2);
inline constexpr base::Nanoseconds kFullWarmUp = base::fromMilliseconds(500);

} // namespace apertune::search
