// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_import.h"

#include "core/base/errors.h"
#include "core/interchange/nsys/errors.h"
#include "core/interchange/nsys/nsys_events.h"
#include "core/store/failure.h"
#include "core/store/schema.h"

#include <array>
#include <fstream>

namespace apertune::interchange {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

trace::Trace importFile(const fs::path& name, const trace::ImportOptions& options)
{
    std::error_code code;
    const fs::path file = fs::absolute(name, code);
    const fs::file_status status = fs::status(file, code);
    if (fs::is_directory(status))
        store::fail({ErrorCode::invalidArgument,
                     base::message<nsys::errors::kIsAFolder>(name.string()),
                     {},
                     base::message<nsys::errors::kNameSqlite>()});
    if (!fs::exists(status))
        store::fail({ErrorCode::notFound,
                     base::message<base::errors::kNoFile>(name.string()),
                     {},
                     base::message<base::errors::kCheckPath>()});
    if (!looksLikeSqlite(file))
        store::fail({ErrorCode::invalidArgument, base::message<nsys::errors::kNoSqlite>(), name.string(),
                     base::message<nsys::errors::kMakeExport>()});
    // Opened without a log beside it, because the file belongs to another program and must not change.
    const store::Database db = store::Database::open(file, store::Database::Access::immutable);
    const std::int64_t pages = db.integer("PRAGMA page_count");
    const auto whole = pages * db.integer("PRAGMA page_size");
    if (db.integer("PRAGMA application_id") == store::kApplicationId)
        store::fail({ErrorCode::invalidArgument, base::message<nsys::errors::kIsAWorkspace>(), name.string(),
                     base::message<nsys::errors::kUseWithStore>()});
    if (static_cast<std::int64_t>(fs::file_size(file, code)) < whole)
        store::fail({ErrorCode::corrupt, base::message<nsys::errors::kDamaged>()});
    return nsys::readEvents(db, file, options);
}

} // namespace

bool looksLikeSqlite(const fs::path& file)
{
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::array<char, 16> head{};
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), head.size());
    return in.gcount() == static_cast<std::streamsize>(head.size()) &&
           std::string_view(head.data(), head.size()) == kMagic;
}

Result<trace::Trace> importNsys(const fs::path& file, const trace::ImportOptions& options)
{
    auto result = store::guarded([&] { return importFile(file, options); });
    if (result)
        return result;
    Error error = result.error();
    // The errors of the SQLite wrapper speak of workspaces, but this file is another program's.
    if (error.code == ErrorCode::corrupt)
        return Error{ErrorCode::corrupt, base::message<nsys::errors::kDamaged>(), file.string(),
                     base::message<nsys::errors::kExportAgain>()};
    if (error.context.empty())
        error.context = file.string();
    return error;
}

} // namespace apertune::interchange
