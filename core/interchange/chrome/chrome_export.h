// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/export_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Writes a trace as Chrome's JSON with Kineto's names. The Perfetto UI, chrome://tracing and tools for traces of
/// torch.profiler open it. format.md beside this file documents it.
///
///  - A file name that ends in ".gz" gives gzip.
///  - Arrows join host calls with the device work that they caused.
///  - importKineto() reads the same trace back: every track, event, column, detail, device and loss.
///  - The file appears complete or not at all, and replaces an existing one.
///
/// Failures: io, cancelled.
base::Status writeChromeTrace(const trace::Trace& trace, const std::filesystem::path& file,
                              const trace::ExportOptions& options = {});

} // namespace apertune::interchange
