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

/// Kind of a recording. Hardware counters disturb the times of events, so each kind needs a capture of its own.
enum class TracePass {
    events,  ///< operators, kernels, copies, memory, telemetry
    samples, ///< hardware counters of the GPU over time: SM active, tensor pipe, DRAM, L2
    kernels, ///< hardware counters by kernel of one pass: duration, occupancy, DRAM bytes, L2 hits
};

/// Least time of the passes whose hardware counters are sampled: 200 samples at 10 kHz.
inline constexpr base::Nanoseconds kSamplingTime = base::fromMilliseconds(20);

/// Options of a capture, which are those of `apertune trace record`.
struct TraceOptions
{
    int iterations = 20;                            ///< passes to record; fewer when `most` runs out
    base::Nanoseconds most = base::fromSeconds(60); ///< time limit of the bare and the traced passes together
    bool shapes = true;                             ///< record the shapes of operators' inputs
    bool memory = true;                             ///< record every allocation of the framework
    bool telemetry = true;                          ///< record memory, CPU use, clock and power
    TracePass pass = TracePass::events;
    trace::GraphRecords graphs = trace::GraphRecords::nodes; ///< level of detail of CUDA graphs
    bool nvtx = false; ///< emit operators as NVTX ranges too, for a tool attached from outside
};

/// Makes the profilers that record a device from outside the worker (clocks, power). It is called at most once a
/// capture and may be empty.
using TelemetryMaker = std::function<std::vector<std::unique_ptr<trace::Profiler>>(const model::Device&)>;

/// Records a trace of the trial's configuration in a fresh worker: loads, warms up, times passes without recording
/// ("bare"), then records. The trial's stored measurement is not changed. Blocks the calling thread.
///
///   - On an NVIDIA GPU the bare passes run in a worker of their own, because an attached recorder slows every call.
///   - The passes for hardware counters record only iterations and counters, and only on an NVIDIA GPU. They last for
///     at least kSamplingTime, so that there are enough samples. Counters of kernels are those of recordedConfig().
///   - Profilers of `telemetry` record in this process while the worker traces. One that fails becomes a loss.
///   - The trace's name says what was traced, and its cost is the slowdown by recording.
///
/// `phase` gets "compile", "load", "warm-up", "bare", "trace" and "write".
/// Failures: unsupported (counters of a device that is no NVIDIA GPU), internal (an unreadable answer), those of
/// study::requestOf(), study::toError() and trace::readTraceFile().
base::Result<trace::Trace> captureTrial(const study::RunContext& context, const model::Study& study,
                                        const model::Trial& trial, const TraceOptions& options,
                                        const study::PhaseSink& phase, std::stop_token stop,
                                        const TelemetryMaker& telemetry = {});

/// The configuration that such a pass runs. Counters of kernels are read without a CUDA graph, because CUPTI takes the
/// whole graph for one kernel.
model::Config recordedConfig(const model::Config& config, TracePass pass);

/// The slowdown by recording, from the times of single passes. nullopt when one of the samples is empty.
std::optional<trace::RecordingCost> recordingCost(const std::vector<base::Nanoseconds>& bare,
                                                  const std::vector<base::Nanoseconds>& traced);

} // namespace apertune::runs
