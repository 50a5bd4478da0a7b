// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/queries.h"
#include "core/store/traces.h"

#include <cstddef>
#include <string>
#include <vector>

namespace apertune::store {

/// The queries about traces. Each runs inside the caller's transaction and throws store::Failure. Private to
/// core/store.

/// trace.state. The numbers are persistent.
enum class TraceState : std::uint8_t { recording = 0, complete = 1 };

/// How many rows of each list of a trace are stored. Row 0 of strings and details is never stored.
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
/// Failure: invalidArgument, when there is no such trial.
TraceId insertTrace(const Database& db, const trace::Trace& head, std::optional<model::TrialId> trial);
/// Stores strings, tracks and details that are not stored yet, and counts them in `rows`.
void insertRows(const Database& db, TraceId id, const trace::Trace& trace, StoredRows& rows);
/// Puts devices and losses in place of those that are stored.
void replaceDevices(const Database& db, TraceId id, const std::vector<trace::DeviceProperties>& devices);
void replaceLosses(const Database& db, TraceId id, const std::vector<trace::Loss>& losses);
/// What recording cost; nothing stays when the trace does not say.
void replaceCost(const Database& db, TraceId id, const std::optional<trace::RecordingCost>& cost);
void replaceLabels(const Database& db, TraceId id, const std::vector<trace::Track>& tracks);
/// For insertChunk(), of any number of chunks.
Statement chunkInsertion(const Database& db);
void insertChunk(Statement& insertion, TraceId id, const trace::Chunk& chunk);
/// Counts events that were just stored, without looking at those before.
void extendTrace(const Database& db, TraceId id, const std::vector<trace::Chunk>& chunks);
/// Notes number and range of the events that are stored, and the state.
void updateTrace(const Database& db, TraceId id, TraceState state);
void renameTrace(const Database& db, TraceId id, const std::string& name);
void removeTrace(const Database& db, TraceId id);
/// Joins the small chunks that a live recording leaves behind, and sorts what came late. Returns whether it changed
/// anything.
bool repackTrace(const Database& db, TraceId id);
/// Failure: invalidArgument, when a series is on a track that is not there, or its columns differ in length.
void requireSoundShape(const trace::Trace& trace);
/// Failure: invalidArgument, when one of `count` events of a series refers to a text or detail that is not there or
/// ends before it starts. REQUIRES: requireSoundShape()
void requireSoundEvents(const trace::Trace& trace, const trace::Series& series, std::size_t first, std::size_t count);
void replaceMips(const Database& db, TraceId id, const std::vector<StoredMip>& mips);

// trace_read.cpp
/// `where` restricts trace t.
std::vector<TraceSummary> listTraces(const Database& db, const std::string& where, std::int64_t argument);
TraceSummary traceSummaryById(const Database& db, TraceId id);
std::vector<StoredMip> mipsOfTrace(const Database& db, TraceId id);

/// A trace as it lies in the file: everything but its events, and these as chunks.
struct RawTrace
{
    trace::Trace head;
    std::vector<trace::Chunk> chunks; ///< by track, kind, begin
};
RawTrace readRawTrace(const Database& db, TraceId id, const TraceSelection& selection, const std::stop_token& stop);
/// Only what stands beside the chunks.
trace::Trace readTraceHead(const Database& db, TraceId id);

/// Decodes the chunks on all cores; needs no database. Failures: corrupt, unsupported, cancelled.
base::Result<trace::Trace> decodeTrace(RawTrace raw, const TraceSelection& selection, const TraceTask& task);

// salvage_traces.cpp
/// Makes the traces of a salvaged workspace loadable: chunks that cannot be decoded go, texts, tracks and details that
/// are missing get stand-ins, and a Loss says how many events are gone. What cannot be helped is removed. Returns how
/// many chunks and traces went.
std::int64_t repairTraces(const Database& db);

/// How many details events of a kind may refer to; those of kinds without details are not looked at.
std::size_t detailCount(const trace::Details& details, trace::EventKind kind);

} // namespace apertune::store
