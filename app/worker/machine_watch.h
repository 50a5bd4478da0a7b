// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace apertune::worker {

/// What the machine does beside the model. Everything here is read between blocks, never inside one. What a system
/// does not tell counts as 0.

/// A thread of this process, since its start.
struct ThreadTimes
{
    std::int64_t id = 0;
    base::Nanoseconds ran{};
    base::Nanoseconds waited{}; ///< could run, but had no processor
};

/// The threads of this process, by id (/proc/self/task/*/schedstat).
std::vector<ThreadTimes> threadTimes(const std::filesystem::path& proc = "/proc");

/// The longest that one thread waited between two readings; one that is new counts from its start.
base::Nanoseconds longestWait(const std::vector<ThreadTimes>& before, const std::vector<ThreadTimes>& after);

/// The whole machine, since it was started. Kernels count in ticks of 10 ms, so only differences over many mean much.
struct MachineTimes
{
    base::Nanoseconds busy{};     ///< time of all processors, without steal time
    base::Nanoseconds steal{};    ///< the hypervisor ran something else
    base::Nanoseconds pressure{}; ///< some thread waited for a processor (/proc/pressure/cpu)
    int processors = 0;
};
MachineTimes machineTimes(const std::filesystem::path& proc = "/proc");

/// Time for which the process's control group was held back because its quota was used up (cpu.stat of version 2 or 1).
base::Nanoseconds heldBack();

/// Processors that this process may use.
int allowedProcessors();

/// Steps a nanosecond of a loop that waits for its own result each step, so that it sees the processor's clock and
/// little else: the fastest of three short rounds, about 50 µs in all.
double clockRate();

/// Timers that lie make every number here a lie: what a worker finds out about its own at its start, in about 5 ms.
struct TimerCheck
{
    base::Nanoseconds resolution{}; ///< smallest step of CLOCK_MONOTONIC that was seen
    base::Nanoseconds cost{};       ///< of reading it
    double scaling = 0;             ///< time of 2n steps of a loop over that of n: 2
    double cpuShare = 0;            ///< processor time over wall time of a loop: at most 1
    std::string problem;            ///< one sentence; empty: nothing found
};
TimerCheck checkTimers();

/// What is wrong with the figures, as a sentence; "" when nothing is.
std::string judgeTimers(const TimerCheck& check, bool wentBack);

} // namespace apertune::worker
