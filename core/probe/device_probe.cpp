// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/device_probe.h"

#include "core/probe/cpu_probe.h"
#include "core/probe/gpu_probe.h"

namespace apertune::probe {

std::vector<model::Device> probeDevices()
{
    const std::vector<int> allowed = allowedProcessors();
    std::vector<model::Device> devices{probeCpu("/", allowed)};
    for (model::Device& gpu : probeGpus().devices) {
        gpu.processors = processorsOfNode("/", gpu.pci, allowed);
        devices.push_back(std::move(gpu));
    }
    return devices;
}

} // namespace apertune::probe
