// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/store/traces.h"

#include <optional>

namespace apertune::query {

/// Adds temporary views over the table "event". Private to core/query.
///  - One view for each kind of event (kernel, copy, operator_call, …) shows the rows of "event".
///  - Views with the names and columns of an nsys export (CUPTI_ACTIVITY_KIND_KERNEL, NVTX_EVENTS, StringIds, …) show
///    `trace`, or the newest trace when it is empty: nsys has no column that identifies a trace.
///  - With `trace`, tables with rows of traces (string, track, copy_detail, …) show only the rows of that trace.
void createViews(const store::Database& db, std::optional<store::TraceId> trace);

} // namespace apertune::query
