// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::engine {

/// The few functions of NVIDIA's management library that a look at the GPUs needs, bound at run time: the library
/// comes with the driver, its header does not come with every toolkit. Declarations checked against NVML API 13.
/// Private to this folder; tests fill in a table of their own.
struct NvmlApi
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

    // NOLINTBEGIN: pointers named as the library names its functions, without the prefix nvml
    Status (*init)() = nullptr;
    const char* (*errorString)(Status) = nullptr;
    Status (*systemGetDriverVersion)(char*, unsigned) = nullptr;
    Status (*deviceGetCount)(unsigned*) = nullptr;
    Status (*deviceGetHandleByIndex)(unsigned, Handle*) = nullptr;
    Status (*deviceGetName)(Handle, char*, unsigned) = nullptr;
    Status (*deviceGetUUID)(Handle, char*, unsigned) = nullptr;
    Status (*deviceGetMemoryInfo)(Handle, Memory*) = nullptr;
    Status (*deviceGetCudaComputeCapability)(Handle, int*, int*) = nullptr;
    Status (*deviceGetClockInfo)(Handle, int, unsigned*) = nullptr;
    Status (*deviceGetMaxClockInfo)(Handle, int, unsigned*) = nullptr;
    // Optional: absent in old drivers.
    Status (*deviceGetMigMode)(Handle, unsigned* current, unsigned* pending) = nullptr;
    Status (*deviceGetMaxMigDeviceCount)(Handle, unsigned*) = nullptr;
    Status (*deviceGetMigDeviceHandleByIndex)(Handle, unsigned, Handle*) = nullptr;
    // NOLINTEND
};

/// What a look at the GPUs gave. `available` without GPUs: a driver, but no device that this process may use.
struct GpuProbe
{
    bool available = false;
    std::string reason; ///< why there is no GPU to be seen; empty when there is one
    std::string remedy;
    std::vector<model::Device> devices;
};

/// The GPUs in the driver's order, numbered "cuda:0", "cuda:1", … after `visible` (the value of CUDA_VISIBLE_DEVICES:
/// indices or UUID prefixes, read until the first that is none, as CUDA does; nullopt: all) chose among them. A GPU
/// split by MIG is its first instance, which is the one CUDA shows, unless `visible` names another.
/// A value that cannot be read is 0 or empty.
GpuProbe probeGpus(const NvmlApi& api, const std::optional<std::string>& visible);

/// The same with the driver's own library, loaded once and kept; thread-safe.
GpuProbe probeGpus();

} // namespace apertune::engine
