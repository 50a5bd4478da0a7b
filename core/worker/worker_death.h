// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/model/trial.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace apertune::worker {

/// Whether a log holds the words of an allocator that gave up. A compiled package loses the type of that error, so
/// that its log is the only witness.
bool tellsOutOfMemory(std::string_view log);

/// Processes that this kernel has killed for want of memory since it booted; 0 where it does not say.
std::int64_t kernelOomKills();

/// Why a worker that ended on its own did so. `log` is what it wrote since the last command, `oomKills` how often the
/// kernel killed for want of memory meanwhile. Kind "oom" when there is evidence, else "crash".
model::Reason explainDeath(const base::ChildExit& exit, std::string_view log, std::int64_t oomKills);

} // namespace apertune::worker
