// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/event_source.h"

#include "core/query/errors.h"
#include "core/store/failure.h"
#include "core/store/trace_read.h"

#include <algorithm>
#include <limits>

namespace apertune::query {

namespace {

/// The most cached chunks: about 90 MB with every column.
constexpr std::size_t kDecodedChunks = 128;

} // namespace

std::vector<store::TraceId> EventSource::traces() const
{
    if (m_only)
        return {*m_only};
    std::vector<store::TraceId> ids;
    store::Statement rows = m_db.prepare("SELECT id FROM main.trace ORDER BY id");
    while (rows.step())
        ids.push_back({rows.integer(0)});
    return ids;
}

const std::vector<EventSource::ChunkRow>& EventSource::chunks(store::TraceId trace)
{
    const auto [at, added] = m_chunks.try_emplace(trace.value);
    if (!added)
        return at->second;
    const std::size_t tracks = head(trace).tracks.size();
    store::Statement rows =
        m_db.query("SELECT id, track_id, kind, events, begin_ns, end_ns FROM main.chunk WHERE trace_id = ?1 "
                   "ORDER BY track_id, kind, begin_ns, id",
                   trace.value);
    while (rows.step()) {
        const std::int64_t track = rows.integer(1);
        const std::int64_t events = rows.integer(3);
        // A damaged workspace must not lead to an index outside the tracks, nor to a buffer of any size.
        if (track < 0 || track >= static_cast<std::int64_t>(tracks) || events < 0 ||
            events > static_cast<std::int64_t>(trace::kChunkEvents))
            store::fail({base::ErrorCode::corrupt,
                         base::message<errors::kDamagedTrace>(trace.value),
                         {},
                         base::message<errors::kDeleteAndImport>()});
        at->second.push_back({rows.integer(0),
                              trace,
                              {static_cast<std::uint32_t>(track)},
                              static_cast<trace::EventKind>(rows.integer(2)),
                              static_cast<std::uint32_t>(events),
                              rows.integer(4),
                              rows.integer(5)});
    }
    return at->second;
}

const trace::Trace& EventSource::head(store::TraceId trace)
{
    const auto known = m_heads.find(trace.value);
    if (known != m_heads.end())
        return known->second;
    return m_heads.emplace(trace.value, store::readTraceHead(m_db, trace)).first->second;
}

std::vector<EventSource::Place> EventSource::withCorrelation(store::TraceId trace, std::uint32_t correlation)
{
    const std::vector<ChunkRow>& rows = chunks(trace);
    const auto [index, added] = m_correlations.try_emplace(trace.value);
    std::vector<Correlated>& sorted = index->second;
    // A join looks up each launch. One pass over the chunks serves all of these look-ups.
    if (added) {
        trace::EventColumns events;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            store::Statement data = m_db.query("SELECT data FROM main.chunk WHERE id = ?1", rows[i].id);
            if (!data.step())
                continue;
            const auto reader = store::unwrap(trace::ChunkReader::open(data.blob(0)));
            // Most chunks carry no correlation; their headers show that without decoding a column.
            if (!reader.has(trace::Column::correlation))
                continue;
            events.correlation.resize(reader.size());
            store::unwrap(reader.read({trace::Column::correlation}, events, 0));
            for (std::uint32_t row = 0; row < reader.size(); ++row)
                if (events.correlation[row] != 0)
                    sorted.push_back({events.correlation[row], static_cast<std::uint32_t>(i), row});
        }
        // Stable, so that the events of one correlation keep the order of their chunks.
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const Correlated& a, const Correlated& b) { return a.correlation < b.correlation; });
    }
    std::vector<Place> places;
    for (auto at = std::lower_bound(sorted.begin(), sorted.end(), correlation,
                                    [](const Correlated&a, std::uint32_t b) { return a.correlation < b; });
         at != sorted.end() && at->correlation == correlation; ++at)
        places.push_back({&rows[at->chunk], at->row});
    return places;
}

std::shared_ptr<const trace::EventColumns> EventSource::events(const ChunkRow& chunk, trace::ColumnSet columns)
{
    const auto known = m_byChunk.find(chunk.id);
    if (known != m_byChunk.end()) {
        const auto entry = known->second;
        // A chunk decoded for another reader may lack columns; only then it is decoded again.
        const bool enough = std::all_of(trace::kColumns.begin(), trace::kColumns.end(), [&](trace::Column column) {
            return !columns.contains(column) || entry->columns.contains(column);
        });
        if (enough) {
            m_decoded.splice(m_decoded.begin(), m_decoded, entry);
            return entry->events;
        }
        m_decoded.erase(entry);
        m_byChunk.erase(known);
        columns = trace::ColumnSet::all(); // readers want different columns in turn, so decode all of them at once
    }
    auto events = std::make_shared<trace::EventColumns>();
    store::Statement data = m_db.query("SELECT data FROM main.chunk WHERE id = ?1", chunk.id);
    if (data.step())
        store::unwrap(store::unwrap(trace::ChunkReader::open(data.blob(0))).append(columns, *events));
    // The table row and the chunk's own header are two statements of one number; a difference means damage.
    if (events->size() != chunk.events)
        store::fail({base::ErrorCode::corrupt,
                     base::message<errors::kOtherCount>(),
                     {},
                     base::message<errors::kDeleteTraceAndImport>()});
    // The list is in the order of use, and the last chunk is dropped first. A cursor keeps its own chunk alive.
    m_decoded.push_front({chunk.id, columns, events});
    m_byChunk[chunk.id] = m_decoded.begin();
    if (m_decoded.size() > kDecodedChunks) {
        m_byChunk.erase(m_decoded.back().chunk);
        m_decoded.pop_back();
    }
    return events;
}

} // namespace apertune::query
