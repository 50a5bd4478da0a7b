// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/model/trial.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace apertune::worker {

/// Returns whether a log contains the message of an allocator that failed. A compiled package loses the type of that
/// error, so its log is the only evidence.
bool mentionsOutOfMemory(std::string_view log);

/// Returns the number of processes that the kernel has killed for lack of memory since it booted; 0 when unknown.
std::int64_t kernelOomKills();

/// Returns the reason why a worker ended by itself: kind "oom" when there is evidence for it, else "crash". `log` is
/// its output since the last command; `oomKills` is the number of processes that the kernel killed for lack of memory
/// meanwhile.
model::Reason explainDeath(const base::ChildExit& exit, std::string_view log, std::int64_t oomKills);

} // namespace apertune::worker
