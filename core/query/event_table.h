// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/store/traces.h"

#include <optional>

namespace apertune::query {

/// Adds the table "event" to a connection. Private to core/query.
///  - It has a row for every event of every trace, or of `trace` alone.
///  - Chunks are decoded while the table is read; nothing is written to the file.
///  - Restrictions on trace_id, track_id, kind, start_ns, end_ns and correlation select the chunks to decode.
///  - Only the columns that the statement uses are decoded.
/// REQUIRES: the connection outlives its statements.
void registerEventTable(const store::Database& db, std::optional<store::TraceId> trace);

} // namespace apertune::query
