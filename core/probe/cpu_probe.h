// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::probe {

/// What /proc/cpuinfo says. Private to this folder.
struct CpuInfo
{
    struct Processor
    {
        int id = 0;
        int package = -1; ///< -1: not told (ARM)
        int core = -1;
    };
    std::string name;
    std::vector<std::string> isa; ///< the names of model::Device::isa; on ARM the kernel's own ("sve", "bf16", …)
    int clockMhz = 0;
    bool hypervisor = false;
    std::vector<Processor> processors;
};

/// Takes the text of /proc/cpuinfo of any architecture; what is not in it stays empty.
CpuInfo parseCpuInfo(std::string_view text);

/// The processors that this process may run on (sched_getaffinity), ascending.
std::vector<int> allowedProcessors();

/// The CPU below `root` ("/" on a real machine) as far as `allowed` and the control groups let this process use it:
/// threads = allowed processors, at most the CPU quota rounded down; cores = distinct physical cores among them;
/// memory = physical memory, at most the group's limit. Never fails.
model::Device probeCpu(const std::filesystem::path& root, const std::vector<int>& allowed);

} // namespace apertune::probe
