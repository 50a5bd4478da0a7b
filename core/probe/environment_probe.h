// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::probe {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// PRETTY_NAME of the text of /etc/os-release without its quotes; "" when there is none.
std::string parseOsName(std::string_view osRelease);

/// What of the machine below `root` and of `variables` ("NAME=value") changes results, by name: the clock governor,
/// boost, transparent huge pages, simultaneous multithreading, CPU quota, virtualisation, and the variables that
/// OpenMP, BLAS, CUDA and PyTorch read. What cannot be read is left out.
Settings readSettings(const std::filesystem::path& root, const std::vector<std::string>& variables);

/// The 1-minute load below `root`; 0 when unreadable.
double readLoadAverage(const std::filesystem::path& root);

} // namespace apertune::probe
