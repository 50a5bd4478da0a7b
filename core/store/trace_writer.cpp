// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_writer.h"

#include "core/base/clock.h"
#include "core/store/reasons.h"
#include "core/store/store_state.h"
#include "core/store/trace_write.h"

#include <algorithm>
#include <limits>

namespace apertune::store {

using base::Result;
using base::Status;

namespace {

/// Reading the clock for each event would cost as much as storing the event.
constexpr int kEventsPerCheck = 1024;

} // namespace

struct TraceWriter::State
{
    State(StoreState& impl, Options wanted) : store(&impl), options(wanted)
    {
        lastCommit = base::monotonicNow();
        chunks.emplace([this](trace::Chunk&& chunk) { keep(std::move(chunk)); });
    }

    void keep(trace::Chunk&& chunk)
    {
        // On a full disk every commit fails, and the chunks that wait would fill the memory.
        if (pendingBytes + chunk.data.size() > options.maxPendingBytes && lastFailed) {
            dropped.push_back({{chunk.begin},
                               chunk.kind,
                               chunk.events,
                               trace::Severity::error,
                               base::message<reasons::kWriterBehind>()});
            return;
        }
        pendingBytes += chunk.data.size();
        pending.push_back(std::move(chunk));
    }

    StoreState* store;
    Options options;
    TraceId id;
    StoredRows stored;
    std::optional<trace::ChunkWriter> chunks;
    std::vector<trace::Chunk> pending;
    std::size_t pendingBytes = 0;
    std::vector<trace::Loss> dropped;
    bool lossesChanged = false;
    bool devicesChanged = false;
    bool lastFailed = false;
    int eventsSinceCheck = 0;
    base::Nanoseconds lastCommit;
};

TraceWriter::TraceWriter(std::unique_ptr<State> state) : m_state(std::move(state))
{
}
TraceWriter::TraceWriter(TraceWriter&&) noexcept = default;
TraceWriter& TraceWriter::operator=(TraceWriter&&) noexcept = default;
TraceWriter::~TraceWriter() = default;

Result<TraceWriter> TraceWriter::create(Store& store, const trace::Trace& head, std::optional<model::TrialId> trial)
{
    return create(store, head, trial, Options{});
}

Result<TraceWriter> TraceWriter::create(Store& store, const trace::Trace& head, std::optional<model::TrialId> trial,
                                        Options options)
{
    auto state = std::make_unique<State>(*store.m_state, options);
    const auto id = store.m_state->write([&](const Database& db) { return insertTrace(db, head, trial); });
    if (!id)
        return id.error();
    state->id = *id;
    return TraceWriter(std::move(state));
}

TraceId TraceWriter::id() const
{
    return m_state->id;
}

void TraceWriter::addLoss(trace::Loss loss)
{
    m_rows.addLoss(std::move(loss));
    m_state->lossesChanged = true;
}

void TraceWriter::setDevices(std::vector<trace::DeviceProperties> devices)
{
    m_rows.head().devices = std::move(devices);
    m_state->devicesChanged = true;
}

void TraceWriter::append(trace::TrackId track, trace::EventKind kind, const trace::Event& event)
{
    m_state->chunks->append(track, kind, event);
    if (++m_state->eventsSinceCheck >= kEventsPerCheck)
        commitWhenDue();
}

void TraceWriter::append(trace::Chunk chunk)
{
    m_state->keep(std::move(chunk));
    commitWhenDue();
}

void TraceWriter::commitWhenDue()
{
    State& state = *m_state;
    state.eventsSinceCheck = 0;
    if (base::monotonicNow() - state.lastCommit < state.options.commitEvery)
        return;
    // After a failure the events are kept for the next try. close() returns the failure.
    static_cast<void>(commit());
}

Status TraceWriter::commit()
{
    State& state = *m_state;
    state.chunks->flush();
    for (trace::Loss& loss : state.dropped)
        addLoss(std::move(loss));
    state.dropped.clear();
    const trace::Trace& rows = m_rows.head();
    // A copy, so that a failed transaction leaves the numbers of the rows that are in the file.
    StoredRows stored = state.stored;
    const Status status = state.store->write([&](const Database& db) {
        insertRows(db, state.id, rows, stored);
        if (state.lossesChanged)
            replaceLosses(db, state.id, rows.losses);
        if (state.devicesChanged)
            replaceDevices(db, state.id, rows.devices);
        Statement insertion = chunkInsertion(db);
        for (const trace::Chunk& chunk : state.pending)
            insertChunk(insertion, state.id, chunk);
        extendTrace(db, state.id, state.pending);
    });
    state.lastCommit = base::monotonicNow();
    state.lastFailed = !status;
    if (!status)
        return status; // pending chunks are kept for the next try
    state.stored = stored;
    state.pending.clear();
    state.pendingBytes = 0;
    state.lossesChanged = state.devicesChanged = false;
    return {};
}

Status TraceWriter::close()
{
    if (Status status = commit(); !status)
        return status;
    return m_state->store->write([&](const Database& db) {
        // Recorders learn names of threads and streams after the rows of these tracks were stored.
        replaceLabels(db, m_state->id, m_rows.head().tracks);
        replaceCost(db, m_state->id, m_rows.head().cost);
        repackTrace(db, m_state->id);
        updateTrace(db, m_state->id, TraceState::complete);
    });
}

Status TraceWriter::discard()
{
    Status status = m_state->store->write([&](const Database& db) { removeTrace(db, m_state->id); });
    if (status)
        m_state->store->releaseFreePages();
    return status;
}

} // namespace apertune::store
