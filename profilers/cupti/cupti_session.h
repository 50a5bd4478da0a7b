// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"
#include "profilers/cupti/cupti_api.h"

#include <cstddef>
#include <memory>

namespace apertune::profilers {

struct CuptiOptions
{
    std::size_t readyBuffers = 8; ///< number of 8 MiB buffers that are made before recording begins
    std::size_t mostBuffers = 64; ///< the memory cap; records beyond it are lost and counted
    base::Nanoseconds flushPeriod = base::fromMilliseconds(500);
    trace::GraphRecords graphs = trace::GraphRecords::nodes;
};

/// Subscribes to CUPTI, enables the activity kinds in the order that CUPTI needs, and records until stop(). The session
/// has two threads, one that flushes and one that decodes. It never calls CUPTI while it holds a lock.
///
/// REQUIRES: `api` outlives the session.
///
/// Failures, after which everything that was enabled is disabled again:
/// * busy: another tool is the only subscriber of the process (its name is in the message), or PyTorch's own profiler
///   was requested;
/// * unsupported: no NVIDIA driver, or no permission;
/// * internal.
base::Result<std::unique_ptr<trace::ProfilerSession>> startCupti(const CuptiApi& api, const CuptiOptions& options = {});

} // namespace apertune::profilers
