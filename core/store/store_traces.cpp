// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/errors.h"
#include "core/store/store_impl.h"
#include "core/store/trace_queries.h"

#include <algorithm>

namespace apertune::store {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

void insertEvents(const Database& db, TraceId id, const trace::Trace& trace, const TraceTask& task)
{
    const auto total = static_cast<double>(std::max<std::size_t>(trace.eventCount(), 1));
    std::size_t done = 0;
    Statement insertion = chunkInsertion(db);
    for (const trace::Series& series : trace.series)
        for (std::size_t first = 0; first < series.events.size(); first += trace::kChunkEvents) {
            if (task.stop.stop_requested())
                fail({ErrorCode::cancelled, base::message<base::errors::kCancelled>()});
            const std::size_t count = std::min(trace::kChunkEvents, series.events.size() - first);
            // Also loads the events into the CPU's cache for the encoder.
            requireSoundEvents(trace, series, first, count);
            insertChunk(insertion, id, trace::makeChunk(series.track, series.kind, series.events, first, count));
            done += count;
            if (task.progress)
                task.progress(static_cast<double>(done) / total);
        }
}

} // namespace

Result<TraceId> Store::addTrace(const trace::Trace& trace, std::optional<model::TrialId> trial, const TraceTask& task)
{
    if (const Status sound = guarded([&] { requireSoundShape(trace); }); !sound)
        return sound.error();
    return m_impl->write([&](const Database& db) {
        const TraceId id = insertTrace(db, trace, trial);
        StoredRows rows;
        insertRows(db, id, trace, rows);
        replaceDevices(db, id, trace.devices);
        replaceLosses(db, id, trace.losses);
        replaceCost(db, id, trace.cost);
        insertEvents(db, id, trace, task);
        updateTrace(db, id, TraceState::complete);
        return id;
    });
}

Result<std::vector<TraceSummary>> Store::traces() const
{
    return m_impl->read([](const Database& db) { return listTraces(db, "id > ?1", 0); });
}

Result<std::vector<TraceSummary>> Store::traces(model::TrialId trial) const
{
    return m_impl->read([&](const Database& db) { return listTraces(db, "trial_id = ?1", trial.value); });
}

Result<TraceSummary> Store::traceSummary(TraceId id) const
{
    return m_impl->read([&](const Database& db) { return traceSummaryById(db, id); });
}

Result<trace::TracePtr> Store::trace(TraceId id, const TraceSelection& selection, const TraceTask& task) const
{
    auto raw = m_impl->read([&](const Database& db) { return readRawTrace(db, id, selection, task.stop); });
    if (!raw)
        return raw.error();
    // Decoding needs no database. So the lock is released, and the Store serves other threads meanwhile.
    auto decoded = guarded([&] { return unwrap(decodeTrace(std::move(raw).value(), selection, task)); });
    if (!decoded)
        return m_impl->withPlace(std::move(decoded)).error();
    return trace::TracePtr(std::make_shared<const trace::Trace>(std::move(decoded).value()));
}

Status Store::renameTrace(TraceId id, const std::string& name)
{
    return m_impl->write([&](const Database& db) { store::renameTrace(db, id, name); });
}

Status Store::deleteTrace(TraceId id)
{
    Status status = m_impl->write([&](const Database& db) { removeTrace(db, id); });
    if (status)
        m_impl->releaseFreePages();
    return status;
}

Status Store::putTraceMips(TraceId id, const std::vector<StoredMip>& mips)
{
    return m_impl->write([&](const Database& db) { replaceMips(db, id, mips); });
}

Result<std::vector<StoredMip>> Store::traceMips(TraceId id) const
{
    return m_impl->read([&](const Database& db) { return mipsOfTrace(db, id); });
}

} // namespace apertune::store
