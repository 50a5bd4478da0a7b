// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/gpu_probe.h"

#include "core/base/run_child.h"
#include "core/base/text.h"
#include "core/model/gpu_obstacles.h"
#include "core/model/json_codec.h"
#include "core/probe/reasons.h"
#include "core/probe/system_files.h"
#include "core/worker/installation.h"

#include <dlfcn.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace apertune::probe {

using base::NvmlApi;

namespace {

template <typename Function, typename... Args>
std::string textOf(Function function, Args... args)
{
    // The longest text of NVML is a UUID (NVML_DEVICE_UUID_V2_BUFFER_SIZE).
    std::array<char, 96> buffer{};
    return function(args..., buffer.data(), static_cast<unsigned>(buffer.size())) == 0 ? buffer.data() : "";
}

int megahertz(NvmlApi::Status (*function)(NvmlApi::Handle, int, unsigned*), NvmlApi::Handle handle)
{
    unsigned value = 0;
    return function(handle, NvmlApi::kClockSm, &value) == 0 ? static_cast<int>(value) : 0;
}

/// Returns the MIG instances of a GPU; empty when it is not split.
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

/// Returns the use of the GPU by other programs; nullopt when the driver does not report it, as for MIG instances.
std::optional<model::GpuUse> useOf(const NvmlApi& api, NvmlApi::Handle gpu)
{
    if (!api.deviceGetComputeRunningProcesses || !api.deviceGetUtilizationRates)
        return std::nullopt;
    model::GpuUse use;
    std::array<NvmlApi::Process, 64> processes{};
    auto count = static_cast<unsigned>(processes.size());
    NvmlApi::Utilization rates;
    const NvmlApi::Status listed = api.deviceGetComputeRunningProcesses(gpu, &count, processes.data());
    if ((listed != 0 && listed != NvmlApi::kTooSmall) || api.deviceGetUtilizationRates(gpu, &rates) != 0)
        return std::nullopt;
    use.processes = static_cast<int>(count);
    use.load = static_cast<int>(rates.gpu);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, processes.size()); ++i)
        if (processes[i].memory != NvmlApi::kUnknownMemory)
            use.memory.count += static_cast<std::int64_t>(processes[i].memory);
    return use;
}

/// Returns the name of the GPU in sysfs, such as "0000:3b:00.0"; "" when the driver does not report it. NVML's own text
/// has eight digits of the domain.
std::string pciOf(const NvmlApi& api, NvmlApi::Handle gpu)
{
    NvmlApi::PciInfo pci;
    if (!api.deviceGetPciInfo || api.deviceGetPciInfo(gpu, &pci) != 0)
        return {};
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", pci.domain, pci.bus, pci.device);
    return text.data();
}

/// Whether the driver reports the energy of a GPU, or its power, from which the energy follows.
bool tellsEnergy(const NvmlApi& api, NvmlApi::Handle gpu)
{
    unsigned long long energy = 0;
    unsigned power = 0;
    return (api.deviceGetTotalEnergyConsumption && api.deviceGetTotalEnergyConsumption(gpu, &energy) == 0) ||
           (api.deviceGetPowerUsage && api.deviceGetPowerUsage(gpu, &power) == 0);
}

/// Describes a GPU or one of its MIG instances (`part`). An instance reports neither compute capability nor clocks, so
/// these are read from the whole GPU.
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
    device.use = useOf(api, part);
    device.pci = pciOf(api, gpu);
    if (!tellsEnergy(api, part)) {
        device.noEnergy = base::message<reasons::kGpuTellsNoEnergy>();
        device.noEnergyRemedy = base::message<reasons::kWholeGpuOrNewer>();
    }
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

/// Returns the device that one word of CUDA_VISIBLE_DEVICES names, or nullptr.
const model::Device* named(const std::vector<PhysicalGpu>& gpus, const std::string& word)
{
    if (std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        // std::stoul() throws for a number that does not fit.
        const std::size_t index = word.size() > 4 ? gpus.size() : std::stoul(word);
        return index < gpus.size() && !gpus[index].parts.empty() ? &gpus[index].parts.front() : nullptr;
    }
    for (const PhysicalGpu& gpu : gpus)
        for (const model::Device& part : gpu.parts)
            if (part.uuid.starts_with(word))
                return &part;
    return nullptr;
}

/// Returns whether this process can load the driver. The driver is released again, because only workers use GPUs.
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
    const char* text = api.errorString ? api.errorString(status) : nullptr;
    probe.reason = text ? base::message<model::gpu_obstacles::kDriverDoesNotAnswer>(text)
                        : base::message<reasons::kDriverSilent>();
    probe.remedy = status == NvmlApi::kLibraryMismatch ? base::message<reasons::kRestartMachine>()
                   : status == NvmlApi::kNoPermission  ? base::message<reasons::kGiveAccess>()
                                                       : base::message<model::gpu_obstacles::kRunSmi>();
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
        probe.remedy = base::message<model::gpu_obstacles::kRunSmi>();
    } else if (visible) {
        probe.reason = base::message<reasons::kGpusHidden>(*visible);
        probe.remedy = base::message<reasons::kUnsetVisible>();
    } else {
        probe.reason = base::message<reasons::kGpusClosed>();
        probe.remedy = base::message<reasons::kGiveAccess>();
    }
    return probe;
}

std::vector<int> processorsOfNode(const std::filesystem::path& root, const std::string& pci,
                                  const std::vector<int>& allowed)
{
    if (pci.empty())
        return {};
    const std::string list = readText(root / "sys/bus/pci/devices" / pci / "local_cpulist");
    std::vector<int> found;
    for (const std::string& range : base::splitList(list)) { // "0-31,64-95"
        const std::size_t dash = range.find('-');
        const auto first = parseInteger(range);
        const auto last = dash == std::string::npos ? first : parseInteger(range.substr(dash + 1));
        for (const int processor : allowed)
            if (first && last && processor >= *first && processor <= *last)
                found.push_back(processor);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<model::Device> gpusOfDriver(const std::filesystem::path& worker)
{
    constexpr auto kLimit = base::fromSeconds(60); // Starting the driver of eight GPUs takes seconds.
    std::vector<model::Device> gpus;
    const auto ran = base::runChild({worker.string(), "--gpus"}, kLimit, {});
    if (!ran || !ran->exit.clean())
        return gpus;
    const auto list = model::parseJson(ran->out);
    if (!list || !list->is_array())
        return gpus;
    for (const base::Json& entry : *list)
        if (auto gpu = model::deviceFromJson(entry))
            gpus.push_back(std::move(*gpu));
    return gpus;
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
        if (driver)
            probe.devices = gpusOfDriver(worker::Installation::locate().worker);
        return probe;
    }
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return probeGpus(*nvml, visible ? std::optional<std::string>(visible) : std::nullopt);
}

} // namespace apertune::probe
