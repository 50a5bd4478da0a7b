// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/race_budget.h"

#include "core/search/search_state.h"

#include <algorithm>

namespace apertune::search {

namespace {

constexpr double kRescueShare = 0.05; ///< time of the rescue pass over that of the batch searches
constexpr double kProbePasses = 6;    ///< least number of passes in a first probe, with load, warm-up and quality
constexpr base::Nanoseconds kTypicalLoad = base::fromSeconds(1); ///< time to start a worker that loads a model
constexpr double kReserveMost = 1.0 / 3;      ///< largest share of the measuring budget that the race and the end keep
constexpr double kFinalistTimeMost = 1.0 / 6; ///< largest share of the measuring budget for one finalist's final rounds

} // namespace

void RaceBudget::count(const Probe& probe, const ProbeResult& result)
{
    const SearchTask& task = m_state.task();
    const ConfigurationGroup& group = task.groups[task.configurations[probe.configuration].group];
    m_conversions.note(group.convert, result.convert);
    m_compilations.note(group.compile, result.convert);
    // Compiling happens once, so a compiled group would make opening look slower than it is in the race.
    if (group.compile.count <= 0 && m_opened.insert(probe.configuration).second)
        m_opening += result.wall - result.measuring;
}

base::Nanoseconds RaceBudget::firstProbe(base::Nanoseconds convert) const
{
    return m_conversions.of(convert + kTypicalLoad);
}

base::Nanoseconds RaceBudget::reserve() const
{
    const SearchTask& task = m_state.task();
    // A race of as many arms as stay open, and two finalists over the full protocol.
    const double race = static_cast<double>(task.openAtOnce) * kRoundsLeast * kRaceBlock.seconds();
    const double all = race + 2 * kFullBlocks * kFullBlock.seconds();
    return base::fromSeconds(task.measuring.count > 0 ? std::min(all, kReserveMost * task.measuring.seconds()) : all);
}

base::Nanoseconds RaceBudget::reserveWall() const
{
    const double opened = static_cast<double>(std::max<std::size_t>(1, m_opened.size()));
    // The average cost of an opening so far stands for the openings of the race.
    return reserve() + base::fromSeconds(m_opening.seconds() / opened * static_cast<double>(m_state.task().openAtOnce));
}

base::Nanoseconds RaceBudget::finalistTime() const
{
    const base::Nanoseconds full{kFullBlocks * kFullBlock.count};
    const base::Nanoseconds budget = m_state.task().measuring;
    return budget.count > 0 ? std::min(full, base::fromSeconds(kFinalistTimeMost * budget.seconds())) : full;
}

base::Nanoseconds RaceBudget::share(base::Nanoseconds begin, std::ptrdiff_t remaining) const
{
    // One share more than searches wait, because this search takes one.
    return {(m_state.task().measuring - begin - reserve()).count / (remaining + 1)};
}

bool RaceBudget::shareSpent(base::Nanoseconds begin, std::ptrdiff_t remaining) const
{
    return m_state.task().measuring.count > 0 && m_state.measuring() - begin > share(begin, remaining);
}

bool RaceBudget::probeFits(std::size_t configuration, base::Nanoseconds time, double cost) const
{
    // `cost` is in nanoseconds a sample, so the batch makes it the time of a pass.
    return kProbePasses * cost * m_state.task().configurations[configuration].batch <= static_cast<double>(time.count);
}

void RaceBudget::startWithin(base::Nanoseconds time, double cost, std::vector<std::size_t>& batches) const
{
    std::size_t at = batches.size() - 1;
    while (at > 0 && !probeFits(batches[at], time, cost))
        --at;
    // Larger batches stay in the list: they follow when time is left.
    std::rotate(batches.begin() + static_cast<std::ptrdiff_t>(at),
                batches.begin() + static_cast<std::ptrdiff_t>(at) + 1, batches.end());
}

bool RaceBudget::rescueEnds(base::Nanoseconds batchSearches) const
{
    const SearchTask& task = m_state.task();
    // The rescue pass may take a share of the time that the batch searches took.
    return m_state.wall().seconds() > (1 + kRescueShare) * batchSearches.seconds() ||
           (task.wall.count > 0 && m_state.wall() + reserveWall() > task.wall) ||
           (task.measuring.count > 0 && m_state.measuring() + reserve() > task.measuring);
}

} // namespace apertune::search
