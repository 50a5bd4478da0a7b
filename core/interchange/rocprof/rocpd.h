// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Returns whether a file is a database with the tables of rocpd.
bool looksLikeRocpd(const std::filesystem::path& file);

/// Reads a database that rocprofv3 (its format "rocpd", the usual one since ROCm 7) or rocprof-sys wrote: kernels,
/// copies, allocations of device memory, regions (calls of HIP, HSA and other libraries, markers), and the GPUs. A file
/// may hold several processes.
/// - Tables and columns differ between versions, so missing ones are skipped.
/// - Trace::losses names tables that a trace cannot hold, and counts events with impossible times.
/// - Blocks and threads of `options` have no effect.
///
/// Failures: notFound, io, outOfMemory, cancelled, invalidArgument (a folder, another program's database), corrupt
/// (damaged, cut off, or without an event; no part of it is returned).
base::Result<trace::Trace> importRocpd(const std::filesystem::path& file, const trace::ImportOptions& options = {});

} // namespace apertune::interchange
