// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/bisect.h"

#include "core/search/reasons.h"
#include "core/search/search_state.h"

#include <algorithm>

namespace apertune::search {

namespace {

class Bisect final : public Searcher
{
public:
    Bisect(const SearchTask& task, std::uint64_t seed) : m_state(task, seed)
    {
        for (std::size_t configuration = 0; configuration < task.configurations.size(); ++configuration)
            // Configurations without a number of float layers are the plain ones, which are all measured.
            (floatLayerCount(configuration) ? m_chain : m_others).push_back(configuration);
        std::stable_sort(m_chain.begin(), m_chain.end(),
                         [this](std::size_t a, std::size_t b) { return *floatLayerCount(a) < *floatLayerCount(b); });
        // The end of the chain means that no configuration is known to keep the bound.
        m_good = m_chain.size();
    }

    std::optional<Probe> next() override
    {
        if (m_state.spent()) {
            m_state.pruneRest(model::ReasonKind::budget, base::message<reasons::kBudgetSpent>());
            return std::nullopt;
        }
        if (m_asked < m_others.size()) {
            m_probe = probe(m_others[m_asked++]);
            m_inChain = false;
            return m_probe;
        }
        // All places before this one failed and this one passed, so the search is over.
        if (m_low >= m_good) {
            close();
            return std::nullopt;
        }
        // As a rule few layers are enough, and every step costs a conversion, so the search starts near the beginning
        // and doubles its step. Once a configuration failed and one passed, it is an ordinary bisection.
        const std::size_t ahead = std::min(m_low + m_step, m_chain.size() - 1);
        m_at = m_good < m_chain.size() ? (m_low + m_good) / 2 : ahead;
        // The steps are 0, 1, 3, 7, …: each doubles the part of the chain that was looked at.
        m_step = m_low == 0 ? 0 : 2 * m_step + 1;
        m_probe = probe(m_chain[m_at]);
        m_inChain = true;
        return m_probe;
    }

    void tell(const ProbeResult& result) override
    {
        m_state.note(m_probe, result);
        if (!m_inChain)
            return;
        // Failing includes a quality below the bound: the caller reports such a trial as failed.
        if (result.end == ProbeResult::End::ok)
            m_good = m_at;
        else
            m_low = m_at + 1;
    }

    SearchOutcome outcome() const override { return m_state.outcome(); }

private:
    std::optional<std::size_t> floatLayerCount(std::size_t configuration) const
    {
        return m_state.task().groups[m_state.task().configurations[configuration].group].floatLayerCount;
    }
    static Probe probe(std::size_t configuration)
    {
        return {configuration, kFullBlocks, kFullBlock, kFullWarmUp, false};
    }

    void close()
    {
        for (std::size_t i = 0; i < m_chain.size(); ++i)
            if (m_state.outcomeOf(m_chain[i]).state == ConfigurationOutcome::State::untouched)
                m_state.prune(m_chain[i], model::ReasonKind::bisect,
                              i < m_good ? base::message<reasons::kTooLittleInFloat>()
                                         : base::message<reasons::kEnoughInFloat>());
    }

    SearchState m_state;
    std::vector<std::size_t> m_chain;
    std::vector<std::size_t> m_others;
    std::size_t m_asked = 0;
    std::size_t m_low = 0;  ///< every place of the chain before this one failed
    std::size_t m_good = 0; ///< first place known to keep the bound; the chain's length when there is none
    std::size_t m_step = 0; ///< distance of the next probe while no configuration has passed
    std::size_t m_at = 0;
    bool m_inChain = false;
    Probe m_probe{};
};

} // namespace

std::unique_ptr<Searcher> makeBisect(const SearchTask& task, std::uint64_t seed)
{
    return std::make_unique<Bisect>(task, seed);
}

} // namespace apertune::search
