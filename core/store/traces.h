// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/trial.h"
#include "core/trace/chunk_codec.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::store {

/// A trace of a workspace. Store's trace functions (store.h) take and give these values; TraceWriter
/// (trace_writer.h) records one live.
struct TraceTag;
using TraceId = base::StrongId<TraceTag>;

/// A row of the list of traces.
struct TraceSummary
{
    TraceId id{};
    std::optional<model::TrialId> trial;
    std::string name;
    std::string source;          ///< "kineto", "nsys", "apertune"
    std::string recorderVersion; ///< empty: unknown
    std::string createdUtc;      ///< when it came into the workspace
    std::int64_t events = 0;
    base::Nanoseconds begin{}; ///< earliest start and latest end of its events, after the trace's origin
    base::Nanoseconds end{};
    base::Bytes stored{}; ///< of its chunks
    int losses = 0;       ///< entries of Trace::losses
    bool complete = true; ///< false: still being recorded, or its recorder died
};

/// How a long save or load is watched and stopped.
struct TraceTask
{
    std::stop_token stop{};
    /// Called now and then on the calling thread with what is done, 0…1. It must not call the Store.
    std::function<void(double)> progress{};
};

/// What to load. Everything by default.
struct TraceSelection
{
    /// Start and duration are always loaded. A column that is left out reads as 0 (name: as "").
    trace::ColumnSet columns = trace::ColumnSet::all();
    std::vector<trace::TrackId> tracks{};  ///< empty: all
    std::vector<trace::EventKind> kinds{}; ///< empty: all
    /// Only chunks that touch [begin, end): a coarse cut, so events outside may come along.
    base::Nanoseconds begin{std::numeric_limits<std::int64_t>::min()};
    base::Nanoseconds end{std::numeric_limits<std::int64_t>::max()};
};

/// A view's prepared picture of one series, kept beside the trace. The bytes belong to core/trace/time_mip.h.
struct StoredMip
{
    trace::TrackId track;
    trace::EventKind kind = trace::EventKind::other;
    std::string data;
};

} // namespace apertune::store
