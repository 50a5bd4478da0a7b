// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/nvml.h"
#include "core/model/device.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::probe {

/// Result of probing the GPUs.
struct GpuProbe
{
    bool available = false; ///< the driver answers, even if this process may use no GPU
    base::Message reason;   ///< why no GPU is visible; empty when one is
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

/// The same with the driver's library, which is loaded once and kept, and this process's CUDA_VISIBLE_DEVICES.
/// Threads: any.
GpuProbe probeGpus();

} // namespace apertune::probe
