// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/nvml.h"
#include "core/model/device.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::probe {

/// What a look at the GPUs gave. `available` without GPUs: a driver, but no device that this process may use.
struct GpuProbe
{
    bool available = false;
    std::string reason; ///< why there is no GPU to be seen; empty when there is one
    std::string remedy;
    int cudaVersion = 0; ///< the newest CUDA that the driver runs, 12080 for 12.8; 0: unknown
    std::vector<model::Device> devices;
};

/// The GPUs in the driver's order, numbered "cuda:0", "cuda:1", … after `visible` (the value of CUDA_VISIBLE_DEVICES:
/// indices or UUID prefixes, read until the first that is none, as CUDA does; nullopt: all) chose among them. A GPU
/// split by MIG is its first instance, which is the one CUDA shows, unless `visible` names another.
/// A value that cannot be read is 0 or empty. Private to this folder.
GpuProbe probeGpus(const base::NvmlApi& api, const std::optional<std::string>& visible);

/// The same with the driver's own library, loaded once and kept; thread-safe.
GpuProbe probeGpus();

} // namespace apertune::probe
