// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/search/grid.h"
#include "core/worker/installation.h"
#include "core/worker/launcher.h"

#include <vector>

namespace apertune::probe {

/// Returns the devices of this machine: the CPU from /proc/cpuinfo, sched_getaffinity and sysfs, and GPUs through NVML
/// (dlopen "libnvidia-ml.so.1"), which needs no CUDA context. Never fails: facts that cannot be read stay empty. Takes
/// milliseconds.
std::vector<model::Device> probeDevices();

/// Returns the environment of measurements: host, OS, kernel, devices, versions of engines, load, and the settings and
/// environment variables that change results. Never fails.
model::Environment probeEnvironment(const std::vector<model::Device>& devices,
                                    const std::vector<search::BackendInfo>& backends);

/// Returns for each kind of recording whether this machine can make it and, if not, the reason and the remedy: CPU and
/// GPU timing, operators, kernel trace, hardware counters, GPU telemetry, CPU energy, perf counters. If the driver can
/// serve a GPU, a worker tries the recordings on the first one, which takes seconds. Blocks.
std::vector<model::Capability> probeCapabilities(worker::Launcher& launcher, const worker::Installation& installation,
                                                 const std::vector<model::Device>& devices);

struct ProbedBackends
{
    std::vector<search::BackendInfo> backends;
    std::vector<model::Device> devices; ///< the given devices, then those that only backends show, with their engines
};

/// Asks each backend of the plugins folder for its capabilities, in workers that are started for this and end at once.
/// Blocks for seconds. A backend that cannot start is in the list with no switches and the reason in
/// cannotCompileReason.
ProbedBackends probeBackends(worker::Launcher& launcher, const worker::Installation& installation,
                             const std::vector<model::Device>& devices);

} // namespace apertune::probe
