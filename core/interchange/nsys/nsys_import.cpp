// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_import.h"

#include "core/interchange/nsys/errors.h"
#include "core/interchange/nsys/nsys_events.h"
#include "core/interchange/sqlite/foreign_database.h"
#include "core/store/failure.h"

namespace apertune::interchange {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

Result<trace::Trace> importNsys(const fs::path& file, const trace::ImportOptions& options)
{
    auto result = store::guarded([&] { return nsys::readEvents(sqlite::openForeign(file), file, options); });
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
