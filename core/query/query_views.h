// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/query_watch.h"
#include "core/store/sqlite_database.h"
#include "core/store/traces.h"

#include <optional>

namespace apertune::query {

/// Adds temporary views over the table "event": one a kind of event (kernel, copy, operator_call, …), and those that an
/// nsys export has, with its column names (CUPTI_ACTIVITY_KIND_KERNEL, NVTX_EVENTS, StringIds, …).
/// The first show what "event" shows; the second show `trace`, or else the newest, because nothing in them tells traces
/// apart. With `trace`, tables that hold rows of traces (string, track, copy_detail, …) show those of it. Private to
/// core/store.
void createViews(const store::Database& db, std::optional<store::TraceId> trace);

/// Adds the functions hist(key, value) and percentile(value, p). They end the query with SQLITE_INTERRUPT when `watch`
/// says so. REQUIRES: `watch` outlives the connection.
void registerFunctions(const store::Database& db, QueryWatch& watch);

} // namespace apertune::query
