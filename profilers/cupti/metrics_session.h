// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"
#include "profilers/cupti/metrics_api.h"

#include <chrono>
#include <cstddef>
#include <memory>

namespace apertune::profilers {

struct SampleOptions
{
    base::Nanoseconds interval{100'000};                ///< time between samples; 10 kHz
    std::size_t hardwareBuffer = std::size_t{64} << 20; ///< bytes
    std::uint32_t samplesPerDecode = 1024;              ///< number of samples in one counter data image
    std::chrono::milliseconds decodePeriod{10};
    std::size_t mostSamples = 2'000'000; ///< samples beyond it are lost and counted
};

struct KernelCounterOptions
{
    std::size_t mostKernels = 4096; ///< kernels beyond it are lost and counted
};

/// Samples until stop(). A thread of the session decodes.
///
/// REQUIRES: `api` outlives the session.
///
/// Failures: those of MetricsApi::errorOf(), unsupported (the chip has none of the counters).
base::Result<std::unique_ptr<trace::ProfilerSession>> startSamples(const MetricsApi& api,
                                                                   const SampleOptions& options = {});

/// Counts for every kernel that the calling thread's context runs until stop().
///
/// REQUIRES: the same thread calls stop().
///
/// Failures: those of MetricsApi::errorOf(), unsupported (no context, the chip has none of the counters).
base::Result<std::unique_ptr<trace::ProfilerSession>> startKernelCounters(const MetricsApi& api,
                                                                          const KernelCounterOptions& options = {});

} // namespace apertune::profilers
