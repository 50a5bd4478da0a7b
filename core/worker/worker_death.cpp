// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/worker_death.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

namespace apertune::worker {

namespace {
constexpr std::array<std::string_view, 7> kOutOfMemoryWords{
    "can't allocate memory",      "cannot allocate memory",    "out of memory",  "outofmemory",
    "cublas_status_alloc_failed", "cudnn_status_alloc_failed", "std::bad_alloc",
};
} // namespace

bool tellsOutOfMemory(std::string_view log)
{
    const std::string lower = base::lower(log);
    return std::any_of(kOutOfMemoryWords.begin(), kOutOfMemoryWords.end(),
                       [&](std::string_view words) { return lower.find(words) != std::string::npos; });
}

std::int64_t kernelOomKills()
{
    const auto text = base::readFile("/proc/vmstat");
    constexpr std::string_view kName = "\noom_kill ";
    const std::size_t at = text ? text->find(kName) : std::string::npos;
    return at == std::string::npos ? 0 : std::atoll(text->c_str() + at + kName.size());
}

model::Reason explainDeath(const base::ChildExit& exit, std::string_view log, std::int64_t oomKills)
{
    const std::string how = base::describe(exit);
    if (exit.signal == SIGKILL && oomKills > 0)
        return {"oom", "The kernel killed the worker for want of memory (SIGKILL).", {}};
    if (tellsOutOfMemory(log))
        return {"oom", "The worker ran out of memory and died (" + how + ").", {}};
    if (exit.signal == SIGKILL)
        return {"crash", "The worker was killed by SIGKILL, by another process or for want of memory.", {}};
    if (exit.signal != 0)
        return {"crash", "The worker crashed: " + how + ".", {}};
    return {"crash", "The worker ended by itself: " + how + ".", {}};
}

} // namespace apertune::worker
