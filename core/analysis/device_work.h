// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/names.h"
#include "core/analysis/time_ranges.h"
#include "core/trace/event.h"

#include <cstdint>

namespace apertune::analysis {

/// Position of an event: Trace::series[series].events at `index`.
struct EventRef
{
    std::uint32_t series = 0;
    std::uint32_t index = 0;
};

constexpr std::int32_t kNone = -1;

/// A piece of device work (isDeviceWork()) with the values that the analyses need.
struct Work
{
    TimeRange time;
    std::int64_t bytes = 0; ///< size of a copy or a memset
    EventRef ref;
    std::uint32_t name = 0; ///< StringId
    std::uint32_t detail = 0;
    std::uint32_t link = 0;
    std::int32_t call = kNone; ///< the host call that caused it, index into TraceIndex::calls
    std::uint16_t device = 0;  ///< index into TraceIndex::devices
    trace::EventKind kind = trace::EventKind::kernel;
    bool isKernel() const { return kind == trace::EventKind::kernel || kind == trace::EventKind::graphLaunch; }
};

/// A call of the runtime or the driver on a host thread.
struct HostCall
{
    TimeRange time;
    EventRef ref;
    std::uint32_t name = 0; ///< StringId
    std::uint32_t correlation = 0;
    std::uint32_t link = 0;
    trace::TrackId track;
    std::int32_t work = kNone; ///< the first piece of device work it caused, index into TraceIndex::work
    std::int32_t next = kNone; ///< the next call on the same thread
    CallKind kind = CallKind::other;
    bool first = false;    ///< the host prepared code in it for all later calls, see first_calls.h
    bool captured = false; ///< made while its thread captured a graph: its launches do not run
};

} // namespace apertune::analysis
