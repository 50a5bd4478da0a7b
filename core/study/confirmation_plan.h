// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/worker/run_limits.h"

#include <cstddef>

namespace apertune::study {

/// Decides how many processes and rounds a confirmation has, within a time that it must not exceed. It plans by what
/// opening and a round cost the last time: a machine that became busy after the sweep makes both longer than expected.
/// It has no clock; `now` is the time since the confirmation began. A value.
///
/// Rules:
///   - The number of processes is the largest, up to RunLimits::confirmProcesses, that opens in 60 % of the time. A
///     third one is worth up to 80 %, because with two processes Student's t has one degree of freedom and a very wide
///     interval.
///   - Processes are given up, down to the one that is open, where their rounds do not fit.
///   - A process has at least its share of kMinConfirmBlocks rounds and ends when its share of the time is spent.
///   - No round and no process begins that would not end in time. The rounds that an interval still lacks
///     (stats::kIntervalSamples) may use the grace, too.
///   - Where two processes at most fit, and twice their time does not, the first one measures the rounds of an interval
///     before time is kept for the second.
///   - Processes beyond the plan are begun one by one, each with its least number of rounds.
class ConfirmationPlan
{
public:
    /// `limit`: the time to plan with. `grace`: the time beyond it that rounds which an interval lacks may take.
    ConfirmationPlan(base::Nanoseconds limit, base::Nanoseconds grace, const worker::RunLimits& limits);

    /// The next process of every trial is open at `now`, after `cost`.
    void opened(base::Nanoseconds now, base::Nanoseconds cost);
    /// A round ended that took `cost`, without waiting for a quiet machine.
    void roundEnded(base::Nanoseconds cost);
    /// The confirmation waited for a quiet machine. That time is lost for processes and rounds.
    void waited(base::Nanoseconds time);
    /// Trials were left out: what one process of the others costs to open, and what a round costs.
    void setCosts(base::Nanoseconds opening, base::Nanoseconds round);

    /// Whether the open process has time for another round. `enough`: its intervals are narrow enough.
    bool anotherRound(base::Nanoseconds now, bool enough) const;
    /// Whether there is time for another process with its least number of rounds.
    bool anotherProcess(base::Nanoseconds now) const;
    /// Adds a process that is beyond the plan, where `limit` has time for it. Returns whether it has.
    bool extend(base::Nanoseconds now, base::Nanoseconds limit);
    /// Number of processes, with those that ended.
    int processes() const;

    /// Most processes with those beyond the plan. The spread of their mean falls by the root of their number only.
    static constexpr int kMostExtended = 15;

    /// A further process is worth opening for that many rounds, or for its share of kMinConfirmBlocks if that is less.
    static constexpr std::size_t kFewestRounds = 3;

private:
    base::Nanoseconds needOf(int processes, std::size_t rounds) const;
    base::Nanoseconds usable() const { return m_limit - m_waited; }
    std::size_t leastRounds() const;

    base::Nanoseconds m_limit;
    base::Nanoseconds m_grace;
    int m_most;
    std::size_t m_mostBlocks;
    int m_opened = 0;            ///< processes that were opened, with the open one
    std::size_t m_rounds = 0;    ///< rounds of the open process
    std::size_t m_allRounds = 0; ///< rounds of all processes
    base::Nanoseconds m_waited{};
    base::Nanoseconds m_openedAt{};
    base::Nanoseconds m_opening{};
    base::Nanoseconds m_round{};
    bool m_extended = false; ///< the open process is beyond the plan
};

inline constexpr std::size_t kMinConfirmBlocks = 10; ///< blocks of a trial that are planned, over all its processes

} // namespace apertune::study
