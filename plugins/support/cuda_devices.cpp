// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/support/cuda_devices.h"

#include "plugins/support/backend.h"

#include <dlfcn.h>

#include <array>
#include <cstdio>

namespace apertune::plugins {

namespace {

// The entry points of the driver that are needed, declared after its stable ABI, so that no backend needs CUDA's
// headers.
struct Driver
{
    int (*init)(unsigned) = nullptr;
    int (*count)(int*) = nullptr;
    int (*name)(char*, int, int) = nullptr;
    int (*memory)(std::size_t*, int) = nullptr;
    int (*attribute)(int*, int, int) = nullptr;
    int (*uuid)(unsigned char*, int) = nullptr;
};

constexpr int kCapabilityMajor = 75; // cudaDevAttrComputeCapabilityMajor
constexpr int kCapabilityMinor = 76; // cudaDevAttrComputeCapabilityMinor

template <typename Function>
bool bind(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

bool bindAll(Driver& driver)
{
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW);
    return library && bind(library, "cuInit", driver.init) && bind(library, "cuDeviceGetCount", driver.count) &&
           bind(library, "cuDeviceGetName", driver.name) && bind(library, "cuDeviceTotalMem_v2", driver.memory) &&
           bind(library, "cuDeviceGetAttribute", driver.attribute) &&
           (bind(library, "cuDeviceGetUuid_v2", driver.uuid) || bind(library, "cuDeviceGetUuid", driver.uuid));
}

/// "GPU-xxxxxxxx-xxxx-…" as nvidia-smi and CUDA_VISIBLE_DEVICES write it.
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

void addCudaDevices(Description& info)
{
    Driver driver;
    int devices = 0;
    if (!bindAll(driver) || driver.init(0) != 0 || driver.count(&devices) != 0 || devices == 0) {
        info.notes.emplace_back("CUDA is unavailable: no NVIDIA driver or no GPU");
        return;
    }
    for (int i = 0; i < devices; ++i) {
        std::array<char, 128> text{};
        if (driver.name(text.data(), static_cast<int>(text.size()) - 1, i) != 0)
            continue;
        DeviceInfo device;
        device.id = "cuda:" + std::to_string(i);
        device.name = text.data();
        if (std::size_t bytes = 0; driver.memory(&bytes, i) == 0)
            device.memoryBytes = static_cast<std::int64_t>(bytes);
        int major = 0;
        int minor = 0;
        if (driver.attribute(&major, kCapabilityMajor, i) == 0 && driver.attribute(&minor, kCapabilityMinor, i) == 0)
            device.capability = std::to_string(major) + "." + std::to_string(minor);
        if (std::array<unsigned char, 16> uuid{}; driver.uuid(uuid.data(), i) == 0)
            device.uuid = uuidText(uuid);
        info.devices.push_back(std::move(device));
    }
}

} // namespace apertune::plugins
