// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"
#include "profilers/cupti/cupti_api.h"
#include "profilers/cupti/operator_links.h"
#include "profilers/cupti/recent_entries.h"
#include "profilers/cupti/staged_events.h"

#include <cstdint>
#include <map>
#include <utility>

namespace apertune::profilers {

/// Finds the tracks and series of a trace for the ids in records. One thread.
class RecordSeries
{
public:
    explicit RecordSeries(trace::TraceBuilder& into) : m_into(into) {}

    StagedEvents& onStream(trace::EventKind kind, std::uint32_t device, std::uint32_t context, std::uint32_t stream);
    StagedEvents& onThread(trace::EventKind kind, std::uint32_t process, std::uint32_t thread);
    StagedEvents& onDevice(trace::EventKind kind, std::uint32_t device);
    StagedEvents& onTrack(trace::EventKind kind, trace::TrackId track);
    StagedEvents& counter(std::uint32_t device, const char* label, const char* unit);

    /// Returns the track of a stream. A negative `stream` stands for the device, or for the context if the device is
    /// negative.
    trace::TrackId streamTrack(std::int64_t device, std::int64_t context, std::int64_t stream);
    /// Returns the track of a CUPTI object: a process, a thread, a device, a context or a stream.
    trace::TrackId objectTrack(CUpti_ActivityObjectKind kind, const CUpti_ActivityObjectKindId& id);

    /// Moves all staged events to the trace.
    void flush();
    /// Returns the end of the last event; the smallest number when there is none.
    /// REQUIRES: flush() was called.
    std::int64_t lastEnd() const;
    /// Links events to the operators of their correlation ids.
    /// REQUIRES: flush() and OperatorLinks::close() were called.
    void link(OperatorLinks& links);

private:
    /// A stream of a context of a device, and a kind.
    struct Stream
    {
        std::uint64_t owner = 0;
        std::uint32_t stream = 0;
        trace::EventKind kind = trace::EventKind::other;
        StagedEvents* series = nullptr;
    };

    trace::TrackId threadTrack(std::uint32_t process, std::uint32_t thread);
    trace::TrackId deviceTrack(std::uint32_t device);

    trace::TraceBuilder& m_into;
    RecentEntries<Stream, 32> m_streams;
    std::map<std::pair<std::uint32_t, trace::EventKind>, StagedEvents> m_series; ///< key: track and kind
};

} // namespace apertune::profilers
