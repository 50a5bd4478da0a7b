// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/search/searcher.h"

namespace apertune::search {

/// What all searchers keep: samples, costs, fates. Private to this folder.
class SearchState
{
public:
    explicit SearchState(const SearchTask& task, std::uint64_t seed);

    const SearchTask& task() const { return m_task; }
    std::size_t size() const { return m_task.configurations.size(); }

    void note(const Probe& probe, const ProbeResult& result);
    void prune(std::size_t configuration, model::ReasonKind kind, base::Message why);
    /// Every untouched configuration becomes pruned.
    void pruneRest(model::ReasonKind kind, const base::Message& why);

    const ConfigurationOutcome& outcomeOf(std::size_t configuration) const { return m_outcomes[configuration]; }
    const std::vector<double>& samples(std::size_t configuration) const { return m_samples[configuration]; }
    std::optional<base::Bytes> peak(std::size_t configuration) const { return m_peaks[configuration]; }
    base::Nanoseconds measuring() const { return m_measuring; }
    base::Nanoseconds wall() const { return m_wall; }
    bool spent() const; ///< a budget is used up

    /// Cost of the objective, smaller is better: ns a sample, ns a pass or bytes. INFINITY without samples, or where
    /// a bound of the goal is broken.
    double cost(std::size_t configuration) const;
    /// The same of the fastest block: a disturbed block is slower, never faster.
    double optimisticCost(std::size_t configuration) const;
    double costOf(std::size_t configuration, double passNs) const;
    /// Whether the measured values keep the goal's bounds.
    bool isAllowed(std::size_t configuration, double passNs) const;

    std::optional<std::size_t> best() const;
    /// Position in [0, n): the same with every standard library.
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
