// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/capabilities.h"

#include "core/base/errors.h"
#include "core/base/text.h"
#include "core/model/gpu_obstacles.h"
#include "core/probe/reasons.h"
#include "core/probe/system_files.h"
#include "core/worker/protocol.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <charconv>

namespace apertune::probe {

namespace fs = std::filesystem;
using model::Capability;

namespace {

// The numbers of linux/capability.h.
constexpr int kCapSysAdmin = 21;
constexpr int kCapPerfmon = 38;
constexpr int kNeededCuda = 13000; ///< the CUDA version that LibTorch and CUPTI's records are built for

/// Formats a CUDA version: "12.8" for 12080.
std::string cudaVersionText(int version)
{
    // CUDA writes 12.8 as 12080.
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Capability possible(std::string name)
{
    return {std::move(name), true, {}, {}};
}

Capability impossible(std::string name, base::Message reason, base::Message remedy = {})
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
    // Each capability has all obstacles of the one that it needs.
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
        return impossible(capability.name, base::message<reasons::kOldGpu>(),
                          base::message<model::gpu_obstacles::kNeedsTuring>());
    if (capability.available && facts.mig)
        return impossible(capability.name, base::message<model::gpu_obstacles::kSplitByMig>(),
                          base::message<model::gpu_obstacles::kTurnMigOff>());
    if (capability.available && facts.wsl)
        return impossible(capability.name, base::message<reasons::kWslHides>(),
                          base::message<reasons::kMeasureOnLinux>());
    if (capability.available && facts.countersForAdminsOnly.value_or(false) && !facts.isAdmin)
        return impossible(capability.name, base::message<model::gpu_obstacles::kForAdministrators>(),
                          base::message<reasons::kUnrestrict>());
    return capability.available ? withoutObstacle(capability.name, facts.gpuCounters) : capability;
}

Capability perfCounters(const CapabilityFacts& facts)
{
    constexpr const char* kName = "perf counters";
    if (!facts.perfParanoid)
        return impossible(kName, base::message<reasons::kNoPerfEvents>());
    // Up to 2, a process may count its own events. Debian and Ubuntu extend the scale to 3 and 4, which forbid it.
    if (*facts.perfParanoid > 2 && !facts.mayPerf)
        return impossible(kName, base::message<reasons::kPerfForAdministrators>(*facts.perfParanoid),
                          base::message<reasons::kLowerParanoid>());
    if (!facts.hardwarePmu)
        return impossible(kName, base::message<reasons::kNoPmu>(), base::message<reasons::kGivePmu>());
    return possible(kName);
}

/// The effective capabilities of this process.
std::uint64_t effectiveCapabilities(const fs::path& root)
{
    const std::string status = readText(root / "proc/self/status");
    for (std::string_view line : linesOf(status)) {
        if (!line.starts_with("CapEff:"))
            continue;
        // The mask is hexadecimal.
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
            // A value that cannot be read counts as restricted, which is the driver's default.
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

Obstacle obstacleOf(const base::Json& recording, const Obstacle& otherwise)
{
    base::Message reason = worker::readMessage(recording, "reason");
    return reason.empty() ? otherwise : Obstacle{std::move(reason), worker::readMessage(recording, "remedy")};
}

} // namespace

Obstacle energyObstacle(base::PackageEnergy::Access access)
{
    switch (access) {
    case base::PackageEnergy::Access::missing:
        return {base::message<reasons::kNoEnergyCounter>(), base::message<reasons::kCountOnTheHost>()};
    case base::PackageEnergy::Access::forbidden:
        return {base::message<reasons::kEnergyForRoot>(), base::message<reasons::kMakeReadable>()};
    case base::PackageEnergy::Access::readable:
        break;
    }
    return {};
}

std::vector<Capability> capabilitiesOf(const CapabilityFacts& facts)
{
    return {
        possible("CPU timing"),
        gpuTiming(facts),
        facts.libtorch ? possible("operators")
                       : impossible("operators", base::message<reasons::kNoLibTorch>(),
                                    base::message<reasons::kNameTorchEnvironment>()),
        kernelTrace(facts),
        hardwareCounters(facts),
        gpuTelemetry(facts),
        withoutObstacle("CPU energy", energyObstacle(facts.energy)),
        perfCounters(facts),
    };
}

void readRecordings(const base::Json& answer, CapabilityFacts& facts)
{
    const Obstacle unknown{base::message<reasons::kWorkerSilent>(), base::message<base::errors::kSameVersion>()};
    for (const auto& [name, obstacle] :
         {std::pair("kernel trace", &facts.gpuTrace), std::pair("hardware counters", &facts.gpuCounters)}) {
        // A recording that the worker does not name is unknown.
        *obstacle = unknown;
        const auto list = answer.find("recordings");
        if (list == answer.end() || !list->is_array())
            continue;
        for (const base::Json& entry : *list)
            if (entry.value("name", "") == name)
                *obstacle = entry.value("possible", false) ? Obstacle{} : obstacleOf(entry, unknown);
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
    // 0 stands for a driver that does not report it.
    if (!gpus.devices.empty() && gpus.cudaVersion > 0 && gpus.cudaVersion < kNeededCuda)
        facts.gpuUse = {base::message<reasons::kOldDriver>(gpus.devices.front().driver,
                                                           cudaVersionText(gpus.cudaVersion),
                                                           cudaVersionText(kNeededCuda)),
                        base::message<reasons::kUpdateDriver>()};
    if (!gpus.devices.empty()) {
        const model::Device& gpu = gpus.devices.front();
        facts.mig = gpu.uuid.starts_with("MIG-");
        // The counters that Apertune reads begin with Turing, which is 7.5.
        facts.oldChip = gpu.computeMajor > 0 && gpu.computeMajor * 10 + gpu.computeMinor < 75;
    }
    // The kernel of WSL names Microsoft in its version.
    facts.wsl = readText(root / "proc/version").find("microsoft") != std::string::npos;
    facts.countersForAdminsOnly = countersForAdminsOnly(root);
    const std::uint64_t capabilities = effectiveCapabilities(root);
    facts.isAdmin = (capabilities >> kCapSysAdmin & 1) != 0;
    facts.mayPerf = facts.isAdmin || (capabilities >> kCapPerfmon & 1) != 0;

    facts.energy = base::PackageEnergy(root).access();
    std::error_code ignored;
    const fs::path events = root / "sys/bus/event_source/devices";
    facts.hardwarePmu =
        // Intel CPUs with two types of core have "cpu_core" instead of "cpu".
        fs::exists(events / "cpu", ignored) || fs::exists(events / "cpu_core", ignored) || holds(events, "armv8_pmu");
    facts.perfParanoid = parseInteger(readText(root / "proc/sys/kernel/perf_event_paranoid"));
    return facts;
}

} // namespace apertune::probe
