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
    std::function<void(double share)> progress = {}; ///< 0..1, in the calling thread
    std::stop_token cancel = {};
};

/// Writes a trace as Chrome's JSON in Kineto's words, which the Perfetto UI, chrome://tracing and tools for traces of
/// torch.profiler open; gzip when the file's name ends in ".gz". Host calls are joined with the device work they caused
/// by arrows. importKineto() makes the same trace of it: every track, event, column, detail, device and loss
/// (core/interchange/chrome/format.md says how).
///
/// The file appears complete or not at all, and replaces one that is there. Failures: io, cancelled.
base::Status writeChromeTrace(const trace::Trace& trace, const std::filesystem::path& file,
                              const TraceExportOptions& options = {});

/// Writes a line for each event, in the order of time of each track, with a header line; the details of its kind as one
/// JSON object in the last column. gzip when the file's name ends in ".gz". Failures: io, cancelled.
base::Status writeTraceCsv(const trace::Trace& trace, const std::filesystem::path& file,
                           const TraceExportOptions& options = {});

} // namespace apertune::interchange
