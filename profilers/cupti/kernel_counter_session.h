// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"
#include "profilers/cupti/metrics_api.h"

#include <cstddef>
#include <memory>

namespace apertune::profilers {

struct KernelCounterOptions
{
    std::size_t mostKernels = 4096; ///< kernels beyond it are lost and counted
};

/// Counts for every kernel that the calling thread's context runs until stop(), with CUPTI's range profiler: each
/// kernel is a range, and is replayed for each pass.
///
/// REQUIRES: the same thread calls stop().
///
/// Failures: those of MetricsApi::errorOf(), unsupported (no context, the chip has none of the counters).
base::Result<std::unique_ptr<trace::ProfilerSession>> startKernelCounters(const MetricsApi& api,
                                                                          const KernelCounterOptions& options = {});

} // namespace apertune::profilers
