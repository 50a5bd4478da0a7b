// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/base/temporary_dir.h"
#include "core/store/open_mode.h"
#include "core/store/schema.h"
#include "core/store/sqlite_database.h"
#include "core/store/writer_lock.h"

#include <optional>
#include <span>
#include <string>

namespace apertune::store {

/// A connection that is ready for queries. The order of the members matters: the connection is closed before the lock
/// is released and before a copy is removed.
struct OpenedWorkspace
{
    std::filesystem::path file;               ///< absolute, links resolved
    std::optional<base::TemporaryDir> copy{}; ///< holds the upgraded copy that replaces an older file
    std::optional<WriterLock> lock{};
    std::optional<Database> database{};
    base::Message readOnlyReason{}; ///< empty: the workspace can be written
    bool newerSchema = false;
};

/// Implements Store::open(). Throws store::Failure. `migrations` is a parameter so that a test can upgrade to versions
/// that do not exist yet.
OpenedWorkspace openWorkspace(const std::filesystem::path& file, OpenMode mode,
                              std::span<const Migration> migrations = schemaMigrations());

/// Returns whether a workspace has lost its file, or the content of it, while its write-ahead log still holds data.
/// SQLite would delete that log.
bool isOnlyTheLog(const std::filesystem::path& file);

/// Opens a read-only connection to an existing file. Nothing is read yet.
Database openConnection(const std::filesystem::path& file);

/// Removes the empty -wal and the -shm that SQLite creates for readers and that readers cannot remove. Does nothing
/// while another connection is open.
/// REQUIRES: the last reader of this process has closed.
void removeEmptyLog(const std::filesystem::path& file);

} // namespace apertune::store
