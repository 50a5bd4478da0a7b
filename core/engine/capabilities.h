// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/gpu_probe.h"
#include "core/model/device.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::engine {

/// What decides which recordings are possible. Private to this folder.
struct CapabilityFacts
{
    enum class Access { missing, forbidden, readable };

    bool hasGpu = false;
    std::string noGpuReason; ///< set when there is no GPU
    std::string noGpuRemedy;
    bool nvml = false;
    bool libtorch = false;
    bool cupti = false;
    bool counterLibraries = false; ///< libnvperf_host.so and libnvperf_target.so, which CUPTI needs for counters
    bool mig = false;              ///< the first GPU is split
    bool oldChip = false;          ///< before compute capability 7.5
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

/// Reads the facts below `root`; `torchRoot` may be empty.
CapabilityFacts gatherFacts(const std::filesystem::path& root, const std::filesystem::path& torchRoot,
                            const GpuProbe& gpus);

/// Is there a CUPTI library for CUDA 13, in the torch package's own environment or a toolkit?
bool hasCupti(const std::filesystem::path& root, const std::filesystem::path& torchRoot);

} // namespace apertune::engine
