// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"

#include <memory>

namespace apertune::profilers {

/// Records GPU activity with CUPTI: kernels, copies, memory sets, API calls, synchronisation, allocations, graphs,
/// NVTX, compilation and the overhead of recording. All times are on CLOCK_MONOTONIC.
///
/// * Start it before the first CUDA call of the process, and stop it when the device is idle.
/// * A process has one recording at a time.
/// * Without the CUPTI headers at build time it is never available and says so.
std::unique_ptr<trace::Profiler> makeCuptiProfiler(trace::GraphRecords graphs = trace::GraphRecords::nodes);

} // namespace apertune::profilers
