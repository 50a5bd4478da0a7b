// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/device_probe.h"

#include "core/engine/cpu_probe.h"
#include "core/engine/gpu_probe.h"

namespace apertune::engine {

std::vector<model::Device> probeDevices()
{
    std::vector<model::Device> devices{probeCpu("/", allowedProcessors())};
    for (model::Device& gpu : probeGpus().devices)
        devices.push_back(std::move(gpu));
    return devices;
}

} // namespace apertune::engine
