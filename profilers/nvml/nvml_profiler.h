// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/trace/profiler.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace apertune::profilers {

/// The functions of NVIDIA's management library that telemetry needs, bound at run time; its header does not come with
/// every toolkit. Declarations checked against NVML API 13. Tests fill in a table of their own. What an old driver
/// lacks, and what a device does not offer, is a series less.
struct NvmlTable
{
    using Handle = void*;
    using Status = int; ///< 0 is success
    struct Memory
    {
        unsigned long long total = 0;
        unsigned long long free = 0;
        unsigned long long used = 0;
    };
    static constexpr int kClockSm = 1;
    static constexpr int kClockMemory = 2;
    static constexpr int kSensorGpu = 0;

    // NOLINTBEGIN: pointers named as the library names its functions, without the prefix nvml
    Status (*init)() = nullptr;
    const char* (*errorString)(Status) = nullptr;
    Status (*deviceGetHandleByUUID)(const char*, Handle*) = nullptr;
    // Optional.
    Status (*deviceGetPowerUsage)(Handle, unsigned*) = nullptr;       ///< mW
    Status (*deviceGetClockInfo)(Handle, int, unsigned*) = nullptr;   ///< MHz
    Status (*deviceGetTemperature)(Handle, int, unsigned*) = nullptr; ///< °C
    Status (*deviceGetMemoryInfo)(Handle, Memory*) = nullptr;
    Status (*deviceGetTotalEnergyConsumption)(Handle, unsigned long long*) = nullptr; ///< mJ since the driver loaded
    Status (*deviceGetCurrentClocksEventReasons)(Handle, unsigned long long*) = nullptr;
    // NOLINTEND
};

struct NvmlOptions
{
    std::string uuid;        ///< "GPU-…", never an index: CUDA and the driver count differently
    std::int64_t device = 0; ///< what the trace calls it
    base::Nanoseconds period = base::fromMilliseconds(50);
};

/// The driver's library, loaded once and kept; nothing when there is no driver.
std::optional<NvmlTable> loadNvml();

/// Samples a GPU on a thread of its own: power (mW), SM and memory clock (MHz), temperature (°C), memory in use (B)
/// and energy since the recording began (mJ) as counter tracks. A clock that was held back (power cap, heat) becomes a
/// warning in the trace. Belongs into another process than the one that is measured: its calls
/// take a lock of the driver.
std::unique_ptr<trace::Profiler> makeNvmlProfiler(NvmlOptions options, std::optional<NvmlTable> table = loadNvml());

/// The words for bits of deviceGetCurrentClocksEventReasons that mean a clock lower than it could be; "" for none.
std::string throttleText(unsigned long long reasons);

} // namespace apertune::profilers
