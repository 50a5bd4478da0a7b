// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/base/units.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace apertune::worker {

// Readings of the machine besides the model. All of them are taken between blocks, never inside one. A reading that the
// system does not offer is 0.

/// Times of a thread of this process, since its start.
struct ThreadTimes
{
    std::int64_t id = 0;
    base::Nanoseconds ran{};
    base::Nanoseconds waited{}; ///< time in which it could run but had no processor
};

/// The threads of this process, ordered by id (/proc/self/task/*/schedstat).
std::vector<ThreadTimes> threadTimes(const std::filesystem::path& proc = "/proc");

/// The longest time that one thread waited between two readings. A new thread counts from its start.
base::Nanoseconds longestWait(const std::vector<ThreadTimes>& before, const std::vector<ThreadTimes>& after);

/// Times of the whole machine since it was started. The kernel counts in ticks of 10 ms, so only differences over many
/// ticks mean much.
struct MachineTimes
{
    base::Nanoseconds busy{};     ///< time of all processors, without steal time
    base::Nanoseconds steal{};    ///< time in which the hypervisor ran something else
    base::Nanoseconds pressure{}; ///< time in which some thread waited for a processor (/proc/pressure/cpu)
    int processors = 0;
};
MachineTimes machineTimes(const std::filesystem::path& proc = "/proc");

/// The time for which the process's control group was throttled because its quota was used up (cpu.stat of version 2 or
/// 1).
base::Nanoseconds heldBack();

/// The number of processors that this process may use.
int allowedProcessors();

/// Steps per nanosecond of a loop in which each step waits for the one before. Such a loop shows the processor's clock
/// and little else. It takes the fastest of three short rounds, about 50 µs in all.
double clockRate();

/// A check of the clocks, on which all other numbers depend. A worker makes it at its start, in about 5 ms.
struct TimerCheck
{
    base::Nanoseconds resolution{}; ///< smallest step of CLOCK_MONOTONIC in the readings
    base::Nanoseconds cost{};       ///< time of one reading
    double scaling = 0;             ///< time of 2n steps of a loop, divided by that of n; about 2 if the clock is right
    double cpuShare = 0;   ///< processor time of a loop, divided by wall time; at most 1 if the clocks are right
    base::Message problem; ///< empty: no problem was found
};
TimerCheck checkTimers();

/// Returns what is wrong with the figures; empty: nothing. `wentBack`: a reading was smaller than the one before.
base::Message timerProblem(const TimerCheck& check, bool wentBack);

} // namespace apertune::worker
