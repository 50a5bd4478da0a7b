// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange::nsys {

/// Reads the whole trace. Throws store::Failure. Private to this folder.
trace::Trace readEvents(const store::Database& db, const std::filesystem::path& file,
                        const trace::ImportOptions& options);

} // namespace apertune::interchange::nsys
