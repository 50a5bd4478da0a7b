// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/schema.h"
#include "core/store/sqlite_database.h"

#include <span>

namespace apertune::store {

/// Sets an empty database up with the workspace's page size, WAL and the newest schema.
void createSchema(const Database& database, std::span<const Migration> migrations);

/// Switches the database to WAL.
/// Failures: io (the file system cannot hold the log's shared memory).
void useWriteAheadLog(const Database& database);

/// Upgrades an older workspace to the newest schema in one transaction, after a copy to FILE.bak-vN beside it, where N
/// is the old version. A step that fails leaves the file as it was.
void migrate(const Database& database, int fromVersion, std::span<const Migration> migrations);

/// Upgrades a file in one transaction and without a copy, because the file is a copy itself.
void applyMigrations(const Database& database, int fromVersion, std::span<const Migration> migrations);

} // namespace apertune::store
