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
    int iterations = 20;    ///< number of traced passes
    bool operators = true;  ///< the backend records operators and tensor memory
    int bareIterations = 0; ///< passes timed without any recording, half before and half after; 0: none
    base::Nanoseconds most = base::fromSeconds(60);
    base::Nanoseconds least{}; ///< further passes are traced until this time is over
    std::uint32_t record = APERTUNE_TRACE_OPERATORS | APERTUNE_TRACE_SHAPES | APERTUNE_TRACE_MEMORY;
    std::uint64_t maxEvents = 0; ///< limit for each thread; 0: the backend's limit
    // Callbacks for the backend that link device work to operators. Both are set, or none.
    void (*enter)(std::uint64_t link) = nullptr;
    void (*leave)() = nullptr;
};

struct Recording
{
    trace::Trace trace;
    std::vector<base::Nanoseconds> bare;   ///< single passes
    std::vector<base::Nanoseconds> traced; ///< single passes
    // Processor time of the measuring thread in the same passes. Other work on the machine affects it less.
    std::vector<base::Nanoseconds> bareCpu;
    std::vector<base::Nanoseconds> tracedCpu;
};

/// A recording that began before the model was loaded, as one of CUPTI has to.
struct Attached
{
    std::string name;
    std::unique_ptr<trace::ProfilerSession> session;
};

/// Records passes of a warm model.
///
/// * Each pass is a range "iteration k" on the measuring thread.
/// * Operators and tensor memory come from the backend. Everything else comes from `profilers`, which are started and
///   stopped here, and from `attached`, which are only stopped.
/// * Bare passes run before the recording begins and after it ends, so that a drift of the machine affects both alike.
///   No pass is both timed and traced.
/// * A source that cannot be recorded is a Loss with the reason. If `most` runs out, fewer iterations are traced, but
///   at least one.
///
/// Failures: those of the backend; cancelled when `stop` became true.
base::Result<Recording> recordTrace(LoadedModel& model, const TraceRequest& request,
                                    const std::vector<trace::Profiler*>& profilers, std::vector<Attached> attached,
                                    const std::atomic<bool>& stop, const PhaseSink& phase);

} // namespace apertune::worker
