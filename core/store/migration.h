// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/schema.h"
#include "core/store/sqlite_database.h"

#include <span>

namespace apertune::store {

/// Gives an empty database the workspace's page size, WAL and the newest schema.
void createSchema(const Database& database, std::span<const Migration> migrations);

/// Failure: io where the file system cannot hold the log's shared memory.
void useWriteAheadLog(const Database& database);

/// Brings an older workspace to the newest schema in one transaction, after a copy to FILE.bak-vN beside it (N: the old
/// version). A failing step leaves the file as it was.
void migrate(const Database& database, int fromVersion, std::span<const Migration> migrations);

/// The steps alone, in one transaction and without a copy: for a file that is a copy itself.
void applyMigrations(const Database& database, int fromVersion, std::span<const Migration> migrations);

} // namespace apertune::store
