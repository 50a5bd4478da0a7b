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
    std::int64_t device = 0; ///< number of the device in the trace
    base::Nanoseconds period = base::fromMilliseconds(50);
    std::size_t mostSamples = 1'000'000; ///< the memory cap, some 100 MB; samples beyond it are lost and counted
};

/// Samples a GPU on a thread of its own.
///
/// * Counter tracks: power (mW), SM and memory clock (MHz), temperature (°C), memory in use (B), and energy since the
///   recording began (mJ). A series is missing when the driver or the device does not offer it.
/// * A clock that was throttled (power cap, heat) becomes a warning in the trace. The track "clock held by" shows the
///   reason at each time.
/// * It belongs in another process than the measured one, because its calls take a lock of the driver.
/// * `nvml` is nullptr when there is no driver. It has to outlive the sessions.
std::unique_ptr<trace::Profiler> makeNvmlProfiler(NvmlOptions options, const base::NvmlApi* nvml = base::loadNvml());

/// Returns the profilers that run outside of the worker while a trial on `device` is traced: for a GPU,
/// makeNvmlProfiler().
std::vector<std::unique_ptr<trace::Profiler>> telemetryOf(const model::Device& device);

/// Names the bits of deviceGetCurrentClocksEventReasons that are limits: the clock is lower than it could be. Returns
/// "" when none is set.
std::string throttleText(unsigned long long reasons);
/// Names all bits, including those that are no limits: an idle device, clocks that a user set.
std::string clockStateText(unsigned long long reasons);

} // namespace apertune::profilers
