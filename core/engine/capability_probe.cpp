// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/capabilities.h"
#include "core/engine/device_probe.h"

#include <algorithm>

namespace apertune::engine {

std::vector<model::Capability> probeCapabilities(const std::vector<model::Device>& devices)
{
    GpuProbe gpus = probeGpus();
    // The caller's devices are what it will measure on: it may have left GPUs out.
    std::erase_if(gpus.devices, [&](const model::Device& gpu) {
        return std::none_of(devices.begin(), devices.end(), [&](const auto& d) { return d.uuid == gpu.uuid; });
    });
    return capabilitiesOf(gatherFacts("/", Installation::locate().torchRoot, gpus));
}

} // namespace apertune::engine
