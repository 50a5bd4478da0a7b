// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/nvml.h"
#include "core/base/units.h"
#include "core/model/device.h"
#include "core/trace/profiler.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace apertune::profilers {

struct NvmlOptions
{
    std::string uuid;        ///< "GPU-…", never an index: CUDA and the driver count differently
    std::int64_t device = 0; ///< what the trace calls it
    base::Nanoseconds period = base::fromMilliseconds(50);
    std::size_t mostSamples = 1'000'000; ///< the memory cap (some 100 MB); what comes then is lost and counted
};

/// Samples a GPU on a thread of its own: power (mW), SM and memory clock (MHz), temperature (°C), memory in use (B)
/// and energy since the recording began (mJ) as counter tracks. A clock that was held back (power cap, heat) becomes a
/// warning in the trace, and what held it at each time a track of named states ("clock held by"). Belongs into another
/// process than the one that is measured: its calls take a lock of the driver. What an old driver lacks or a device
/// does not offer is a series less. `nvml` is nullptr where there is no driver; it must outlive the sessions.
std::unique_ptr<trace::Profiler> makeNvmlProfiler(NvmlOptions options, const base::NvmlApi* nvml = base::loadNvml());

/// What is asked of a device from outside the worker while one of its trials is traced: of a GPU, the above.
std::vector<std::unique_ptr<trace::Profiler>> telemetryOf(const model::Device& device);

/// The words for bits of deviceGetCurrentClocksEventReasons that are limits: a clock lower than it could be; "" for
/// none.
std::string throttleText(unsigned long long reasons);
/// The same with those that are choices: idle, clocks that somebody set.
std::string clockStateText(unsigned long long reasons);

} // namespace apertune::profilers
