// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nvml.h"

#include <dlfcn.h>

#include <type_traits>

namespace apertune::base {

namespace {

bool load(NvmlApi& api)
{
    void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    bool complete = true;
    const auto optional = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    };
    const auto bind = [&](auto& function, const char* name) {
        optional(function, name);
        complete = complete && function;
    };
    // The macros of nvml.h map plain names to these versions. The library exports older versions under the plain names.
    bind(api.init, "nvmlInit_v2");
    bind(api.errorString, "nvmlErrorString");
    bind(api.systemGetDriverVersion, "nvmlSystemGetDriverVersion");
    bind(api.deviceGetCount, "nvmlDeviceGetCount_v2");
    bind(api.deviceGetHandleByIndex, "nvmlDeviceGetHandleByIndex_v2");
    bind(api.deviceGetHandleByUUID, "nvmlDeviceGetHandleByUUID");
    bind(api.deviceGetName, "nvmlDeviceGetName");
    bind(api.deviceGetUUID, "nvmlDeviceGetUUID");
    bind(api.deviceGetMemoryInfo, "nvmlDeviceGetMemoryInfo");
    bind(api.deviceGetCudaComputeCapability, "nvmlDeviceGetCudaComputeCapability");
    bind(api.deviceGetClockInfo, "nvmlDeviceGetClockInfo");
    bind(api.deviceGetMaxClockInfo, "nvmlDeviceGetMaxClockInfo");
    optional(api.systemGetCudaDriverVersion, "nvmlSystemGetCudaDriverVersion_v2");
    optional(api.deviceGetPowerUsage, "nvmlDeviceGetPowerUsage");
    optional(api.deviceGetFieldValues, "nvmlDeviceGetFieldValues");
    optional(api.deviceGetTemperature, "nvmlDeviceGetTemperature");
    optional(api.deviceGetTotalEnergyConsumption, "nvmlDeviceGetTotalEnergyConsumption");
    optional(api.deviceGetCurrentClocksEventReasons, "nvmlDeviceGetCurrentClocksEventReasons");
    if (!api.deviceGetCurrentClocksEventReasons) // its name before driver 535
        optional(api.deviceGetCurrentClocksEventReasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    optional(api.deviceGetEnforcedPowerLimit, "nvmlDeviceGetEnforcedPowerLimit");
    optional(api.deviceGetUtilizationRates, "nvmlDeviceGetUtilizationRates");
    optional(api.deviceGetComputeRunningProcesses, "nvmlDeviceGetComputeRunningProcesses_v3");
    optional(api.deviceGetPciInfo, "nvmlDeviceGetPciInfo_v3");
    optional(api.deviceGetMigMode, "nvmlDeviceGetMigMode");
    optional(api.deviceGetMaxMigDeviceCount, "nvmlDeviceGetMaxMigDeviceCount");
    optional(api.deviceGetMigDeviceHandleByIndex, "nvmlDeviceGetMigDeviceHandleByIndex");
    return complete;
}

} // namespace

const NvmlApi* loadNvml()
{
    static NvmlApi api;
    static const bool kLoaded = load(api);
    return kLoaded ? &api : nullptr;
}

} // namespace apertune::base
