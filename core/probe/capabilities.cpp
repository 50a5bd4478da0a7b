// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/capabilities.h"

#include "core/base/text.h"
#include "core/probe/system_files.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <charconv>

namespace apertune::probe {

namespace fs = std::filesystem;
using model::Capability;

namespace {

constexpr int kCapSysAdmin = 21;
constexpr int kCapPerfmon = 38;
constexpr int kNeededCuda = 13000; ///< the CUDA version that LibTorch and CUPTI's records are built for

/// Formats a CUDA version: "12.8" for 12080.
std::string cudaVersionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Capability possible(std::string name)
{
    return {std::move(name), true, {}, {}};
}

Capability impossible(std::string name, std::string reason, std::string remedy)
{
    return {std::move(name), false, std::move(reason), std::move(remedy)};
}

Capability withoutObstacle(std::string name, const Obstacle& obstacle)
{
    return obstacle.reason.empty() ? possible(std::move(name))
                                   : impossible(std::move(name), obstacle.reason, obstacle.remedy);
}

Capability gpuTiming(const CapabilityFacts& facts)
{
    constexpr const char* kName = "GPU timing";
    return facts.hasGpu ? withoutObstacle(kName, facts.gpuUse)
                        : impossible(kName, facts.noGpuReason, facts.noGpuRemedy);
}

Capability kernelTrace(const CapabilityFacts& facts)
{
    Capability capability = gpuTiming(facts);
    capability.name = "kernel trace";
    return capability.available ? withoutObstacle(capability.name, facts.gpuTrace) : capability;
}

Capability gpuTelemetry(const CapabilityFacts& facts)
{
    constexpr const char* kName = "GPU telemetry";
    return facts.nvml && facts.hasGpu ? possible(kName) : impossible(kName, facts.noGpuReason, facts.noGpuRemedy);
}

Capability hardwareCounters(const CapabilityFacts& facts)
{
    Capability capability = kernelTrace(facts);
    capability.name = "hardware counters";
    if (capability.available && facts.oldChip)
        return impossible(capability.name, "The GPU is too old for reading its counters.",
                          "It needs compute capability 7.5 or newer (Turing).");
    if (capability.available && facts.mig)
        return impossible(capability.name, "The GPU is split by MIG, and its counters belong to all instances.",
                          "Turn MIG off (nvidia-smi -mig 0), or measure on a GPU that is not split.");
    if (capability.available && facts.wsl)
        return impossible(capability.name, "Windows' subsystem for Linux hides the GPU's counters.",
                          "Measure on Linux itself.");
    if (capability.available && facts.countersForAdminsOnly.value_or(false) && !facts.isAdmin)
        return impossible(capability.name, "The NVIDIA driver gives performance counters to administrators only.",
                          "Set the driver's module option NVreg_RestrictProfilingToAdminUsers=0 and restart, or run as "
                          "root.");
    return capability.available ? withoutObstacle(capability.name, facts.gpuCounters) : capability;
}

Capability energy(const CapabilityFacts& facts)
{
    constexpr const char* kName = "CPU energy";
    switch (facts.energy) {
    case CapabilityFacts::Access::missing:
        return impossible(kName, "This machine shows no energy counter (RAPL); virtual machines rarely do.", "");
    case CapabilityFacts::Access::forbidden:
        return impossible(kName, "The energy counter (RAPL) may be read by root only.",
                          "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj");
    case CapabilityFacts::Access::readable:
        break;
    }
    return possible(kName);
}

Capability perfCounters(const CapabilityFacts& facts)
{
    constexpr const char* kName = "perf counters";
    if (!facts.perfParanoid)
        return impossible(kName, "This kernel has no perf events.", "");
    if (*facts.perfParanoid > 2 && !facts.mayPerf)
        return impossible(kName,
                          "The kernel gives perf events to administrators only (kernel.perf_event_paranoid is " +
                              std::to_string(*facts.perfParanoid) + ").",
                          "sudo sysctl kernel.perf_event_paranoid=2");
    if (!facts.hardwarePmu)
        return impossible(kName, "The CPU's counters are not visible, as in most virtual machines.",
                          "Give the virtual machine a PMU, or measure on the host.");
    return possible(kName);
}

/// The effective capabilities of this process.
std::uint64_t effectiveCapabilities(const fs::path& root)
{
    const std::string status = readText(root / "proc/self/status");
    for (std::string_view line : linesOf(status)) {
        if (!line.starts_with("CapEff:"))
            continue;
        const std::string_view digits = base::trimmed(line.substr(7));
        std::uint64_t mask = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), mask, 16);
        return mask;
    }
    return 0;
}

std::optional<bool> countersForAdminsOnly(const fs::path& root)
{
    const std::string parameters = readText(root / "proc/driver/nvidia/params");
    for (std::string_view line : linesOf(parameters))
        if (line.starts_with("RmProfilingAdminOnly:"))
            return parseInteger(line.substr(21)).value_or(1) != 0;
    return std::nullopt;
}

/// Returns whether the folder holds a file of that name, with any version behind it.
bool holds(const fs::path& folder, const std::string& prefix)
{
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
        if (it->path().filename().string().starts_with(prefix))
            return true;
    return false;
}

} // namespace

std::vector<Capability> capabilitiesOf(const CapabilityFacts& facts)
{
    return {
        possible("CPU timing"),
        gpuTiming(facts),
        facts.libtorch
            ? possible("operators")
            : impossible("operators", "LibTorch was not found.",
                         "Name a Python environment that has it (pip install torch==2.11.0) in APERTUNE_TORCH."),
        kernelTrace(facts),
        hardwareCounters(facts),
        gpuTelemetry(facts),
        energy(facts),
        perfCounters(facts),
    };
}

void readRecordings(const base::Json& answer, CapabilityFacts& facts)
{
    const Obstacle unknown{"The worker does not tell whether this can be recorded.",
                           "Install worker and program of the same version."};
    for (const auto& [name, obstacle] :
         {std::pair("kernel trace", &facts.gpuTrace), std::pair("hardware counters", &facts.gpuCounters)}) {
        *obstacle = unknown;
        const auto list = answer.find("recordings");
        if (list == answer.end() || !list->is_array())
            continue;
        for (const base::Json& entry : *list)
            if (entry.value("name", "") == name)
                *obstacle = entry.value("possible", false)
                                ? Obstacle{}
                                : Obstacle{entry.value("reason", unknown.reason), entry.value("remedy", "")};
    }
}

CapabilityFacts gatherFacts(const fs::path& root, const fs::path& torchRoot, const GpuProbe& gpus)
{
    CapabilityFacts facts;
    facts.hasGpu = !gpus.devices.empty();
    facts.noGpuReason = gpus.reason;
    facts.noGpuRemedy = gpus.remedy;
    facts.nvml = gpus.available;
    facts.libtorch = !torchRoot.empty();
    if (!gpus.devices.empty() && gpus.cudaVersion > 0 && gpus.cudaVersion < kNeededCuda)
        facts.gpuUse = {"The NVIDIA driver " + gpus.devices.front().driver + " runs CUDA " +
                            cudaVersionText(gpus.cudaVersion) + "; this build needs " + cudaVersionText(kNeededCuda) +
                            " (driver 580).",
                        "Update the driver to 580 or newer; on a data-centre GPU NVIDIA's package cuda-compat-13-0 "
                        "does, too."};
    if (!gpus.devices.empty()) {
        const model::Device& gpu = gpus.devices.front();
        facts.mig = gpu.uuid.starts_with("MIG-");
        facts.oldChip = gpu.computeMajor > 0 && gpu.computeMajor * 10 + gpu.computeMinor < 75;
    }
    facts.wsl = readText(root / "proc/version").find("microsoft") != std::string::npos;
    facts.countersForAdminsOnly = countersForAdminsOnly(root);
    const std::uint64_t capabilities = effectiveCapabilities(root);
    facts.isAdmin = (capabilities >> kCapSysAdmin & 1) != 0;
    facts.mayPerf = facts.isAdmin || (capabilities >> kCapPerfmon & 1) != 0;

    const fs::path counter = root / "sys/class/powercap/intel-rapl:0/energy_uj";
    std::error_code ignored;
    if (fs::exists(counter, ignored))
        facts.energy =
            parseInteger(readText(counter)) ? CapabilityFacts::Access::readable : CapabilityFacts::Access::forbidden;
    const fs::path events = root / "sys/bus/event_source/devices";
    facts.hardwarePmu =
        fs::exists(events / "cpu", ignored) || fs::exists(events / "cpu_core", ignored) || holds(events, "armv8_pmu");
    facts.perfParanoid = parseInteger(readText(root / "proc/sys/kernel/perf_event_paranoid"));
    return facts;
}

} // namespace apertune::probe
