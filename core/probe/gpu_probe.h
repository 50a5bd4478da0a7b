// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/nvml.h"
#include "core/model/device.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::probe {

/// Result of probing the GPUs.
struct GpuProbe
{
    bool available = false; ///< NVML answers, even if this process may use no GPU
    base::Message reason;   ///< why NVML shows no GPU; empty when it does
    base::Message remedy;
    int cudaVersion = 0; ///< newest CUDA version that the driver runs, 12080 for 12.8; 0 when unknown
    std::vector<model::Device> devices;
};

/// Returns the visible GPUs in the driver's order, as "cuda:0", "cuda:1", … Never fails: facts that cannot be read are
/// 0 or empty. Private to this folder.
///   - `visible` is the value of CUDA_VISIBLE_DEVICES: indices or UUID prefixes up to the first invalid one, as CUDA
///     reads it. nullopt selects all.
///   - A GPU split by MIG is represented by its first instance, as in CUDA, unless `visible` names another.
GpuProbe probeGpus(const base::NvmlApi& api, const std::optional<std::string>& visible);

/// Returns the GPUs that CUDA's driver shows to the worker, which is started for it; empty when it shows none.
std::vector<model::Device> gpusOfDriver(const std::filesystem::path& worker);

/// Probes with the driver's NVML, which is loaded once and kept, and this process's CUDA_VISIBLE_DEVICES. When a
/// container has the driver without NVML, the GPUs are those of gpusOfDriver(), without clocks and use.
/// Threads: any.
GpuProbe probeGpus();

/// Returns the processors of `allowed` on the NUMA node of the device at that PCI address, in ascending order, as sysfs
/// below `root` ("/" on a real machine) lists them. Empty when sysfs has no list, or `allowed` contains none of them.
std::vector<int> processorsOfNode(const std::filesystem::path& root, const std::string& pci,
                                  const std::vector<int>& allowed);

} // namespace apertune::probe
