// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/export_options.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <map>

namespace apertune::interchange {

/// Writes a trace as a SQLite file with the tables and columns of an nsys export, for scripts that read such files.
///  - Each event is a row; texts are in StringIds.
///  - nsys has no table for operators: they go to NVTX_EVENTS, in the domain "apertune".
///  - Events of the kinds in leftOutByNsys() are left out. META_DATA_EXPORT has their number (LEFT_OUT_counter, …).
///  - importNsys() reads the file.
///  - The file appears complete or not at all, and replaces an existing one.
///
/// Failures: io, cancelled.
base::Status writeNsys(const trace::Trace& trace, const std::filesystem::path& file,
                       const trace::ExportOptions& options = {});

/// Returns the number of events that writeNsys() leaves out, by kind. nsys has no table for counters, tensors,
/// compilation, Python functions and ranges of a device.
std::map<trace::EventKind, std::int64_t> leftOutByNsys(const trace::Trace& trace);

} // namespace apertune::interchange
