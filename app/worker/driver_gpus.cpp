// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/driver_gpus.h"

#include <dlfcn.h>

#include <array>
#include <cstdio>

namespace apertune::worker {

namespace {

/// Entry points of the driver, declared after its stable ABI.
struct Driver
{
    int (*init)(unsigned) = nullptr;
    int (*count)(int*) = nullptr;
    int (*name)(char*, int, int) = nullptr;
    int (*memory)(std::size_t*, int) = nullptr;
    int (*attribute)(int*, int, int) = nullptr;
    int (*uuid)(unsigned char*, int) = nullptr;
};

constexpr int kCapabilityMajor = 75; ///< numbers of CUdevice_attribute
constexpr int kCapabilityMinor = 76;

template <typename Function>
bool bind(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

bool bindAll(Driver& driver)
{
    void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library && bind(library, "cuInit", driver.init) && bind(library, "cuDeviceGetCount", driver.count) &&
           bind(library, "cuDeviceGetName", driver.name) && bind(library, "cuDeviceTotalMem_v2", driver.memory) &&
           bind(library, "cuDeviceGetAttribute", driver.attribute) &&
           (bind(library, "cuDeviceGetUuid_v2", driver.uuid) || bind(library, "cuDeviceGetUuid", driver.uuid));
}

/// "GPU-xxxxxxxx-xxxx-…", as CUDA_VISIBLE_DEVICES takes it.
std::string uuidText(const std::array<unsigned char, 16>& bytes)
{
    std::string text = "GPU";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        std::array<char, 3> hex{};
        std::snprintf(hex.data(), hex.size(), "%02x", bytes[i]);
        text += hex.data();
    }
    return text;
}

} // namespace

std::vector<model::Device> driverGpus()
{
    std::vector<model::Device> gpus;
    // The driver's own library works where NVML is missing.
    Driver driver;
    int count = 0;
    if (!bindAll(driver) || driver.init(0) != 0 || driver.count(&count) != 0)
        return gpus;
    for (int i = 0; i < count; ++i) {
        std::array<char, 128> name{};
        if (driver.name(name.data(), static_cast<int>(name.size()) - 1, i) != 0)
            continue;
        model::Device gpu;
        // The numbers are those of the driver, in its order.
        gpu.id = "cuda:" + std::to_string(gpus.size());
        gpu.type = model::DeviceType::nvidiaGpu();
        gpu.name = name.data();
        if (std::size_t bytes = 0; driver.memory(&bytes, i) == 0)
            gpu.memory.count = static_cast<std::int64_t>(bytes);
        driver.attribute(&gpu.computeMajor, kCapabilityMajor, i);
        driver.attribute(&gpu.computeMinor, kCapabilityMinor, i);
        if (std::array<unsigned char, 16> uuid{}; driver.uuid(uuid.data(), i) == 0)
            gpu.uuid = uuidText(uuid);
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

} // namespace apertune::worker
