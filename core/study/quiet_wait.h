// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/worker/run_limits.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>

namespace apertune::study {

/// Returns how many threads of the machine run or wait for a processor now, without the calling one ("procs_running" of
/// /proc/stat). nullopt where the system does not report it.
std::optional<int> runnableThreads(const std::filesystem::path& proc = "/proc");

/// Waits until other programs leave the processors alone, for a limited time in all. Call it between blocks, when no
/// worker of the study computes. One thread.
class QuietWait
{
public:
    /// The machine as it is seen. Tests put scripts in their place.
    struct Machine
    {
        std::function<std::optional<int>()> runnable = [] { return runnableThreads(); };
        std::function<base::Nanoseconds()> now;
        std::function<void(base::Nanoseconds)> sleep;
        Machine();
    };

    /// `allowance`: the sum of all waits.
    explicit QuietWait(base::Nanoseconds allowance) : QuietWait(allowance, Machine{}) {}
    QuietWait(base::Nanoseconds allowance, Machine machine) : m_left(allowance), m_machine(std::move(machine)) {}

    /// Returns at once when the machine is quiet: in less than half of the samples of kSamplingTime a thread of other
    /// programs was runnable. Otherwise waits until it is, until the allowance is spent, or until a stop is requested.
    /// `onWait` is called before the first wait of a call. Returns whether the machine was quiet at the end; true where
    /// the system does not report it.
    bool wait(const std::stop_token& stop, const std::function<void()>& onWait = {});

    /// Takes `time` from the allowance, for a measurement that has to be repeated. Returns whether that much was left.
    bool spend(base::Nanoseconds time);

    base::Nanoseconds left() const { return m_left; }

    static constexpr base::Nanoseconds kSamplingTime = base::fromMilliseconds(60);

private:
    bool isQuiet() const;

    base::Nanoseconds m_left;
    Machine m_machine;
};

/// Returns whether other programs compute: in most of kChecks checks within half a second, the machine was not quiet.
/// False where the system does not report it.
bool othersCompute(const QuietWait::Machine& machine = {});
inline constexpr int kChecks = 5;

/// Returns how long a study waits for a quiet machine in all: a share of its budget (RunLimits::quietShare), nothing
/// without a budget, because then nobody said how long it may take.
base::Nanoseconds quietAllowance(std::optional<base::Nanoseconds> budget, const worker::RunLimits& limits);

} // namespace apertune::study
