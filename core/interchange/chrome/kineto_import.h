// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Reads a trace in Chrome's JSON format. The PyTorch profiler (Kineto, CUDA or ROCm, any version),
/// writeChromeTrace() and other tools write it: plain or gzip, an object with "traceEvents" or a bare list of events.
///
///  - Times are exact to the nanosecond.
///  - Arrows (ac2g, fwdbwd) are not kept: they follow from correlation and sequence numbers.
///  - Facts that an event lacks are taken from the call that launched it: size and launch shape with ROCm, and whether
///    a copy was asynchronous.
///  - Trace::losses counts the parts of a sound file that cannot be kept.
///
/// Memory: the trace and a few blocks, however large the file is.
/// Threads: any; it runs threads of its own until it returns.
/// Failures: notFound, io, invalidArgument (a folder), corrupt (no trace, damaged or cut off; no part is returned),
/// outOfMemory, cancelled (by `cancel`).
base::Result<trace::Trace> importKineto(const std::filesystem::path& file, const trace::ImportOptions& options = {});

} // namespace apertune::interchange
