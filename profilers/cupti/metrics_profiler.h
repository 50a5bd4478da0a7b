// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"

#include <memory>

namespace apertune::profilers {

// Profilers for hardware counters of the first GPU that this process sees. Each makes a recording of its own. It never
// runs beside the recording of makeCuptiProfiler(), whose times it would distort. Start it when the model is loaded and
// stop it when the device is idle. Without the CUPTI headers at build time it is never available and says so.

/// Samples counters over time, as counter tracks of the device: SM active, tensor pipe, DRAM, L2, … It does not slow
/// kernels down.
std::unique_ptr<trace::Profiler> makeSampleProfiler();

/// Reads exact values of each kernel: duration, occupancy, DRAM bytes, L2 hits, …
///
/// * Kernels run one at a time and several times each, so record few of them.
/// * A kernel is a range "kernel 0", "kernel 1", … in launch order. A CUDA graph is one range.
/// * Counters have no times, so the ranges follow one another.
std::unique_ptr<trace::Profiler> makeKernelCounterProfiler();

} // namespace apertune::profilers
