// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/profiler.h"

#include <cstdint>
#include <memory>
#include <string>

namespace apertune::profilers {

/// The GPU's own records: kernels, copies, fills, API calls, synchronisation, allocations, graphs, NVTX, compilation
/// and what recording cost, all on CLOCK_MONOTONIC. Start it before the first CUDA call of the process and stop it when
/// the device is idle; one recording a process.
/// Without the CUPTI headers at build time it is never available and says so.
std::unique_ptr<trace::Profiler> makeCuptiProfiler(trace::GraphRecords graphs = trace::GraphRecords::nodes);

/// Names the file of CUPTI for processes in which neither the engine brings it nor the loader finds it. REQUIRES:
/// called before the first profiler is asked for anything.
void setCuptiLibrary(std::string file);

/// Ties device work to operators: what the calling thread does between the two belongs to `link`. For
/// apertune_trace_options::enter and leave; they do nothing unless a recording runs.
void enterOperator(std::uint64_t link);
void leaveOperator();

} // namespace apertune::profilers
