// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <functional>
#include <stop_token>

namespace apertune::interchange {

struct TraceExportOptions
{
    std::function<void(double share)> progress = {}; ///< called on the calling thread with the finished share, 0…1
    std::stop_token cancel = {};
};

/// Writes a trace as Chrome's JSON with Kineto's names. The Perfetto UI, chrome://tracing and tools for traces of
/// torch.profiler open it. format.md beside this file documents it.
///  - A file name that ends in ".gz" gives gzip.
///  - Arrows join host calls with the device work that they caused.
///  - importKineto() reads the same trace back: every track, event, column, detail, device and loss.
///  - The file appears complete or not at all, and replaces an existing one.
/// Failures: io, cancelled.
base::Status writeChromeTrace(const trace::Trace& trace, const std::filesystem::path& file,
                              const TraceExportOptions& options = {});

/// Writes a trace as CSV.
///  - After a header line, each event is a line; the events of a track are in the order of time.
///  - The last column holds the details of the event's kind as one JSON object.
///  - A file name that ends in ".gz" gives gzip.
/// Failures: io, cancelled.
base::Status writeTraceCsv(const trace::Trace& trace, const std::filesystem::path& file,
                           const TraceExportOptions& options = {});

} // namespace apertune::interchange
