// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace_builder.h"

#include <memory>
#include <string>
#include <string_view>

namespace apertune::trace {

/// Whether something can be recorded on this machine. When not, both sentences are for the user.
struct Availability
{
    bool possible = true;
    std::string reason; ///< why not: "There is no NVIDIA driver."
    std::string remedy; ///< how to proceed: "Install one, or trace the operators only."
};

/// How much is recorded of a captured graph (a CUDA graph) that is launched.
enum class GraphRecords {
    nodes,    ///< every kernel and copy of it, each with its node
    launches, ///< one record a launch: costs less, and hides what runs inside
};

/// A recording that runs. Ending it without stop() throws away what it recorded; the destructor leaves nothing behind
/// (no thread, no callback, no counter that goes on).
///
/// Threads: made, stopped and destroyed by one thread; what it records may come from any.
class ProfilerSession
{
public:
    virtual ~ProfilerSession() = default;

    /// Ends the recording and appends everything to `into`: events, and a Loss for whatever is missing, so that every
    /// record that came in is either an event or counted. Times are CLOCK_MONOTONIC less the builder's
    /// head().originMonotonic; what ended before that instant is not part of the recording and may be left out, except
    /// what explains later events (memory that was allocated before). May take long: the recording is decoded here, not
    /// while it runs. REQUIRES: called at most once. Failures: unsupported, internal; what could be saved is in `into`
    /// even then.
    virtual base::Status stop(TraceBuilder& into) = 0;
};

/// A source of events: the GPU's activity records, the operating system's counters, the management library. Each
/// stands in profilers/<name> and knows nothing of the others.
class Profiler
{
public:
    virtual ~Profiler() = default;

    /// "cupti", "host", "nvml": the word of reports and logs.
    virtual std::string_view name() const = 0;

    /// Cheap and without side effects that outlast it.
    virtual Availability availability() = 0;

    /// Begins to record. Failures: unsupported (as availability() says), busy (another tool holds the one place there
    /// is; it is named), outOfMemory. Nothing stays switched on after a failure.
    virtual base::Result<std::unique_ptr<ProfilerSession>> start() = 0;
};

} // namespace apertune::trace
