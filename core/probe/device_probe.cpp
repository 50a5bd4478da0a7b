// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/device_probe.h"

#include "core/probe/cpu_probe.h"
#include "core/probe/gpu_probe.h"

namespace apertune::probe {

std::vector<model::Device> probeDevices()
{
    std::vector<model::Device> devices{probeCpu("/", allowedProcessors())};
    for (model::Device& gpu : probeGpus().devices)
        devices.push_back(std::move(gpu));
    return devices;
}

} // namespace apertune::probe
