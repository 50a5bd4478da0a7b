// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/device.h"
#include "core/probe/gpu_probe.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::probe {

/// Why something cannot be done, and how it could be. Nothing is in the way when `reason` is empty.
struct Obstacle
{
    std::string reason;
    std::string remedy;
};

/// What decides which recordings are possible. Private to this folder.
struct CapabilityFacts
{
    enum class Access { missing, forbidden, readable };

    bool hasGpu = false;
    std::string noGpuReason; ///< set when there is no GPU
    std::string noGpuRemedy;
    bool nvml = false;
    bool libtorch = false;
    Obstacle gpuUse{};      ///< what keeps engines from using the first GPU
    Obstacle gpuTrace{};    ///< what keeps CUPTI from opening
    Obstacle gpuCounters{}; ///< what keeps CUPTI from reading the first GPU's counters
    bool mig = false;       ///< the first GPU is split
    bool oldChip = false;   ///< before compute capability 7.5
    bool wsl = false;
    std::optional<bool> countersForAdminsOnly{}; ///< NVIDIA's RmProfilingAdminOnly; nullopt: unknown
    bool isAdmin = false;                        ///< CAP_SYS_ADMIN
    bool mayPerf = false;                        ///< CAP_PERFMON or CAP_SYS_ADMIN
    Access energy = Access::missing;             ///< RAPL's energy counter
    bool hardwarePmu = false;                    ///< the CPU's counters are there (often not in a virtual machine)
    std::optional<std::int64_t> perfParanoid{};
};

/// One entry for each kind of recording, always the same ones in the same order.
std::vector<model::Capability> capabilitiesOf(const CapabilityFacts& facts);

/// Reads the facts below `root`; `torchRoot` may be empty. Nothing is asked of the GPU: a driver that is too old for
/// this build is its only obstacle here.
CapabilityFacts gatherFacts(const std::filesystem::path& root, const std::filesystem::path& torchRoot,
                            const GpuProbe& gpus);

/// Reads a worker's answer to the command `recordings` into the facts. What it does not tell of is not possible.
void readRecordings(const base::Json& answer, CapabilityFacts& facts);

} // namespace apertune::probe
