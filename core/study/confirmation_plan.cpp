// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/confirmation_plan.h"

#include "core/stats/block_stats.h"

#include <algorithm>

namespace apertune::study {

using base::Nanoseconds;

namespace {

/// The share of kMinConfirmBlocks that each of some processes has.
std::size_t shareOf(int processes)
{
    const auto each = static_cast<std::size_t>(processes);
    // Rounded up: the blocks of all processes together must not be fewer than planned.
    return (kMinConfirmBlocks + each - 1) / each;
}

} // namespace

ConfirmationPlan::ConfirmationPlan(Nanoseconds limit, Nanoseconds grace, const worker::RunLimits& limits)
    : m_limit(limit), m_grace(grace), m_most(std::max(2, limits.confirmProcesses)),
      m_mostBlocks(static_cast<std::size_t>(std::max(1, limits.maxBlocks)))
{
}

void ConfirmationPlan::opened(Nanoseconds now, Nanoseconds cost)
{
    ++m_opened;
    m_rounds = 0;
    m_openedAt = now;
    m_opening = cost;
}

void ConfirmationPlan::roundEnded(Nanoseconds cost)
{
    ++m_rounds;
    ++m_allRounds;
    m_round = cost;
}

void ConfirmationPlan::waited(Nanoseconds time)
{
    m_waited += time;
}

void ConfirmationPlan::setCosts(Nanoseconds opening, Nanoseconds round)
{
    m_opening = opening;
    m_round = round;
}

Nanoseconds ConfirmationPlan::needOf(int processes, std::size_t rounds) const
{
    return {processes * (m_opening.count + static_cast<std::int64_t>(rounds) * m_round.count)};
}

int ConfirmationPlan::processes() const
{
    const auto time = static_cast<double>(usable().count);
    // At least a nanosecond, so that a cost that is not known yet does not divide by zero.
    const double once = std::max(1.0, static_cast<double>(m_opening.count));
    // At most 60 % of the time goes into opening workers; the rest is for rounds.
    int count = static_cast<int>(std::clamp(0.6 * time / once, 2.0, static_cast<double>(m_most)));
    // Three processes are allowed 80 %, because with two the spread between processes is hardly known.
    if (count == 2 && m_most > 2 && 3 * once <= 0.8 * time)
        count = 3;
    // Fewer processes with enough rounds are better than many with too few.
    while (count > 2 && needOf(count, shareOf(count)) > usable())
        --count;
    if (count == 2 && needOf(2, kFewestRounds) > usable())
        count = 1;
    // Processes that were opened already cannot be undone.
    return std::max(count, m_opened);
}

bool ConfirmationPlan::extend(Nanoseconds now, Nanoseconds limit)
{
    const Nanoseconds need = needOf(1, std::max(leastRounds(), kFewestRounds));
    if (m_opened >= kMostExtended || now + need > limit)
        return false;
    m_extended = true;
    m_limit = now + need;
    return true;
}

std::size_t ConfirmationPlan::leastRounds() const
{
    return shareOf(processes());
}

bool ConfirmationPlan::anotherRound(Nanoseconds now, bool enough) const
{
    if (m_extended)
        return m_rounds < std::max(leastRounds(), kFewestRounds) && now + m_round <= m_limit;
    // The number may fall after each process, because costs become known.
    int count = processes();
    // Where time is short, the rounds of an interval come before a second process. Rounds of a machine that becomes
    // busy would leave both processes with too few.
    const bool lacksRounds = m_allRounds < static_cast<std::size_t>(stats::kIntervalSamples);
    const Nanoseconds need = needOf(count, shareOf(count));
    if (lacksRounds && count <= 2 && need + need > usable())
        return now + m_round <= m_limit + m_grace;
    if (!anotherProcess(now))
        count = m_opened;
    const std::size_t least = shareOf(count);
    if (m_rounds >= std::max(least, m_mostBlocks / static_cast<std::size_t>(count)))
        return false;
    // The least time of the processes that follow is kept for them, unless it is not there any more.
    const Nanoseconds following = needOf(count - m_opened, std::min(least, kFewestRounds));
    if (now + m_round > (now + following <= m_limit ? m_limit - following : m_limit))
        return false;
    if (m_rounds < least)
        return true;
    // Beyond its least rounds, a process goes on only within its own share, and stops once the target is met with
    // double the rounds.
    const Nanoseconds share{std::max<std::int64_t>(0, usable().count - count * m_opening.count) / count};
    return now - m_openedAt < share && !(enough && m_rounds >= 2 * least);
}

bool ConfirmationPlan::anotherProcess(Nanoseconds now) const
{
    return m_opened < processes() && now + needOf(1, std::min(leastRounds(), kFewestRounds)) <= m_limit;
}

} // namespace apertune::study
