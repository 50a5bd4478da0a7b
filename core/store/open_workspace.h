// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/store/schema.h"
#include "core/store/sqlite_database.h"
#include "core/store/store.h"
#include "core/store/writer_lock.h"

#include <optional>
#include <span>
#include <string>

namespace apertune::store {

/// A connection that is ready for queries. Members are destroyed in reverse order: the connection is closed before
/// the lock is given back, and before a copy is removed.
struct OpenedWorkspace
{
    std::filesystem::path file;               ///< absolute, links resolved
    std::optional<base::TemporaryDir> copy{}; ///< holds the upgraded copy that is read in place of an older file
    std::optional<WriterLock> lock{};
    std::optional<Database> database{};
    std::string readOnlyReason{}; ///< empty: can be written
    bool newerSchema = false;
};

/// Everything that Store::open promises; throws store::Failure. `migrations` is a parameter so that a test can
/// upgrade to versions that do not exist yet.
OpenedWorkspace openWorkspace(const std::filesystem::path& file, OpenMode mode,
                              std::span<const Migration> migrations = schemaMigrations());

/// A read-only connection to any file that is there. Nothing of the file has been read yet.
Database openConnection(const std::filesystem::path& file);

/// Readers cannot remove the empty -wal and the -shm that SQLite makes for them. Call it after the last one of this
/// process has closed; does nothing while another connection is open.
void removeEmptyLog(const std::filesystem::path& file);

} // namespace apertune::store
