// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/cpu_probe.h"

#include "core/base/machine_facts.h"
#include "core/base/text.h"
#include "core/probe/capabilities.h"
#include "core/probe/cgroup.h"
#include "core/probe/system_files.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace apertune::probe {

namespace fs = std::filesystem;

namespace {

constexpr std::array kKnownIsa{"avx2",        "avx_vnni", "avx512f",  "avx512_vnni", "avx512_bf16",
                               "avx512_fp16", "amx_bf16", "amx_int8", "amx_fp16",    "asimd",
                               "asimddp",     "sve",      "sve2",     "bf16",        "i8mm"};

/// Returns the name of an ARM core. Its cpuinfo has numbers in place of names.
std::string armName(std::string_view implementer, std::string_view part)
{
    struct Part
    {
        std::string_view number;
        const char* name;
    };
    static constexpr std::array kParts{Part{"0xd08", "Cortex-A72"},  Part{"0xd0b", "Cortex-A76"},
                                       Part{"0xd0c", "Neoverse N1"}, Part{"0xd40", "Neoverse V1"},
                                       Part{"0xd49", "Neoverse N2"}, Part{"0xd4f", "Neoverse V2"}};
    if (implementer == "0x41")
        for (const Part& known : kParts)
            if (known.number == part)
                return std::string("ARM ") + known.name;
    return "ARM (implementer " + std::string(implementer) + ", part " + std::string(part) + ")";
}

/// Removes marks and repeated blanks: "Intel(R) Xeon(R) CPU  @ 2.20GHz" -> "Intel Xeon CPU @ 2.20GHz".
std::string readableName(std::string_view name)
{
    std::string text(name);
    for (const std::string_view mark : {"(R)", "(TM)", "(tm)"})
        for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark))
            text.erase(at, mark.size());
    return base::join(base::splitList(text, ' '), " ");
}

/// Returns the number of distinct physical cores among the allowed processors.
int countCores(const fs::path& root, const CpuInfo& info, const std::vector<int>& allowed)
{
    std::set<std::string> cores;
    for (int id : allowed) {
        const auto it = std::find_if(info.processors.begin(), info.processors.end(),
                                     [id](const auto& processor) { return processor.id == id; });
        if (it != info.processors.end() && it->core >= 0) {
            cores.insert(std::to_string(it->package) + ":" + std::to_string(it->core));
            continue;
        }
        // On ARM, cpuinfo has no core ids. Processors with the same siblings share a core.
        const fs::path topology = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(id)) / "topology";
        const std::string siblings = readText(topology / "thread_siblings_list");
        cores.insert(siblings.empty() ? "cpu" + std::to_string(id) : siblings);
    }
    return static_cast<int>(cores.size());
}

} // namespace

CpuInfo parseCpuInfo(std::string_view text)
{
    CpuInfo info;
    std::string_view implementer;
    std::string_view part;
    for (std::string_view line : linesOf(text)) {
        const auto colon = line.find(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string_view key = base::trimmed(line.substr(0, colon));
        const std::string_view value = base::trimmed(line.substr(colon + 1));
        const int number = static_cast<int>(parseInteger(value).value_or(-1));
        if (key == "processor")
            info.processors.push_back({number});
        else if (key == "model name" && info.name.empty())
            info.name = readableName(value);
        else if (key == "cpu MHz")
            info.clockMhz = std::max(info.clockMhz, number); // Idle cores report a low clock.
        else if (key == "physical id" && !info.processors.empty())
            info.processors.back().package = number;
        else if (key == "core id" && !info.processors.empty())
            info.processors.back().core = number;
        else if (key == "CPU implementer")
            implementer = value;
        else if (key == "CPU part")
            part = value;
        else if ((key == "flags" || key == "Features") && info.isa.empty()) {
            const auto flags = base::splitList(value, ' ');
            const std::set<std::string> present(flags.begin(), flags.end());
            for (const char* name : kKnownIsa)
                if (present.contains(name))
                    info.isa.emplace_back(name);
            info.hypervisor = present.contains("hypervisor");
        }
    }
    if (info.name.empty() && !implementer.empty())
        info.name = armName(implementer, part);
    return info;
}

std::vector<int> allowedProcessors()
{
    // The kernel refuses a set that is smaller than its own limit. Distributions build kernels for at most 8192.
    constexpr int kMost = 8192;
    std::vector<int> allowed;
    cpu_set_t* set = CPU_ALLOC(kMost);
    const std::size_t size = CPU_ALLOC_SIZE(kMost);
    CPU_ZERO_S(size, set);
    if (::sched_getaffinity(0, size, set) == 0)
        for (int id = 0; id < kMost; ++id)
            if (CPU_ISSET_S(static_cast<std::size_t>(id), size, set))
                allowed.push_back(id);
    CPU_FREE(set);
    return allowed;
}

model::Device probeCpu(const fs::path& root, const std::vector<int>& allowed)
{
    const CpuInfo info = parseCpuInfo(readText(root / "proc/cpuinfo"));
    const CgroupLimits limits = readCgroupLimits(root);

    model::Device cpu;
    cpu.id = "cpu";
    cpu.type = model::DeviceType::cpu();
    cpu.name = info.name;
    cpu.isa = info.isa;
    cpu.clockMhz = info.clockMhz;
    const std::string maxKilohertz = readText(root / "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    cpu.maxClockMhz = static_cast<int>(parseInteger(maxKilohertz).value_or(0) / 1000);

    cpu.threads = static_cast<int>(allowed.size());
    cpu.cores = countCores(root, info, allowed);
    if (limits.cpus) {
        // With more threads than the quota covers, the kernel stops them for the rest of every period.
        const int covered = std::max(1, static_cast<int>(*limits.cpus));
        cpu.threads = std::min(cpu.threads, covered);
        cpu.cores = std::min(cpu.cores, covered);
    }
    cpu.memory = base::machineMemory(root).physical;
    if (limits.memory && (cpu.memory.count == 0 || *limits.memory < cpu.memory))
        cpu.memory = *limits.memory;
    const Obstacle obstacle = energyObstacle(base::PackageEnergy(root).access());
    cpu.noEnergy = obstacle.reason;
    cpu.noEnergyRemedy = obstacle.remedy;
    return cpu;
}

} // namespace apertune::probe
