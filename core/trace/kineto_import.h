// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>

namespace apertune::trace {

/// How far an import is. The sizes are those of the file on the disk, so that their ratio predicts the time.
struct ImportProgress
{
    std::int64_t bytesRead = 0;
    std::int64_t bytesTotal = 0;
    std::size_t events = 0;
};

struct ImportOptions
{
    /// Called now and then (about every 16 MiB) in the calling thread.
    std::function<void(const ImportProgress&)> progress = {};
    std::stop_token cancel = {};
    int threads = 0;                              ///< that parse; 0: as many as there are processors, at most 8
    std::size_t blockSize = std::size_t{1} << 20; ///< bytes parsed in one piece; tests make it small
};

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
base::Result<Trace> importKineto(const std::filesystem::path& file, const ImportOptions& options = {});

} // namespace apertune::trace
