// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/capabilities.h"

#include "core/base/text.h"
#include "core/engine/system_files.h"

#include <charconv>
#include <unistd.h>

namespace apertune::engine {

namespace fs = std::filesystem;
using model::Capability;

namespace {

constexpr int kCapSysAdmin = 21;
constexpr int kCapPerfmon = 38;

Capability possible(std::string name)
{
    return {std::move(name), true, {}, {}};
}

Capability impossible(std::string name, std::string reason, std::string remedy)
{
    return {std::move(name), false, std::move(reason), std::move(remedy)};
}

Capability onGpu(const char* name, const CapabilityFacts& facts)
{
    return facts.hasGpu ? possible(name) : impossible(name, facts.noGpuReason, facts.noGpuRemedy);
}

Capability kernelTrace(const CapabilityFacts& facts)
{
    Capability capability = onGpu("kernel trace", facts);
    if (capability.available && !facts.cupti)
        return impossible(capability.name, "CUPTI (libcupti.so.13) was not found.",
                          "Install torch with its CUDA packages (pip install torch==2.11.0), or the CUDA 13 toolkit.");
    return capability;
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
    if (capability.available && !facts.counterLibraries)
        return impossible(capability.name,
                          "CUPTI's libraries for counters (libnvperf_host.so, libnvperf_target.so) were not found.",
                          "Install torch with its CUDA packages (pip install torch==2.11.0), or the CUDA 13 toolkit.");
    // Unknown permission counts as granted: the profiler then says what the driver answers.
    if (capability.available && facts.countersForAdminsOnly.value_or(false) && !facts.isAdmin)
        return impossible(capability.name, "The NVIDIA driver gives performance counters to administrators only.",
                          "Set the driver's module option NVreg_RestrictProfilingToAdminUsers=0 and restart, or run as "
                          "root.");
    return capability;
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

/// Does the folder hold a file of that name, with any version behind it?
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
        onGpu("GPU timing", facts),
        facts.libtorch
            ? possible("operators")
            : impossible("operators", "LibTorch was not found.",
                         "Name a Python environment that has it (pip install torch==2.11.0) in APERTUNE_TORCH."),
        kernelTrace(facts),
        hardwareCounters(facts),
        facts.nvml ? onGpu("GPU telemetry", facts) : impossible("GPU telemetry", facts.noGpuReason, facts.noGpuRemedy),
        energy(facts),
        perfCounters(facts),
    };
}

namespace {

/// Whether a library of that name, with any version behind it, stands where CUPTI does.
bool besideCupti(const fs::path& root, const fs::path& torchRoot, const std::string& library)
{
    std::vector<fs::path> folders{root / "usr/local/cuda/lib64", root / "usr/local/cuda/extras/CUPTI/lib64",
                                  root / "usr/lib/x86_64-linux-gnu"};
    if (!torchRoot.empty()) {
        folders.push_back(torchRoot / "lib");
        folders.push_back(torchRoot.parent_path() / "nvidia/cu13/lib");
        folders.push_back(torchRoot.parent_path() / "nvidia/cuda_cupti/lib");
    }
    for (const fs::path& folder : folders)
        if (holds(folder, library))
            return true;
    return false;
}

} // namespace

bool hasCupti(const fs::path& root, const fs::path& torchRoot)
{
    return besideCupti(root, torchRoot, "libcupti.so.13");
}

CapabilityFacts gatherFacts(const fs::path& root, const fs::path& torchRoot, const GpuProbe& gpus)
{
    CapabilityFacts facts;
    facts.hasGpu = !gpus.devices.empty();
    facts.noGpuReason = gpus.reason;
    facts.noGpuRemedy = gpus.remedy;
    facts.nvml = gpus.available;
    facts.libtorch = !torchRoot.empty();
    facts.cupti = hasCupti(root, torchRoot);
    facts.counterLibraries =
        besideCupti(root, torchRoot, "libnvperf_host.so") && besideCupti(root, torchRoot, "libnvperf_target.so");
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

} // namespace apertune::engine
