// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/worker_death.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/worker/reasons.h"

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

bool mentionsOutOfMemory(std::string_view log)
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
    // A SIGKILL alone may have come from a user, so the kernel's counter has to confirm it.
    if (exit.signal == SIGKILL && oomKills > 0)
        return model::Reason{model::ReasonKind::outOfMemory, base::message<reasons::kKilledForMemory>()};
    if (mentionsOutOfMemory(log))
        return model::Reason{model::ReasonKind::outOfMemory, base::message<reasons::kOutOfMemory>(how)};
    if (exit.signal == SIGKILL)
        return model::Reason{model::ReasonKind::crash, base::message<reasons::kKilled>()};
    if (exit.signal != 0)
        return model::Reason{model::ReasonKind::crash, base::message<reasons::kCrashed>(how)};
    return model::Reason{model::ReasonKind::crash, base::message<reasons::kExited>(how)};
}

} // namespace apertune::worker
