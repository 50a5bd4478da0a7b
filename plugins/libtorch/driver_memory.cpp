// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/driver_memory.h"

#include <dlfcn.h>

namespace apertune::libtorch {

namespace {

// The entry points of NVML that are needed, declared after its stable ABI, because the wheels lack its header.
struct NvmlMemory
{
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

constexpr int kSuccess = 0; // NVML_SUCCESS

struct Nvml
{
    int (*init)() = nullptr;
    int (*deviceByUuid)(const char*, void**) = nullptr;
    int (*memoryInfo)(void*, NvmlMemory*) = nullptr;
    bool ready = false;
};

template <typename Function>
bool bind(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

const Nvml& nvml()
{
    static const Nvml loaded = [] {
        Nvml table;
        void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        table.ready = library && bind(library, "nvmlInit_v2", table.init) &&
                      bind(library, "nvmlDeviceGetHandleByUUID", table.deviceByUuid) &&
                      bind(library, "nvmlDeviceGetMemoryInfo", table.memoryInfo) && table.init() == kSuccess;
        return table;
    }();
    return loaded;
}

} // namespace

std::optional<std::int64_t> usedDeviceMemory(const std::string& uuid)
{
    void* device = nullptr;
    NvmlMemory memory{};
    if (!nvml().ready || nvml().deviceByUuid(uuid.c_str(), &device) != kSuccess ||
        nvml().memoryInfo(device, &memory) != kSuccess)
        return std::nullopt;
    return static_cast<std::int64_t>(memory.used);
}

} // namespace apertune::libtorch
