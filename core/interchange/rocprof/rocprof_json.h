// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Returns whether a file, compressed or not, begins like the JSON of rocprofv3.
bool looksLikeRocprofJson(const std::filesystem::path& file);

/// Reads the JSON that `rocprofv3 --output-format json` writes: kernels, copies, allocations of device memory, calls of
/// HIP, HSA, RCCL and the decoders, markers, and the GPUs.
/// - Device work is on HIP streams where the recorder knew them, otherwise on queues.
/// - Trace::losses names lists of records that a trace cannot hold, and counts events with impossible times.
/// - While a file is read, memory holds about three times the size of its text.
/// - Threads and blocks of `options` have no effect.
///
/// Failures: notFound, io, outOfMemory, cancelled, invalidArgument (a folder), corrupt (damaged, cut off, or without an
/// event; no part of it is returned), unsupported (more than 4 GiB of text).
base::Result<trace::Trace> importRocprofJson(const std::filesystem::path& file,
                                             const trace::ImportOptions& options = {});

} // namespace apertune::interchange
