// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/nvml/nvml_profiler.h"

#include <dlfcn.h>

namespace apertune::profilers {

namespace {

template <typename Function>
bool bind(void* library, Function& into, const char* name)
{
    into = reinterpret_cast<Function>(::dlsym(library, name));
    return into != nullptr;
}

std::optional<NvmlTable> load()
{
    void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return std::nullopt;
    NvmlTable t;
    if (!bind(library, t.init, "nvmlInit_v2") || !bind(library, t.errorString, "nvmlErrorString") ||
        !bind(library, t.deviceGetHandleByUUID, "nvmlDeviceGetHandleByUUID"))
        return std::nullopt;
    bind(library, t.deviceGetPowerUsage, "nvmlDeviceGetPowerUsage");
    bind(library, t.deviceGetClockInfo, "nvmlDeviceGetClockInfo");
    bind(library, t.deviceGetTemperature, "nvmlDeviceGetTemperature");
    bind(library, t.deviceGetMemoryInfo, "nvmlDeviceGetMemoryInfo");
    bind(library, t.deviceGetTotalEnergyConsumption, "nvmlDeviceGetTotalEnergyConsumption");
    // The same function under the name it had before driver 535.
    if (!bind(library, t.deviceGetCurrentClocksEventReasons, "nvmlDeviceGetCurrentClocksEventReasons"))
        bind(library, t.deviceGetCurrentClocksEventReasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    return t;
}

} // namespace

std::optional<NvmlTable> loadNvml()
{
    static const std::optional<NvmlTable> table = load();
    return table;
}

} // namespace apertune::profilers
