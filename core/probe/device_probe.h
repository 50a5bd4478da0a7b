// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

#include <vector>

namespace apertune::probe {

/// Returns the devices of this machine: the CPU from /proc/cpuinfo, sched_getaffinity and sysfs, and GPUs through NVML
/// (dlopen "libnvidia-ml.so.1"), which needs no CUDA context. Never fails: facts that cannot be read stay empty. Takes
/// milliseconds.
std::vector<model::Device> probeDevices();

} // namespace apertune::probe
