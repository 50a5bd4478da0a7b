// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/worker/installation.h"
#include "core/worker/launcher.h"

#include <vector>

namespace apertune::probe {

/// Returns for each kind of recording whether this machine can make it and, if not, the reason and the remedy: CPU and
/// GPU timing, operators, kernel trace, hardware counters, GPU telemetry, CPU energy, perf counters. If the driver can
/// serve a GPU, a worker tries the recordings on the first one, which takes seconds. Blocks.
std::vector<model::Capability> probeCapabilities(worker::Launcher& launcher, const worker::Installation& installation,
                                                 const std::vector<model::Device>& devices);

} // namespace apertune::probe
