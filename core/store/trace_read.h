// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/store/traces.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::store {

/// The queries that read traces. Private to core/store and core/query. Each throws store::Failure.
/// REQUIRES: the caller has begun a transaction.

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

/// Returns the number of details that events of a kind can refer to. The details of a kind without any are unlimited.
std::size_t detailCount(const trace::Details& details, trace::EventKind kind);

} // namespace apertune::store
