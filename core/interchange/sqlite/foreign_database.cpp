// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/sqlite/foreign_database.h"

#include "core/base/errors.h"
#include "core/interchange/sqlite/errors.h"
#include "core/store/failure.h"
#include "core/store/schema.h"

#include <array>
#include <fstream>
#include <string_view>

namespace apertune::interchange::sqlite {

namespace fs = std::filesystem;
using base::ErrorCode;

bool looksLikeSqlite(const fs::path& file)
{
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::array<char, 16> head{};
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), head.size());
    return in.gcount() == static_cast<std::streamsize>(head.size()) &&
           std::string_view(head.data(), head.size()) == kMagic;
}

store::Database openForeign(const fs::path& name)
{
    std::error_code code;
    const fs::path file = fs::absolute(name, code);
    const fs::file_status status = fs::status(file, code);
    if (fs::is_directory(status))
        store::fail({ErrorCode::invalidArgument,
                     base::message<errors::kIsAFolder>(name.string()),
                     {},
                     base::message<errors::kNameFile>()});
    if (!fs::exists(status))
        store::fail({ErrorCode::notFound,
                     base::message<base::errors::kNoFile>(name.string()),
                     {},
                     base::message<base::errors::kCheckPath>()});
    if (!looksLikeSqlite(file))
        store::fail({ErrorCode::invalidArgument, base::message<errors::kNoSqlite>(), name.string(),
                     base::message<errors::kNameDatabase>()});
    fs::path log = file;
    log += "-wal";
    if (fs::exists(log, code) && fs::file_size(log, code) > 0)
        store::fail({ErrorCode::invalidArgument, base::message<errors::kUnmergedLog>(log.filename().string()),
                     name.string(), base::message<errors::kMergeLog>()});
    // Opened without a log beside it, because the file belongs to another program and must not change.
    store::Database db = store::Database::open(file, store::Database::Access::immutable);
    const std::int64_t pages = db.integer("PRAGMA page_count");
    const auto whole = pages * db.integer("PRAGMA page_size");
    if (db.integer("PRAGMA application_id") == store::kApplicationId)
        store::fail({ErrorCode::invalidArgument, base::message<errors::kIsAWorkspace>(), name.string(),
                     base::message<errors::kUseWithStore>()});
    if (static_cast<std::int64_t>(fs::file_size(file, code)) < whole)
        store::fail({ErrorCode::corrupt, base::message<errors::kDamaged>()});
    return db;
}

std::set<std::string> plainTables(const store::Database& db)
{
    std::set<std::string> tables;
    store::Statement rows =
        db.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                   "AND sql NOT LIKE 'CREATE VIRTUAL%' AND sql NOT LIKE '%WITHOUT%ROWID%'");
    while (rows.step())
        tables.insert(rows.text(0));
    return tables;
}

} // namespace apertune::interchange::sqlite
