// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/store/traces.h"

#include <optional>

namespace apertune::query {

/// Adds the table "event" to a connection: every event of every trace, or of `trace` alone, as a row, decoded
/// from the chunks as it is read.
/// Restrictions on trace_id, track_id, kind, start_ns, end_ns and correlation reach the chunks, so that only what can
/// match is decoded, and only the columns that the statement uses. Nothing is written to the file. Private to
/// core/store. REQUIRES: the connection outlives its statements, as always.
void registerEventTable(const store::Database& db, std::optional<store::TraceId> trace);

} // namespace apertune::query
