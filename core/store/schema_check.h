// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/schema.h"
#include "core/store/sqlite_database.h"

#include <cstdint>
#include <span>

namespace apertune::store {

/// The facts in a database file by which a workspace is recognised.
struct FileIdentity
{
    std::int64_t applicationId = 0;
    int version = 0;    ///< user_version
    bool empty = false; ///< it has no table: the file is new, or its creation was interrupted
};
FileIdentity identify(const Database& database);

/// Refuses a workspace whose schema differs from what the migrations up to its version create. SQLite would run added
/// triggers, views, virtual tables and computed columns with every statement that touches them.
///
///  - A newer version passes when it consists of plain tables and indexes.
///  - SQLite's own statistics (ANALYZE) are accepted.
///  - The check runs nothing that the file defines.
///
/// REQUIRES: identify() returned the application id of a workspace.
/// Failures: corrupt (the schema is refused).
void requireOwnSchema(const Database& database, std::span<const Migration> migrations);

} // namespace apertune::store
