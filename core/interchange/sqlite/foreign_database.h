// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"

#include <filesystem>
#include <set>
#include <string>

namespace apertune::interchange::sqlite {

/// Returns whether the file begins like a SQLite database.
bool looksLikeSqlite(const std::filesystem::path& file);

/// Opens the database of another program. It is not changed, and no file is created beside it. Throws store::Failure:
/// notFound, invalidArgument (a folder, no database, a workspace of Apertune), corrupt (cut off).
store::Database openForeign(const std::filesystem::path& file);

/// Returns the names of the tables, without views, virtual tables and tables without rowid. Reading those would run
/// code that the author of the file chose.
std::set<std::string> plainTables(const store::Database& db);

} // namespace apertune::interchange::sqlite
