// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/sequence.h"

#include "core/search/reasons.h"
#include "core/search/search_state.h"

namespace apertune::search {

namespace {

class Sequence final : public Searcher
{
public:
    Sequence(const SearchTask& task, std::uint64_t seed, bool shuffled) : m_state(task, seed), m_order(m_state.all())
    {
        if (shuffled)
            m_state.shuffle(m_order);
    }

    std::optional<Probe> next() override
    {
        if (m_at == m_order.size() || m_state.spent()) {
            m_state.pruneRest(model::ReasonKind::budget, base::message<reasons::kBudgetSpent>());
            return std::nullopt;
        }
        m_probe = {m_order[m_at++], kFullBlocks, kFullBlock, kFullWarmUp, false};
        return m_probe;
    }
    void tell(const ProbeResult& result) override { m_state.note(m_probe, result); }
    SearchOutcome outcome() const override { return m_state.outcome(); }

private:
    SearchState m_state;
    std::vector<std::size_t> m_order;
    std::size_t m_at = 0;
    Probe m_probe{};
};

} // namespace

std::unique_ptr<Searcher> makeSequence(const SearchTask& task, std::uint64_t seed, bool shuffled)
{
    return std::make_unique<Sequence>(task, seed, shuffled);
}

} // namespace apertune::search
