// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace_builder.h"

#include <memory>
#include <string>
#include <string_view>

namespace apertune::trace {

/// Says whether a source can be recorded on this machine. If not, both messages are for the user.
struct Availability
{
    bool possible = true;
    base::Message reason; ///< cause: "There is no NVIDIA driver."
    base::Message remedy; ///< advice: "Install one, or trace the operators only."
};

/// Level of detail for launches of a captured graph (a CUDA graph).
enum class GraphRecords {
    nodes,    ///< one record for each kernel and copy, with its node
    launches, ///< one record for each launch: costs less, but hides the work inside
};

/// A running recording.
///  - Destruction without stop() discards the recording.
///  - The destructor ends all threads, callbacks and counters of the recording.
///  - One thread creates, stops and destroys the object. The recorded events may come from any thread.
class ProfilerSession
{
public:
    virtual ~ProfilerSession() = default;

    /// Ends the recording, decodes it (which may take long) and appends it to `into`.
    ///  - Every record becomes an event or is counted in a Loss.
    ///  - Times are CLOCK_MONOTONIC minus the builder's head().originMonotonic.
    ///  - Events that ended before that origin may be omitted, unless they explain later events (earlier allocations).
    /// REQUIRES: called at most once.
    /// Failures: unsupported, internal. Even then `into` has everything that could be saved.
    virtual base::Status stop(TraceBuilder& into) = 0;
};

/// A source of events, for example activity records of a GPU or counters of the operating system. Each profiler lives
/// in profilers/<name> and is independent of the others.
class Profiler
{
public:
    virtual ~Profiler() = default;

    /// Returns the name for reports and logs: "cupti", "host", "nvml".
    virtual std::string_view name() const = 0;

    /// Checks whether start() can work. It is cheap and has no lasting side effects.
    virtual Availability availability() = 0;

    /// Begins to record. Nothing stays enabled after a failure.
    /// Failures: unsupported (see availability()), busy (another tool, which is named, uses the only slot),
    /// outOfMemory.
    virtual base::Result<std::unique_ptr<ProfilerSession>> start() = 0;
};

} // namespace apertune::trace
