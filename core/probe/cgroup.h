// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace apertune::probe {

/// What control groups allow this process; absent: unlimited. A container's limits, that /proc does not show.
struct CgroupLimits
{
    std::optional<double> cpus{}; ///< processors' worth of CPU time
    std::optional<base::Bytes> memory{};
};

/// "200000 100000" -> 2; "max 100000" and anything else -> nullopt (cpu.max of version 2).
std::optional<double> parseCpuMax(std::string_view text);

/// The tightest limits of the process's groups and all their parents, versions 1 and 2, below root/sys/fs/cgroup as
/// root/proc/self/cgroup names them. What cannot be read limits nothing.
CgroupLimits readCgroupLimits(const std::filesystem::path& root);

} // namespace apertune::probe
