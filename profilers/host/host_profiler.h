// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/trace/profiler.h"

#include <filesystem>
#include <memory>

namespace apertune::profilers {

struct HostOptions
{
    base::Nanoseconds period = base::fromMilliseconds(20);
    std::filesystem::path root = "/";    ///< folder that holds proc and sys; tests give a folder of their own
    std::size_t mostSamples = 1'000'000; ///< the memory cap, some 100 MB; samples beyond it are lost and counted
};

/// Samples the operating system's counters of this process and of the machine (host_sample.h) on a thread of its own. A
/// counter that cannot be read here becomes a notice in the trace; the others are recorded.
std::unique_ptr<trace::Profiler> makeHostProfiler(HostOptions options = {});

} // namespace apertune::profilers
