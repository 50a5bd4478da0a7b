// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"

#include <filesystem>

namespace apertune::store {

/// Writes a consistent copy of the whole database under another name, syncs it and renames it to `target`.
/// Failures: invalidArgument (`target` exists), io.
void copyDatabase(const Database& database, const std::filesystem::path& target);

/// Syncs `part` and renames it to `target`; removes it when that fails.
/// REQUIRES: no connection has `part` open.
void renameSynced(const std::filesystem::path& part, const std::filesystem::path& target);

} // namespace apertune::store
