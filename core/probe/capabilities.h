// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/package_energy.h"
#include "core/model/device.h"
#include "core/probe/gpu_probe.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::probe {

/// The reason why something cannot be done, and the remedy. An empty `reason`: it can be done.
struct Obstacle
{
    base::Message reason;
    base::Message remedy;
};

/// Returns the obstacle between this process and the energy counters of the processor packages.
Obstacle energyObstacle(base::PackageEnergy::Access access);

/// The facts that decide which recordings are possible. Private to this folder.
struct CapabilityFacts
{
    bool hasGpu = false;
    base::Message noGpuReason; ///< set when there is no GPU
    base::Message noGpuRemedy;
    bool nvml = false;
    bool libtorch = false;
    Obstacle gpuUse{};      ///< reason why engines cannot use the first GPU
    Obstacle gpuTrace{};    ///< reason why CUPTI cannot be opened
    Obstacle gpuCounters{}; ///< reason why CUPTI cannot read the first GPU's counters
    bool mig = false;       ///< the first GPU is split
    bool oldChip = false;   ///< the first GPU's compute capability is below 7.5
    bool wsl = false;
    std::optional<bool> countersForAdminsOnly{}; ///< NVIDIA's RmProfilingAdminOnly; nullopt: unknown
    bool isAdmin = false;                        ///< CAP_SYS_ADMIN
    bool mayPerf = false;                        ///< CAP_PERFMON or CAP_SYS_ADMIN
    base::PackageEnergy::Access energy = base::PackageEnergy::Access::missing;
    bool hardwarePmu = false; ///< the CPU's counters exist (virtual machines often lack them)
    std::optional<std::int64_t> perfParanoid{};
};

/// Returns an entry for each kind of recording, always in the same order.
std::vector<model::Capability> capabilitiesOf(const CapabilityFacts& facts);

/// Reads the facts below `root`. `torchRoot` may be empty. The GPU is not used: only a driver that is too old for this
/// build counts as an obstacle here.
CapabilityFacts gatherFacts(const std::filesystem::path& root, const std::filesystem::path& torchRoot,
                            const GpuProbe& gpus);

/// Reads a worker's answer to the command `recordings` into the facts. Recordings that it does not name are impossible.
void readRecordings(const base::Json& answer, CapabilityFacts& facts);

} // namespace apertune::probe
