// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/queries.h"
#include "core/store/traces.h"

#include <cstddef>
#include <string>
#include <vector>

namespace apertune::store {

/// The queries about traces. Private to core/store. Each throws store::Failure.
/// REQUIRES: the caller has begun a transaction.

/// The values of the column trace.state. The numbers are persistent.
enum class TraceState : std::uint8_t { recording = 0, complete = 1 };

/// The number of stored rows of each list of a trace. Row 0 of strings and details is never stored.
struct StoredRows
{
    std::size_t strings = 1;
    std::size_t tracks = 0;
    std::size_t kernels = 1;
    std::size_t copies = 1;
    std::size_t synchronizations = 1;
    std::size_t operators = 1;
    std::size_t memory = 1;
    std::size_t notes = 1;
};

// trace_write.cpp
/// Failures: invalidArgument (no such trial).
TraceId insertTrace(const Database& db, const trace::Trace& head, std::optional<model::TrialId> trial);
/// Stores the strings, tracks and details beyond `rows`, and counts them there.
void insertRows(const Database& db, TraceId id, const trace::Trace& trace, StoredRows& rows);
/// Each replaces the stored rows of the trace.
void replaceDevices(const Database& db, TraceId id, const std::vector<trace::DeviceProperties>& devices);
void replaceLosses(const Database& db, TraceId id, const std::vector<trace::Loss>& losses);
/// Replaces the stored cost of recording; without `cost`, removes it.
void replaceCost(const Database& db, TraceId id, const std::optional<trace::RecordingCost>& cost);
void replaceLabels(const Database& db, TraceId id, const std::vector<trace::Track>& tracks);
/// Returns the statement that insertChunk() runs. One statement serves any number of chunks.
Statement chunkInsertion(const Database& db);
void insertChunk(Statement& insertion, TraceId id, const trace::Chunk& chunk);
/// Adds new chunks to the trace's number and range of events, without reading the earlier chunks.
void extendTrace(const Database& db, TraceId id, const std::vector<trace::Chunk>& chunks);
/// Stores the state, and the number and range of all stored events.
void updateTrace(const Database& db, TraceId id, TraceState state);
void renameTrace(const Database& db, TraceId id, const std::string& name);
void removeTrace(const Database& db, TraceId id);
/// Joins the small chunks of a live recording and sorts late events. Returns whether it changed anything.
bool repackTrace(const Database& db, TraceId id);
/// Checks tracks and columns of all series.
/// Failures: invalidArgument (a series is on a missing track, or its columns differ in length).
void requireSoundShape(const trace::Trace& trace);
/// Checks `count` events of a series.
/// REQUIRES: requireSoundShape() has accepted the trace.
/// Failures: invalidArgument (an event refers to a missing text or detail, or ends before it starts).
void requireSoundEvents(const trace::Trace& trace, const trace::Series& series, std::size_t first, std::size_t count);
void replaceMips(const Database& db, TraceId id, const std::vector<StoredMip>& mips);

// trace_read.cpp
/// Lists the traces that meet the SQL condition `where`, in which ?1 is `argument`.
std::vector<TraceSummary> listTraces(const Database& db, const std::string& where, std::int64_t argument);
TraceSummary traceSummaryById(const Database& db, TraceId id);
std::vector<StoredMip> mipsOfTrace(const Database& db, TraceId id);

/// A trace before decoding.
struct RawTrace
{
    trace::Trace head;                ///< everything but the events
    std::vector<trace::Chunk> chunks; ///< the events, ordered by track, kind and begin
};
RawTrace readRawTrace(const Database& db, TraceId id, const TraceSelection& selection, const std::stop_token& stop);
/// Reads everything but the chunks.
trace::Trace readTraceHead(const Database& db, TraceId id);

/// Decodes the chunks on all cores. It needs no database.
/// Failures: corrupt, unsupported (a newer chunk format), cancelled.
base::Result<trace::Trace> decodeTrace(RawTrace raw, const TraceSelection& selection, const TraceTask& task);

// salvage_traces.cpp
/// Makes the traces of a salvaged workspace loadable. Returns the number of removed chunks and traces.
///  - Chunks that cannot be decoded are removed, and a Loss says how many events they held.
///  - Missing texts, tracks and details get placeholders.
///  - A trace that stays unreadable is removed.
std::int64_t repairTraces(const Database& db);

/// Returns the number of details that events of a kind can refer to. The details of a kind without any are unlimited.
std::size_t detailCount(const trace::Details& details, trace::EventKind kind);

} // namespace apertune::store
