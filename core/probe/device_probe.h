// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/search/grid.h"
#include "core/worker/installation.h"
#include "core/worker/launcher.h"

#include <vector>

namespace apertune::probe {

/// The CPU from /proc/cpuinfo, sched_getaffinity and sysfs; GPUs through NVML (dlopen "libnvidia-ml.so.1"), which needs
/// no CUDA context. Never fails: what cannot be read is empty. Takes milliseconds.
std::vector<model::Device> probeDevices();

/// Host, OS, kernel, devices, versions of engines, load and the environment variables that change results.
model::Environment probeEnvironment(const std::vector<model::Device>& devices,
                                    const std::vector<search::BackendInfo>& backends);

/// What can be recorded on this machine, and for what cannot, why and what to do: CPU and GPU timing, operators, kernel
/// trace (CUPTI + driver), hardware counters, GPU telemetry (NVML), CPU energy (RAPL readable), perf counters
/// (perf_event_paranoid). Where there is a GPU that the driver can serve, a worker is started on the first one and
/// tries; that takes seconds.
std::vector<model::Capability> probeCapabilities(worker::Launcher& launcher, const worker::Installation& installation,
                                                 const std::vector<model::Device>& devices);

struct ProbedBackends
{
    std::vector<search::BackendInfo> backends;
    std::vector<model::Device> devices; ///< those given, then those that only backends show, each with its engines
};

/// Asks each backend in the plugins folder what it can do, in a worker that is started for it and ends at once.
/// A backend that cannot start is in the list with no switches and its reason in cannotCompileReason.
ProbedBackends probeBackends(worker::Launcher& launcher, const worker::Installation& installation,
                             const std::vector<model::Device>& devices);

} // namespace apertune::probe
