// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Whether the file begins as SQLite databases do: an export of Nsight Systems (or a workspace), not text.
bool looksLikeSqlite(const std::filesystem::path& file);

/// Reads what `nsys export --type sqlite` wrote, of any version: kernels, copies, fills, CUDA calls, synchronisation,
/// graphs, device memory, NVTX ranges, calls of the operating system, overhead, GPU metrics, devices and names. Tables
/// and columns differ from version to version, so only what is there is read. Tables that a trace has no place for are
/// named in Trace::losses, and so are events whose times make no sense.
///
/// Times are as nsys has them, after the start of its session. Names of calls lose their version ("_v7000").
/// Of `options`, blocks and threads do not apply.
///
/// Failures: notFound, io, invalidArgument (a folder, a workspace, another program's database, an export without
/// events), corrupt (damaged or cut off; nothing is returned of it), outOfMemory, cancelled.
base::Result<trace::Trace> importNsys(const std::filesystem::path& file, const trace::ImportOptions& options = {});

} // namespace apertune::interchange
