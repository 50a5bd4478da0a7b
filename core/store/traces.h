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

/// Identifies a trace in a workspace. Store (store.h) loads and stores whole traces.
struct TraceTag;
using TraceId = base::StrongId<TraceTag>;

/// A row of the list of traces.
struct TraceSummary
{
    TraceId id{};
    std::optional<model::TrialId> trial;
    std::string name;
    std::string source;          ///< see trace::recorderOf()
    std::string recorderVersion; ///< empty: unknown
    std::string createdUtc;      ///< time at which it was added to the workspace
    std::int64_t events = 0;
    base::Nanoseconds begin{};    ///< earliest start of its events, counted from the trace's origin
    base::Nanoseconds end{};      ///< latest end of its events
    base::Bytes stored{};         ///< size of its chunks
    int losses = 0;               ///< entries of Trace::losses, without notices
    std::int64_t originEpoch = 0; ///< Trace::originEpoch
    std::int64_t rank = -1;       ///< Trace::rank
    std::int64_t worldSize = 0;
    bool complete = true; ///< false: it is being recorded, or its recorder died
};

/// Progress and cancellation of a long save or load.
struct TraceTask
{
    std::stop_token stop{};
    /// Called now and then on the calling thread with the finished share, 0…1. It must not call the Store.
    std::function<void(double)> progress{};
};

/// The part of a trace to load; by default all of it.
struct TraceSelection
{
    /// Start and duration are always loaded. A column that is left out reads as 0 (name: as "").
    trace::ColumnSet columns = trace::ColumnSet::all();
    std::vector<trace::TrackId> tracks{};  ///< empty: all
    std::vector<trace::EventKind> kinds{}; ///< empty: all
    /// Loads the chunks that overlap [begin, end). The result may hold events outside.
    base::Nanoseconds begin{std::numeric_limits<std::int64_t>::min()};
    base::Nanoseconds end{std::numeric_limits<std::int64_t>::max()};
};

/// The mip of one series, prepared for drawing and stored beside the trace. core/trace/time_mip_codec.h defines the
/// bytes.
struct StoredMip
{
    trace::TrackId track;
    trace::EventKind kind = trace::EventKind::other;
    std::string data;
};

} // namespace apertune::store
