// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/store/traces.h"

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace apertune::query {

/// Reads the chunks of a workspace for the table "event", and caches heads of traces, decoded chunks and an index of
/// correlations. Private to core/query. Throws store::Failure.
/// Threads: one, with one connection.
class EventSource
{
public:
    /// A row of the table chunk without its data.
    struct ChunkRow
    {
        std::int64_t id = 0;
        store::TraceId trace;
        trace::TrackId track;
        trace::EventKind kind = trace::EventKind::other;
        std::uint32_t events = 0;
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    /// An event: chunk and position in it.
    struct Place
    {
        const ChunkRow* chunk = nullptr;
        std::uint32_t row = 0;
    };

    /// Reads the events of the trace `only`, or of all traces when it is empty.
    /// REQUIRES: `db` outlives this object.
    EventSource(const store::Database& db, std::optional<store::TraceId> only) : m_db(db), m_only(only) {}

    std::vector<store::TraceId> traces() const;
    /// Returns the chunks of a trace, ordered by track, kind and begin. The reference stays valid.
    const std::vector<ChunkRow>& chunks(store::TraceId trace);
    /// Returns the texts and tracks of a trace. The reference stays valid.
    const trace::Trace& head(store::TraceId trace);
    /// Returns the events with this correlation.
    /// REQUIRES: `correlation` is not 0.
    std::vector<Place> withCorrelation(store::TraceId trace, std::uint32_t correlation);
    /// Returns a chunk's events with at least the wanted columns. The others may be empty or 0.
    std::shared_ptr<const trace::EventColumns> events(const ChunkRow& chunk, trace::ColumnSet columns);

private:
    struct Decoded
    {
        std::int64_t chunk;
        trace::ColumnSet columns;
        std::shared_ptr<const trace::EventColumns> events;
    };
    struct Correlated
    {
        std::uint32_t correlation;
        std::uint32_t chunk;
        std::uint32_t row;
    };
    const store::Database& m_db;
    std::optional<store::TraceId> m_only;
    std::map<std::int64_t, std::vector<ChunkRow>> m_chunks;
    std::map<std::int64_t, trace::Trace> m_heads;
    std::map<std::int64_t, std::vector<Correlated>> m_correlations; ///< sorted
    std::list<Decoded> m_decoded;                                   ///< most recently used first
    std::unordered_map<std::int64_t, std::list<Decoded>::iterator> m_byChunk;
};

} // namespace apertune::query
