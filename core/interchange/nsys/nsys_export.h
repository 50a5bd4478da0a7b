// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/chrome/trace_export.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <map>

namespace apertune::interchange {

/// Writes a trace as a SQLite file with the tables and columns of an nsys export (one row an event, texts in
/// StringIds), for scripts that read those. What nsys has no table for goes to NVTX_EVENTS (operators, in the
/// domain "apertune") or is left out, and META_DATA_EXPORT says how many (LEFT_OUT_counter, …); importNsys() reads the
/// file.
///
/// The file appears complete or not at all, and replaces one that is there. Failures: io, cancelled.
base::Status writeNsys(const trace::Trace& trace, const std::filesystem::path& file,
                       const TraceExportOptions& options = {});

/// The events that writeNsys() leaves out, by kind: nsys has no table for counters, tensors, compilation, Python
/// functions and ranges of a device.
std::map<trace::EventKind, std::int64_t> leftOutByNsys(const trace::Trace& trace);

} // namespace apertune::interchange
