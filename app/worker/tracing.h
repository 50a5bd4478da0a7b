// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/measuring.h"
#include "core/trace/profiler.h"
#include "core/trace/trace.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace apertune::worker {

struct TraceRequest
{
    int iterations = 20;    ///< in the trace
    bool operators = true;  ///< and tensor memory, from the backend
    int bareIterations = 0; ///< timed with nothing attached, half before and half after; 0: none
    base::Nanoseconds most = base::fromSeconds(60);
    std::uint32_t record = APERTUNE_TRACE_OPERATORS | APERTUNE_TRACE_SHAPES | APERTUNE_TRACE_MEMORY;
    std::uint64_t maxEvents = 0; ///< of each thread; 0: the backend's limit
    // Handed to the backend: tie device work to operators. Both or none.
    void (*enter)(std::uint64_t link) = nullptr;
    void (*leave)() = nullptr;
};

struct Recording
{
    trace::Trace trace;
    std::vector<base::Nanoseconds> bare;   ///< single passes
    std::vector<base::Nanoseconds> traced; ///< single passes
    // Processor time of the measuring thread in the same passes: other work on the machine disturbs it less.
    std::vector<base::Nanoseconds> bareCpu;
    std::vector<base::Nanoseconds> tracedCpu;
};

/// A recording that began before the model was loaded, as CUPTI's must.
struct Attached
{
    std::string name;
    std::unique_ptr<trace::ProfilerSession> session;
};

/// Records passes of a warm model: each is a range "iteration k" on the measuring thread; operators and tensor memory
/// come from the backend, the rest from `profilers`, which are started and stopped here, and `attached`, which are
/// only stopped. Bare passes come before the recording begins and after it ends, so that a drift of the machine meets
/// both; timing and tracing share no pass. Whatever cannot be recorded is a Loss of severity notice that says why.
/// Fewer iterations than asked for are traced when `most` runs out; at least one is.
/// Failures: those of the backend; cancelled when `stop` became true.
base::Result<Recording> recordTrace(LoadedModel& model, const TraceRequest& request,
                                    const std::vector<trace::Profiler*>& profilers, std::vector<Attached> attached,
                                    const std::atomic<bool>& stop, const PhaseSink& phase);

} // namespace apertune::worker
