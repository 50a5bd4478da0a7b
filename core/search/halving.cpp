// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/halving.h"

#include "core/search/search_state.h"

#include <algorithm>
#include <cmath>

namespace apertune::search {

namespace {

class Halving final : public Searcher
{
public:
    // The order within a rung is random, so that the plan's order favours nobody.
    Halving(const SearchTask& task, std::uint64_t seed) : m_state(task, seed), m_rung(m_state.all())
    {
        m_state.shuffle(m_rung);
        const double least = (kLeastBlock + kWarmUp).seconds();
        // Without a budget, every configuration can have a full block and the least of the first rung.
        const double all = static_cast<double>(m_state.size()) * (kFullBlock.seconds() + least);
        const double budget = task.measuring.count > 0 ? task.measuring.seconds() : all;
        // When the first rung cannot give every configuration a block, a random part of them is left out.
        while (m_rung.size() > 1 && share(budget) < least)
            m_rung.pop_back();
        m_budget = budget;
        m_rungs = countRungs(m_rung.size());
        m_share = share(budget);
    }

    std::optional<Probe> next() override
    {
        if (m_at == m_rung.size() && !advance())
            return std::nullopt;
        if (m_state.spent())
            return std::nullopt;
        const double seconds = std::max(m_share - kWarmUp.seconds(), kLeastBlock.seconds());
        // At most ten blocks: a longer share makes longer blocks and not more of them.
        const int blocks = std::clamp(static_cast<int>(seconds / kLeastBlock.seconds()), 1, 10);
        m_probe = {m_rung[m_at++], blocks, base::fromSeconds(seconds / blocks), kWarmUp, false};
        return m_probe;
    }
    void tell(const ProbeResult& result) override { m_state.note(m_probe, result); }

    SearchOutcome outcome() const override
    {
        SearchOutcome outcome = m_state.outcome();
        // Only the last rung decides, because the few blocks of an early rung may have been luck.
        for (const std::size_t configuration : m_rung)
            if (std::isfinite(m_state.cost(configuration)) &&
                (!outcome.winner || !std::count(m_rung.begin(), m_rung.end(), *outcome.winner) ||
                 m_state.cost(configuration) < m_state.cost(*outcome.winner)))
                outcome.winner = configuration;
        return outcome;
    }

private:
    static constexpr base::Nanoseconds kLeastBlock = base::fromMilliseconds(200);
    static constexpr base::Nanoseconds kWarmUp = base::fromMilliseconds(100);
    static constexpr std::size_t kEta = 3;

    static int countRungs(std::size_t n)
    {
        int count = 1;
        for (; n > 1; n = (n + kEta - 1) / kEta)
            ++count;
        return std::max(1, count - 1);
    }
    double share(double budget) const
    {
        return budget / countRungs(m_rung.size()) / static_cast<double>(m_rung.size());
    }

    bool advance()
    {
        if (m_rung.size() <= 1)
            return false;
        std::stable_sort(m_rung.begin(), m_rung.end(),
                         [&](std::size_t a, std::size_t b) { return m_state.cost(a) < m_state.cost(b); });
        // A third survives each rung, rounded up.
        m_rung.resize((m_rung.size() + kEta - 1) / kEta);
        m_at = 0;
        // One configuration alone has won.
        if (m_rung.size() <= 1)
            return false;
        m_share = m_budget / m_rungs / static_cast<double>(m_rung.size());
        return true;
    }

    SearchState m_state;
    std::vector<std::size_t> m_rung;
    double m_budget = 0;
    int m_rungs = 1;
    double m_share = 0;
    std::size_t m_at = 0;
    Probe m_probe{};
};

} // namespace

std::unique_ptr<Searcher> makeHalving(const SearchTask& task, std::uint64_t seed)
{
    return std::make_unique<Halving>(task, seed);
}

} // namespace apertune::search
