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
    base::Nanoseconds interval{100'000};                ///< between samples; 10 kHz
    std::size_t hardwareBuffer = std::size_t{64} << 20; ///< bytes
    std::uint32_t samplesPerDecode = 1024;              ///< that one image holds
    std::chrono::milliseconds decodePeriod{10};
    std::size_t mostSamples = 2'000'000; ///< kept; beyond it they are lost and that is counted
};

struct KernelCounterOptions
{
    std::size_t mostKernels = 4096; ///< beyond it they are lost and that is counted
};

/// Samples until stop(), decoding on a thread of its own. `api` must outlive the session.
/// Failures: those of MetricsApi::errorOf(), unsupported (the chip has none of the counters).
base::Result<std::unique_ptr<trace::ProfilerSession>> startSamples(const MetricsApi& api,
                                                                   const SampleOptions& options = {});

/// Counts for every kernel that the calling thread's context runs until stop(), which the same thread calls.
/// Failures: those of MetricsApi::errorOf(), unsupported (no context, the chip has none of the counters).
base::Result<std::unique_ptr<trace::ProfilerSession>> startKernelCounters(const MetricsApi& api,
                                                                          const KernelCounterOptions& options = {});

} // namespace apertune::profilers
