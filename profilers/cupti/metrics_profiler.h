// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"

#include <memory>

namespace apertune::profilers {

// Hardware counters of the first GPU that this process sees: each a recording of its own, never beside the one of
// makeCuptiProfiler(), whose times it would spoil. Start them when the model is loaded and stop them when the device is
// idle. Without the CUPTI headers at build time they are never available and say so.

/// Samples over time: SM active, tensor pipe, DRAM, L2, … as counter tracks of the device. Does not slow kernels down.
std::unique_ptr<trace::Profiler> makeSampleProfiler();

/// Exact values of each kernel: duration, occupancy, DRAM bytes, L2 hits, … Kernels run one at a time and more than
/// once, so record few of them. A kernel is a range "kernel 0", "kernel 1", … in the order of launch (a CUDA graph is
/// one range); counters carry no times, so the ranges stand one after another.
std::unique_ptr<trace::Profiler> makeKernelCounterProfiler();

} // namespace apertune::profilers
