// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/gpu_probe.h"

#include "core/base/text.h"
#include "core/probe/reasons.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace apertune::probe {

using base::NvmlApi;

namespace {

template <typename Function, typename... Args>
std::string textOf(Function function, Args... args)
{
    std::array<char, 96> buffer{};
    return function(args..., buffer.data(), static_cast<unsigned>(buffer.size())) == 0 ? buffer.data() : "";
}

int megahertz(NvmlApi::Status (*function)(NvmlApi::Handle, int, unsigned*), NvmlApi::Handle handle)
{
    unsigned value = 0;
    return function(handle, NvmlApi::kClockSm, &value) == 0 ? static_cast<int>(value) : 0;
}

/// The MIG instances of a GPU; empty when it is not split.
std::vector<NvmlApi::Handle> migInstances(const NvmlApi& api, NvmlApi::Handle gpu)
{
    std::vector<NvmlApi::Handle> instances;
    unsigned current = 0;
    unsigned pending = 0;
    unsigned count = 0;
    if (!api.deviceGetMigMode || !api.deviceGetMaxMigDeviceCount || !api.deviceGetMigDeviceHandleByIndex ||
        api.deviceGetMigMode(gpu, &current, &pending) != 0 || current == 0 ||
        api.deviceGetMaxMigDeviceCount(gpu, &count) != 0)
        return instances;
    for (unsigned i = 0; i < count; ++i)
        if (NvmlApi::Handle instance = nullptr; api.deviceGetMigDeviceHandleByIndex(gpu, i, &instance) == 0)
            instances.push_back(instance);
    return instances;
}

/// The facts about a GPU or one of its MIG instances (`part`). An instance reports neither compute capability nor
/// clocks, so these are read from the whole GPU.
model::Device describeGpu(const NvmlApi& api, NvmlApi::Handle gpu, NvmlApi::Handle part, const std::string& driver)
{
    model::Device device;
    device.type = model::DeviceType::nvidiaGpu();
    device.name = textOf(api.deviceGetName, part);
    device.uuid = textOf(api.deviceGetUUID, part);
    device.driver = driver;
    if (NvmlApi::Memory memory; api.deviceGetMemoryInfo(part, &memory) == 0)
        device.memory.count = static_cast<std::int64_t>(memory.total);
    api.deviceGetCudaComputeCapability(gpu, &device.computeMajor, &device.computeMinor);
    device.clockMhz = megahertz(api.deviceGetClockInfo, gpu);
    device.maxClockMhz = megahertz(api.deviceGetMaxClockInfo, gpu);
    return device;
}

struct PhysicalGpu
{
    std::vector<model::Device> parts; ///< the GPU itself, or its MIG instances
};

std::vector<PhysicalGpu> readGpus(const NvmlApi& api)
{
    const std::string driver = textOf(api.systemGetDriverVersion);
    std::vector<PhysicalGpu> gpus;
    unsigned count = 0;
    if (api.deviceGetCount(&count) != 0)
        return gpus;
    for (unsigned i = 0; i < count; ++i) {
        PhysicalGpu physical;
        NvmlApi::Handle gpu = nullptr;
        if (api.deviceGetHandleByIndex(i, &gpu) == 0) {
            auto parts = migInstances(api, gpu);
            if (parts.empty())
                parts.push_back(gpu);
            for (NvmlApi::Handle part : parts)
                physical.parts.push_back(describeGpu(api, gpu, part, driver));
        }
        gpus.push_back(std::move(physical)); // A GPU that cannot be opened counts too, so that indices stay right.
    }
    return gpus;
}

/// The device that one word of CUDA_VISIBLE_DEVICES names.
const model::Device* named(const std::vector<PhysicalGpu>& gpus, const std::string& word)
{
    if (std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        const std::size_t index = word.size() > 4 ? gpus.size() : std::stoul(word);
        return index < gpus.size() && !gpus[index].parts.empty() ? &gpus[index].parts.front() : nullptr;
    }
    for (const PhysicalGpu& gpu : gpus)
        for (const model::Device& part : gpu.parts)
            if (part.uuid.starts_with(word))
                return &part;
    return nullptr;
}

/// Whether this process could load the driver. It is not kept: GPUs are the workers' business.
bool hasDriver()
{
    void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver)
        ::dlclose(driver);
    return driver != nullptr;
}

GpuProbe failed(const NvmlApi& api, NvmlApi::Status status)
{
    GpuProbe probe;
    const char* words = api.errorString ? api.errorString(status) : nullptr;
    probe.reason =
        words ? base::message<reasons::kDriverDoesNotAnswer>(words) : base::message<reasons::kDriverSilent>();
    probe.remedy = status == NvmlApi::kLibraryMismatch ? base::message<reasons::kRestartMachine>()
                   : status == NvmlApi::kNoPermission  ? base::message<reasons::kGiveAccess>()
                                                       : base::message<reasons::kAskSmi>();
    return probe;
}

} // namespace

GpuProbe probeGpus(const NvmlApi& api, const std::optional<std::string>& visible)
{
    if (const NvmlApi::Status status = api.init(); status != 0)
        return failed(api, status);

    GpuProbe probe;
    probe.available = true;
    if (!api.systemGetCudaDriverVersion || api.systemGetCudaDriverVersion(&probe.cudaVersion) != 0)
        probe.cudaVersion = 0;
    const std::vector<PhysicalGpu> gpus = readGpus(api);
    if (!visible) {
        for (const PhysicalGpu& gpu : gpus)
            if (!gpu.parts.empty())
                probe.devices.push_back(gpu.parts.front());
    } else {
        for (const std::string& word : base::splitList(*visible)) {
            const model::Device* device = named(gpus, word);
            if (!device)
                break;
            probe.devices.push_back(*device);
        }
    }
    for (std::size_t i = 0; i < probe.devices.size(); ++i)
        probe.devices[i].id = "cuda:" + std::to_string(i);
    if (!probe.devices.empty())
        return probe;
    if (gpus.empty()) {
        probe.reason = base::message<reasons::kNoGpuSeen>();
        probe.remedy = base::message<reasons::kAskSmi>();
    } else if (visible) {
        probe.reason = base::message<reasons::kGpusHidden>(*visible);
        probe.remedy = base::message<reasons::kUnsetVisible>();
    } else {
        probe.reason = base::message<reasons::kGpusClosed>();
        probe.remedy = base::message<reasons::kGiveAccess>();
    }
    return probe;
}

GpuProbe probeGpus()
{
    const NvmlApi* const nvml = base::loadNvml();
    if (!nvml) {
        GpuProbe probe;
        const bool driver = hasDriver();
        probe.reason = driver ? base::message<reasons::kNoManagementLibrary>() : base::message<reasons::kNoGpuDriver>();
        probe.remedy =
            driver ? base::message<reasons::kGiveManagementLibrary>() : base::message<reasons::kInstallGpuDriver>();
        return probe;
    }
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return probeGpus(*nvml, visible ? std::optional<std::string>(visible) : std::nullopt);
}

} // namespace apertune::probe
