// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/race_budget.h"

#include "core/search/notebook.h"

#include <algorithm>

namespace apertune::search {

namespace {

constexpr double kSecondLook = 0.5; ///< of the walks' time, for cells that they left out
constexpr double kLookPasses = 6;   ///< that a first look takes at least, with loading, warm-up and outputs compared
constexpr double kReserveMost = 1.0 / 3;
constexpr double kLastMost = 1.0 / 6;

} // namespace

void RaceBudget::count(const Probe& probe, const ProbeResult& result)
{
    const SearchTask& task = m_notes.task();
    if (task.families[task.cells[probe.cell].family].compile.count <= 0 && m_opened.insert(probe.cell).second)
        m_opening += result.wall - result.measuring;
}

base::Nanoseconds RaceBudget::reserve() const
{
    const SearchTask& task = m_notes.task();
    const double race = static_cast<double>(task.openAtOnce) * kRoundsLeast * kRaceBlock.seconds();
    const double all = race + 2 * kFullBlocks * kFullBlock.seconds();
    return base::fromSeconds(task.measuring.count > 0 ? std::min(all, kReserveMost * task.measuring.seconds()) : all);
}

base::Nanoseconds RaceBudget::reserveWall() const
{
    const double opened = static_cast<double>(std::max<std::size_t>(1, m_opened.size()));
    return reserve() + base::fromSeconds(m_opening.seconds() / opened * static_cast<double>(m_notes.task().openAtOnce));
}

base::Nanoseconds RaceBudget::lastTime() const
{
    const base::Nanoseconds full{kFullBlocks * kFullBlock.count};
    const base::Nanoseconds budget = m_notes.task().measuring;
    return budget.count > 0 ? std::min(full, base::fromSeconds(kLastMost * budget.seconds())) : full;
}

base::Nanoseconds RaceBudget::share(base::Nanoseconds begin, std::ptrdiff_t toCome) const
{
    return {(m_notes.task().measuring - begin - reserve()).count / (toCome + 1)};
}

bool RaceBudget::shareSpent(base::Nanoseconds begin, std::ptrdiff_t toCome) const
{
    return m_notes.task().measuring.count > 0 && m_notes.measuring() - begin > share(begin, toCome);
}

bool RaceBudget::lookFits(std::size_t cell, base::Nanoseconds time, double cost) const
{
    return kLookPasses * cost * m_notes.task().cells[cell].batch <= static_cast<double>(time.count);
}

void RaceBudget::startWithin(base::Nanoseconds time, double cost, std::vector<std::size_t>& ladder) const
{
    std::size_t at = ladder.size() - 1;
    while (at > 0 && !lookFits(ladder[at], time, cost))
        --at;
    std::rotate(ladder.begin() + static_cast<std::ptrdiff_t>(at), ladder.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                ladder.end());
}

bool RaceBudget::secondLookEnds(base::Nanoseconds walks) const
{
    const SearchTask& task = m_notes.task();
    return m_notes.wall().seconds() > (1 + kSecondLook) * walks.seconds() ||
           (task.wall.count > 0 && m_notes.wall() + reserveWall() > task.wall) ||
           (task.measuring.count > 0 && m_notes.measuring() + reserve() > task.measuring);
}

} // namespace apertune::search
