// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/device.h"

#include <filesystem>
#include <vector>

namespace apertune::probe {

/// Returns a sentence for each vendor whose GPU is in this machine (sysfs below `root`, "/" on a real machine) but not
/// among `devices`. It says why the GPU cannot be tuned here, or what would make it possible. NVIDIA's GPUs have their
/// own sentences (capability_probe.h).
std::vector<base::Message> foreignGpus(const std::filesystem::path& root, const std::vector<model::Device>& devices);

} // namespace apertune::probe
