// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"
#include "core/store/store.h"
#include "core/study/configuration_run.h"
#include "core/study/run_context.h"
#include "core/trace/profiler.h"
#include "core/trace/trace.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace apertune::runs {

/// What is recorded in one go: hardware counters would spoil the times of events, so they have passes of their own.
enum class TracePass {
    events,  ///< operators, kernels, copies, memory, telemetry
    samples, ///< of the GPU over time: SM active, tensor pipe, DRAM, L2
    kernels, ///< counters of each kernel of one pass: duration, occupancy, DRAM bytes, L2 hits
};

/// What a capture records. The options of `apertune trace record`.
struct TraceOptions
{
    int iterations = 20;                            ///< in the trace; fewer when `most` runs out
    base::Nanoseconds most = base::fromSeconds(60); ///< for the bare and the traced passes together
    bool shapes = true;                             ///< of the operators' inputs
    bool memory = true;                             ///< every allocation of the framework
    bool telemetry = true;                          ///< memory, CPU use, clock and power of the host
    TracePass pass = TracePass::events;
    trace::GraphRecords graphs = trace::GraphRecords::nodes; ///< of a GPU
    bool nvtx = false; ///< operators also as NVTX ranges, for a tool attached from outside
};

/// Makes what records a device from outside the worker (clocks, power); called once for a capture. May be empty.
using TelemetryMaker = std::function<std::vector<std::unique_ptr<trace::Profiler>>(const model::Device&)>;

/// Runs the trial's configuration again in a fresh worker: loads, warms up, times bare passes, and records. The trial's
/// own measurement stays as it is. On a GPU the bare passes run in a worker of their own, because a recorder that is
/// attached slows down every call. The trace's name says what was traced, its cost what the recording cost.
/// The passes for hardware counters record nothing but iterations and counters, on a GPU alone.
/// `telemetry` makes what records the device from this process meanwhile.
/// `phase` gets "compile", "load", "warm-up", "bare", "trace", "write".
/// Failures: unsupported (the device is not here, nothing can be compiled, counters cannot be read), compileFailed,
/// outOfMemory, modelThrew, crashed, timeout, invalidArgument, internal, cancelled.
base::Result<trace::Trace> captureTrial(const study::RunContext& context, const model::Study& study,
                                        const model::Trial& trial, const TraceOptions& options,
                                        const study::PhaseSink& phase, std::stop_token stop,
                                        const TelemetryMaker& telemetry = {});

/// What recording cost, from single passes. Nothing when one of the samples is empty.
std::optional<trace::RecordingCost> recordingCost(const std::vector<base::Nanoseconds>& bare,
                                                  const std::vector<base::Nanoseconds>& traced);

} // namespace apertune::runs
