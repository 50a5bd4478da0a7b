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
    std::filesystem::path root = "/";    ///< before /proc and /sys; tests give a folder of their own
    std::size_t mostSamples = 1'000'000; ///< the memory cap (some 100 MB); what comes then is lost and counted
};

/// Samples what the operating system counts for this process and the machine (host_sample.h) on a thread of its own.
/// What cannot be read here is one notice in the trace; the rest is recorded.
std::unique_ptr<trace::Profiler> makeHostProfiler(HostOptions options = {});

} // namespace apertune::profilers
