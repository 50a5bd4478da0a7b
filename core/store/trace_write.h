// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/store/trace_state.h"
#include "core/store/traces.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::store {

/// The queries that write traces. Private to core/store. Each throws store::Failure.
/// REQUIRES: the caller has begun a transaction.

/// Failures: invalidArgument (no such trial).
TraceId insertTrace(const Database& db, const trace::Trace& head, std::optional<model::TrialId> trial);
/// Stores the strings, tracks and details. Row 0 of strings and details is never stored.
void insertRows(const Database& db, TraceId id, const trace::Trace& trace);
/// Each replaces the stored rows of the trace.
void replaceDevices(const Database& db, TraceId id, const std::vector<trace::DeviceProperties>& devices);
void replaceLosses(const Database& db, TraceId id, const std::vector<trace::Loss>& losses);
/// Replaces the stored cost of recording; without `cost`, removes it.
void replaceCost(const Database& db, TraceId id, const std::optional<trace::RecordingCost>& cost);
/// Returns the statement that insertChunk() runs. One statement serves any number of chunks.
Statement chunkInsertion(const Database& db);
void insertChunk(Statement& insertion, TraceId id, const trace::Chunk& chunk);
/// Stores the state, and the number and range of all stored events.
void updateTrace(const Database& db, TraceId id, TraceState state);
void renameTrace(const Database& db, TraceId id, const std::string& name);
void removeTrace(const Database& db, TraceId id);
/// Checks tracks and columns of all series.
/// Failures: invalidArgument (a series is on a missing track, or its columns differ in length).
void requireSoundShape(const trace::Trace& trace);
/// Checks `count` events of a series.
/// REQUIRES: requireSoundShape() has accepted the trace.
/// Failures: invalidArgument (an event refers to a missing text or detail, or ends before it starts).
void requireSoundEvents(const trace::Trace& trace, const trace::Series& series, std::size_t first, std::size_t count);
void replaceMips(const Database& db, TraceId id, const std::vector<StoredMip>& mips);

} // namespace apertune::store
