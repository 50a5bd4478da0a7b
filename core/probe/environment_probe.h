// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/search/grid.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::probe {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Returns PRETTY_NAME from the text of /etc/os-release without its quotes; "" when it has none.
std::string parseOsName(std::string_view osRelease);

/// Returns the settings that change results, by name. Settings that cannot be read are left out.
///  - The machine's, below `root`: clock governor, boost, transparent huge pages, simultaneous multithreading, CPU
///    quota, virtualisation.
///  - Those of `variables` ("NAME=value") that OpenMP, BLAS, CUDA and PyTorch read.
Settings readSettings(const std::filesystem::path& root, const std::vector<std::string>& variables);

/// Returns the 1-minute load below `root`; 0 when it cannot be read.
double readLoadAverage(const std::filesystem::path& root);

/// Returns the environment of measurements: host, OS, kernel, devices, versions of engines, load, and the settings and
/// environment variables that change results. Never fails.
model::Environment probeEnvironment(const std::vector<model::Device>& devices,
                                    const std::vector<search::BackendInfo>& backends);

} // namespace apertune::probe
