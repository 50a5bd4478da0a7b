// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/algorithm.h"

<<<<<<< HEAD
#include "core/search/bisect.h"
#include "core/search/halving.h"
#include "core/search/racing.h"
#include "core/search/sequence.h"

    namespace apertune::search
{

=======
#include <algorithm>
#include <cmath>
#include <numeric>

    namespace apertune::search {

    namespace {

    std::vector<std::size_t> allConfigurations(std::size_t n)
    {
        std::vector<std::size_t> configurations(n);
        std::iota(configurations.begin(), configurations.end(), std::size_t{0});
        return configurations;
    }

    /// Measures one configuration after the other by the full protocol: in the task's order, or shuffled.
    class Sequence final : public Searcher
    {
    public:
        Sequence(const SearchTask& task, std::uint64_t seed, bool shuffled) : m_state(task, seed)
        {
            m_order = allConfigurations(m_state.size());
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

    /// Successive halving. Every rung takes the same time, divided evenly among the remaining configurations; the best
    /// third goes on to the next rung.
    class Halving final : public Searcher
    {
    public:
        Halving(const SearchTask& task, std::uint64_t seed)
            : m_state(task, seed), m_rung(allConfigurations(m_state.size()))
        {
            m_state.shuffle(m_rung);
            const double least = (kLeastBlock + kWarmUp).seconds();
            const double all = static_cast<double>(m_state.size()) * (kFullBlock.seconds() + least);
            const double budget = task.measuring.count > 0 ? task.measuring.seconds() : all;
            // When the first rung cannot give every configuration a block, a random part of them is left out.
            while (m_rung.size() > 1 && share(budget) < least)
                m_rung.pop_back();
            m_budget = budget;
            m_rungs = measuredBatches(m_rung.size());
            m_share = share(budget);
        }

        std::optional<Probe> next() override
        {
            if (m_at == m_rung.size() && !advance())
                return std::nullopt;
            if (m_state.spent())
                return std::nullopt;
            const double seconds = std::max(m_share - kWarmUp.seconds(), kLeastBlock.seconds());
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

        static int measuredBatches(std::size_t n)
        {
            int count = 1;
            for (; n > 1; n = (n + kEta - 1) / kEta)
                ++count;
            return std::max(1, count - 1);
        }
        double share(double budget) const
        {
            return budget / measuredBatches(m_rung.size()) / static_cast<double>(m_rung.size());
        }

        bool advance()
        {
            if (m_rung.size() <= 1)
                return false;
            std::stable_sort(m_rung.begin(), m_rung.end(),
                             [&](std::size_t a, std::size_t b) { return m_state.cost(a) < m_state.cost(b); });
            m_rung.resize((m_rung.size() + kEta - 1) / kEta);
            m_at = 0;
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

>>>>>>> libraries
    Algorithm suitable(std::size_t mostPerDevice, base::Nanoseconds budget)
    {
        if (budget.count <= 0)
            return Algorithm::grid;
        const double configurations = static_cast<double>(mostPerDevice);
        constexpr double kProbeSeconds = 0.5; // seconds that one probe takes
        const bool tight = budget.seconds() < configurations * kShareLeast.seconds();
        const bool roomToRace =
            budget.seconds() >= configurations * kProbeSeconds + 2 * kFullBlocks * kFullBlock.seconds();
        return mostPerDevice > kFewConfigurations || (tight && roomToRace) ? Algorithm::racing : Algorithm::grid;
    }

    std::unique_ptr<Searcher> makeSearcher(Algorithm algorithm, const SearchTask& task, std::uint64_t seed)
    {
        switch (algorithm) {
        case Algorithm::racing:
            return makeRacing(task, seed);
        case Algorithm::halving:
            return makeHalving(task, seed);
        case Algorithm::bisect:
            return makeBisect(task, seed);
        case Algorithm::random:
            return makeSequence(task, seed, true);
        case Algorithm::grid:
            break;
        }
        return makeSequence(task, seed, false);
    }

    } // namespace apertune::search
