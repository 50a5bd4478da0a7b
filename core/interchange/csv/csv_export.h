// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/export_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Writes a trace as CSV. format.md beside this file documents it.
///  - After a header line, each event is a line; the events of a track are in the order of time.
///  - The last column holds the details of the event's kind as one JSON object.
///  - A file name that ends in ".gz" gives gzip.
/// Failures: io, cancelled.
base::Status writeTraceCsv(const trace::Trace& trace, const std::filesystem::path& file,
                           const trace::ExportOptions& options = {});

} // namespace apertune::interchange
