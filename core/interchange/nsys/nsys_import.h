// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Reads a file that any version of `nsys export --type sqlite` wrote: kernels, copies, memsets, CUDA calls,
/// synchronisation, graphs, device memory, NVTX ranges, calls of the operating system, overhead, GPU metrics, devices
/// and names.
///
///  - Tables and columns differ between versions, so missing ones are skipped.
///  - Trace::losses names tables that a trace cannot hold, and counts events with impossible times.
///  - Times count from the start of the nsys session, as in the file.
///  - Names of calls lose their version ("_v7000").
///  - Blocks and threads of `options` have no effect.
///
/// Failures: notFound, io, outOfMemory, cancelled, invalidArgument (a folder, a workspace, another program's database,
/// an export without events), corrupt (damaged or cut off; no part of it is returned).
base::Result<trace::Trace> importNsys(const std::filesystem::path& file, const trace::ImportOptions& options = {});

} // namespace apertune::interchange
