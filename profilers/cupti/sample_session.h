// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"
#include "profilers/cupti/metrics_api.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace apertune::profilers {

struct SampleOptions
{
    base::Nanoseconds interval{100'000};                ///< time between samples; 10 kHz
    std::size_t hardwareBuffer = std::size_t{64} << 20; ///< bytes
    std::uint32_t samplesPerDecode = 1024;              ///< number of samples in one counter data image
    base::Nanoseconds decodePeriod = base::fromMilliseconds(10);
    std::size_t mostSamples = 2'000'000; ///< samples beyond it are lost and counted
};

/// Samples the hardware counters at an interval until stop(), with CUPTI's PM sampling. A thread of the session
/// decodes.
///
/// REQUIRES: `api` outlives the session.
///
/// Failures: those of MetricsApi::errorOf(), unsupported (the chip has none of the counters).
base::Result<std::unique_ptr<trace::ProfilerSession>> startSamples(const MetricsApi& api,
                                                                   const SampleOptions& options = {});

} // namespace apertune::profilers
