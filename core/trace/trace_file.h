// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::trace {

/// Trace files hold a whole trace. A worker has no store and passes a capture to its supervisor as such a file.
/// Writer and reader have the same version, so the format is simple: the columns as they are in memory, little endian.
/// core/trace/trace_file.md describes the layout.

/// Writes a temporary file and renames it, so that a reader sees the whole file or nothing.
/// Failures: io (disk full).
base::Status writeTraceFile(const Trace& trace, const std::filesystem::path& file);

/// Reads a trace file. It checks every length against the file's size before it allocates, and every index against its
/// list.
/// Failures: notFound, io, corrupt (foreign, cut, or an index beyond its list), unsupported (another version).
base::Result<Trace> readTraceFile(const std::filesystem::path& file);

} // namespace apertune::trace
