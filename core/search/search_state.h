// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/search/searcher.h"

namespace apertune::search {

/// State that all searchers share: samples, memory peaks and outcomes of the configurations, and the time spent.
/// Configurations are positions in SearchTask::configurations. Private to this folder. One thread.
class SearchState
{
public:
    /// Copies `task`. `seed` determines below() and shuffle().
    explicit SearchState(const SearchTask& task, std::uint64_t seed);

    const SearchTask& task() const { return m_task; }
    std::size_t size() const { return m_task.configurations.size(); }
    std::vector<std::size_t> all() const; ///< every configuration, in the order of the task

    /// Adds an answer to the configuration's samples and to the time spent.
    void note(const Probe& probe, const ProbeResult& result);
    /// Prunes an untouched configuration; does nothing to any other.
    void prune(std::size_t configuration, model::ReasonKind kind, base::Message why);
    /// Prunes every untouched configuration.
    void pruneRest(model::ReasonKind kind, const base::Message& why);

    const ConfigurationOutcome& outcomeOf(std::size_t configuration) const { return m_outcomes[configuration]; }
    const std::vector<double>& samples(std::size_t configuration) const { return m_samples[configuration]; }
    std::optional<base::Bytes> peak(std::size_t configuration) const { return m_peaks[configuration]; }
    base::Nanoseconds measuring() const { return m_measuring; }
    base::Nanoseconds wall() const { return m_wall; }
    bool spent() const; ///< whether one of the budgets is used up

    /// Cost by the median block, where smaller is better: ns a sample (throughput), ns a pass (latency) or bytes
    /// (memory). INFINITY without samples, or where a bound of the goal is broken.
    double cost(std::size_t configuration) const;
    /// Cost by the fastest block, because a disturbance makes a block slower and never faster.
    double optimisticCost(std::size_t configuration) const;
    /// Cost that the configuration would have if a pass took `passNs`.
    double costOf(std::size_t configuration, double passNs) const;
    /// Whether a pass of `passNs` and the measured peak keep the goal's bounds on the median and on memory.
    bool isAllowed(std::size_t configuration, double passNs) const;

    std::optional<std::size_t> best() const; ///< configuration of least cost(); nullopt when none is finite
    /// Random number in [0, n), the same with every standard library.
    std::size_t below(std::size_t n);
    void shuffle(std::vector<std::size_t>& configurations);

    SearchOutcome outcome() const;

private:
    const SearchTask m_task;
    base::Random m_random;
    std::vector<std::vector<double>> m_samples;
    std::vector<std::optional<base::Bytes>> m_peaks;
    std::vector<ConfigurationOutcome> m_outcomes;
    base::Nanoseconds m_measuring{};
    base::Nanoseconds m_wall{};
};

} // namespace apertune::search
