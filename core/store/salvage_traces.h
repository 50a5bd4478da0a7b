// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/store/traces.h"

#include <cstdint>

namespace apertune::store {

/// Makes the traces of a salvaged workspace loadable. Returns the number of removed chunks and traces.
/// Private to core/store. Throws store::Failure.
///  - Chunks that cannot be decoded are removed, and a Loss says how many events they held.
///  - Missing texts, tracks and details get placeholders.
///  - A trace that stays unreadable is removed.
std::int64_t repairTraces(const Database& db);

/// Adds a placeholder for a lost trace whose other rows were saved.
void addLostTrace(const Database& db, TraceId id);

} // namespace apertune::store
