// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace apertune::probe {

/// The limits that control groups set to this process, such as those of a container. /proc does not show them. Absent:
/// unlimited.
struct CgroupLimits
{
    std::optional<double> cpus{}; ///< processors' worth of CPU time
    std::optional<base::Bytes> memory{};
};

/// Parses cpu.max of version 2: "200000 100000" → 2; "max 100000" and any other text → nullopt.
std::optional<double> parseCpuMax(std::string_view text);

/// Returns the tightest limits of the process's groups and all their parents, of versions 1 and 2. The groups are those
/// named in root/proc/self/cgroup, below root/sys/fs/cgroup. A file that cannot be read sets no limit.
CgroupLimits readCgroupLimits(const std::filesystem::path& root);

} // namespace apertune::probe
