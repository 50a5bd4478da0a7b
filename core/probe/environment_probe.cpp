// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/environment_probe.h"

#include "core/base/text.h"
#include "core/probe/cgroup.h"
#include "core/probe/cpu_probe.h"
#include "core/probe/system_files.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace apertune::probe {

namespace fs = std::filesystem;

namespace {

/// Prefixes of variables that change how fast or how exactly a model runs.
constexpr std::array<std::string_view, 16> kRelevant{
    "OMP_",   "GOMP_",   "KMP_",    "MKL_",  "OPENBLAS_", "DNNL_",   "ONEDNN_",     "CUDA_",
    "CUDNN_", "CUBLAS_", "NVIDIA_", "TORCH", "PYTORCH_",  "KINETO_", "LD_PRELOAD=", "MALLOC_"};

bool isRelevant(std::string_view variable)
{
    return std::any_of(kRelevant.begin(), kRelevant.end(),
                       [variable](std::string_view prefix) { return variable.starts_with(prefix); });
}

/// Returns the chosen value: "always [madvise] never" → "madvise".
std::string chosenOf(const std::string& text)
{
    const auto open = text.find('[');
    const auto close = text.find(']', open == std::string::npos ? 0 : open);
    return open == std::string::npos || close == std::string::npos ? text : text.substr(open + 1, close - open - 1);
}

void add(Settings& settings, const char* name, std::string value)
{
    if (!value.empty())
        settings.emplace_back(name, std::move(value));
}

} // namespace

std::string parseOsName(std::string_view osRelease)
{
    for (std::string_view line : linesOf(osRelease)) {
        if (!line.starts_with("PRETTY_NAME="))
            continue;
        std::string_view name = base::trimmed(line.substr(12));
        if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
            name = name.substr(1, name.size() - 2);
        return std::string(name);
    }
    return {};
}

Settings readSettings(const fs::path& root, const std::vector<std::string>& variables)
{
    const fs::path cpus = root / "sys/devices/system/cpu";
    Settings settings;
    add(settings, "cpu governor", readText(cpus / "cpu0/cpufreq/scaling_governor"));
    add(settings, "cpu boost", readText(cpus / "cpufreq/boost"));
    // intel_pstate has the setting the other way round.
    const std::string noTurbo = readText(cpus / "intel_pstate/no_turbo");
    add(settings, "cpu boost", noTurbo.empty() ? "" : noTurbo == "0" ? "1" : "0");
    add(settings, "multithreading", readText(cpus / "smt/active"));
    add(settings, "transparent huge pages", chosenOf(readText(root / "sys/kernel/mm/transparent_hugepage/enabled")));
    if (const auto cpuLimit = readCgroupLimits(root).cpus)
        add(settings, "cpu quota", base::formatSignificant(*cpuLimit, 3));
    if (parseCpuInfo(readText(root / "proc/cpuinfo")).hypervisor)
        add(settings, "virtual machine", "yes");

    std::vector<std::string> sorted;
    std::copy_if(variables.begin(), variables.end(), std::back_inserter(sorted), isRelevant);
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& variable : sorted)
        if (const auto equals = variable.find('='); equals != std::string::npos)
            settings.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
    return settings;
}

double readLoadAverage(const fs::path& root)
{
    const std::string text = readText(root / "proc/loadavg");
    double load = 0;
    std::from_chars(text.data(), text.data() + text.size(), load);
    return load;
}

model::Environment probeEnvironment(const std::vector<model::Device>& devices,
                                    const std::vector<search::BackendInfo>& backends)
{
    model::Environment environment;
    if (utsname names{}; ::uname(&names) == 0) {
        environment.host = names.nodename;
        environment.kernel = names.release;
    }
    environment.os = parseOsName(readText("/etc/os-release"));
    environment.apertune = APERTUNE_VERSION;
    environment.devices = devices;
    for (const search::BackendInfo& backend : backends)
        if (!backend.forTests)
            environment.engines.emplace_back(backend.name, backend.version);
    std::vector<std::string> variables;
    for (char** entry = ::environ; entry && *entry; ++entry)
        variables.emplace_back(*entry);
    environment.settings = readSettings("/", variables);
    environment.loadAverage = readLoadAverage("/");
    return environment;
}

} // namespace apertune::probe
