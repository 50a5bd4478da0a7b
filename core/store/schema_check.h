// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/schema.h"
#include "core/store/sqlite_database.h"

#include <cstdint>
#include <span>

namespace apertune::store {

/// What a file says about itself.
struct FileIdentity
{
    std::int64_t applicationId = 0;
    int version = 0;    ///< user_version
    bool empty = false; ///< no table at all: a new file, or one whose creation was cut short
};
FileIdentity identify(const Database& database);

/// Refuses a workspace whose schema is not what the migrations up to its version make: SQLite would run its triggers,
/// views, virtual tables and computed columns with every statement that meets them. A newer version is only asked to
/// consist of plain tables and indexes. Statistics that SQLite keeps (ANALYZE) do no harm. Nothing of the file is run.
/// REQUIRES: identify() returned the application id of a workspace. Failure: corrupt.
void requireOwnSchema(const Database& database, std::span<const Migration> migrations);

} // namespace apertune::store
