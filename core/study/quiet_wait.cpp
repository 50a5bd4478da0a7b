// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/quiet_wait.h"

#include "core/base/clock.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

namespace apertune::study {

using base::Nanoseconds;

namespace {

constexpr int kSamples = 12; ///< samples of one check of the machine
constexpr int kMostBusy = 6; ///< samples with a runnable thread of other programs, from which on it is busy
constexpr Nanoseconds kPause = base::fromMilliseconds(200); ///< between two checks of a busy machine

} // namespace

std::optional<int> runnableThreads(const std::filesystem::path& proc)
{
    std::ifstream stat(proc / "stat");
    for (std::string word; stat >> word;) {
        int count = 0;
        if (word == "procs_running")
            // The kernel counts the reader too.
            return stat >> count ? std::optional(std::max(0, count - 1)) : std::nullopt;
    }
    return std::nullopt;
}

QuietWait::Machine::Machine()
    : now(base::monotonicNow),
      sleep([](Nanoseconds time) { std::this_thread::sleep_for(std::chrono::nanoseconds(time.count)); })
{
}

bool QuietWait::isQuiet() const
{
    int busy = 0;
    for (int i = 0; i < kSamples; ++i) {
        const auto runnable = m_machine.runnable();
        if (!runnable)
            return true;
        busy += *runnable > 0 ? 1 : 0;
        if (busy >= kMostBusy)
            return false;
        m_machine.sleep({kSamplingTime.count / kSamples});
    }
    return true;
}

bool QuietWait::wait(const std::stop_token& stop, const std::function<void()>& onWait)
{
    bool first = true;
    const Nanoseconds begin = m_machine.now();
    const Nanoseconds allowed = m_left;
    // A quiet machine is left without a wait and without a message.
    bool quiet = isQuiet();
    while (!quiet && m_left.count > 0 && !stop.stop_requested()) {
        if (first && onWait)
            // The message comes once, not at each check.
            onWait();
        first = false;
        m_machine.sleep(kPause);
        quiet = isQuiet();
        // The time of the checks counts as well.
        m_left = std::max(Nanoseconds{}, allowed - (m_machine.now() - begin));
    }
    return quiet;
}

bool QuietWait::spend(Nanoseconds time)
{
    const bool enough = m_left >= time;
    m_left = std::max(Nanoseconds{}, m_left - time);
    return enough;
}

bool othersCompute(const QuietWait::Machine& machine)
{
    constexpr Nanoseconds kBetween = base::fromMilliseconds(50);
    int busy = 0;
    for (int i = 0; i < kChecks; ++i) {
        if (i > 0)
            machine.sleep(kBetween);
        // A wait without an allowance is one check.
        busy += QuietWait(Nanoseconds{}, machine).wait({}) ? 0 : 1;
    }
    return 2 * busy > kChecks;
}

Nanoseconds quietAllowance(std::optional<Nanoseconds> budget, const worker::RunLimits& limits)
{
    // Without a budget there is no share to wait within, so the study does not wait.
    return {static_cast<std::int64_t>(limits.quietShare * static_cast<double>(budget ? budget->count : 0))};
}

} // namespace apertune::study
