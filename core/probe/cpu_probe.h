// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::probe {

/// The facts in /proc/cpuinfo. Private to this folder.
struct CpuInfo
{
    struct Processor
    {
        int id = 0;
        int package = -1; ///< -1: unknown (ARM)
        int core = -1;
    };
    std::string name;
    std::vector<std::string> isa; ///< names as in model::Device::isa; on ARM the kernel's names ("sve", "bf16", …)
    int clockMhz = 0;
    bool hypervisor = false;
    std::vector<Processor> processors;
};

/// Parses the text of /proc/cpuinfo of any architecture. Facts that it lacks stay empty.
CpuInfo parseCpuInfo(std::string_view text);

/// Returns the processors that this process may run on (sched_getaffinity), in ascending order.
std::vector<int> allowedProcessors();

/// Returns the part of the CPU below `root` ("/" on a real machine) that `allowed` and the control groups let this
/// process use. Never fails.
///  - threads: the allowed processors, at most the CPU quota rounded down.
///  - cores: the distinct physical cores among the allowed processors.
///  - memory: the physical memory, at most the group's limit.
model::Device probeCpu(const std::filesystem::path& root, const std::vector<int>& allowed);

} // namespace apertune::probe
