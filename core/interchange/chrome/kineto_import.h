// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Reads a trace that the PyTorch profiler (Kineto, CUDA or ROCm, any version), writeChromeTrace() or another tool
/// wrote in Chrome's JSON format; plain or gzip; an object with "traceEvents" or a bare list of events.
///
/// Times are kept to the nanosecond as the text says them. Arrows (ac2g, fwdbwd) are not kept: they follow from
/// correlation and sequence numbers. What an event does not say but the call that launched it does (size and launch
/// shape with ROCm, whether a copy was asynchronous) is completed from there. What cannot be kept of an otherwise
/// sound file is counted in Trace::losses.
///
/// Memory: the trace itself and a few blocks, however large the file. Uses threads of its own while it runs.
///
/// Failures: notFound, io, invalidArgument (a folder), corrupt (no trace, damaged, cut: nothing is returned of it),
/// outOfMemory, cancelled (by `cancel`).
base::Result<trace::Trace> importKineto(const std::filesystem::path& file, const trace::ImportOptions& options = {});

} // namespace apertune::interchange
