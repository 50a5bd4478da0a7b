// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/query_watch.h"
#include "core/store/sqlite_database.h"

namespace apertune::query {

/// Adds the functions hist(key, value) and percentile(value, p). They end the query with SQLITE_INTERRUPT when a limit
/// of `watch` is reached. Private to core/query.
/// REQUIRES: `watch` outlives the connection.
void registerFunctions(const store::Database& db, QueryWatch& watch);

} // namespace apertune::query
