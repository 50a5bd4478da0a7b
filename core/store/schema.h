// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace apertune::store {

/// application_id of every workspace: the bytes "APTN".
inline constexpr std::int64_t kApplicationId = 0x4150544e;

/// The page size of every workspace.
inline constexpr std::uint32_t kPageSize = 16384;

/// One step from schema version `version` − 1 to `version`. Released steps never change; a new version is a new step
/// at the end, and a line in schema.md.
struct Migration
{
    int version;
    std::string_view sql;
};

extern const std::string_view kSchemaVersion1; ///< schema_v1.cpp: studies
extern const std::string_view kSchemaVersion2; ///< schema_v2.cpp: traces
extern const std::string_view kSchemaVersion3; ///< schema_v3.cpp: ceilings, scenarios
extern const std::string_view kSchemaVersion4; ///< schema_v4.cpp: what the machine did, noise
extern const std::string_view kSchemaVersion5; ///< schema_v5.cpp: trials from image to answer
extern const std::string_view kSchemaVersion6; ///< schema_v6.cpp: what answers are worth
extern const std::string_view kSchemaVersion7; ///< schema_v7.cpp: processes and confirmations

/// Versions 1, 2, … in order. The last one is what this program reads and writes.
std::span<const Migration> schemaMigrations();

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
/// REQUIRES: identify() told that it is a workspace. Failure: corrupt.
void requireOwnSchema(const Database& database, std::span<const Migration> migrations);

/// Gives an empty database the workspace's page size, WAL and the newest schema.
void createSchema(const Database& database, std::span<const Migration> migrations);

/// Failure: io where the file system cannot hold the log's shared memory.
void useWriteAheadLog(const Database& database);

/// Brings an older workspace to the newest schema in one transaction, after a copy to FILE.bak-vN beside it (N: the old
/// version). A failing step leaves the file as it was.
void migrate(const Database& database, int fromVersion, std::span<const Migration> migrations);

/// The steps alone, in one transaction and without a copy: for a file that is a copy itself.
void applyMigrations(const Database& database, int fromVersion, std::span<const Migration> migrations);

/// A consistent copy of the whole database, made under another name, synced and then renamed to `target`.
/// Failures: invalidArgument (target exists), io.
void copyDatabase(const Database& database, const std::filesystem::path& target);

/// Syncs `part` and gives it its final name; removes it when that fails. REQUIRES: no connection has it open.
void renameSynced(const std::filesystem::path& part, const std::filesystem::path& target);

} // namespace apertune::store
