// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::trace {

/// A whole trace as a file: how a worker, which has no store, hands a capture to its supervisor, and what tests keep.
/// Both ends are of one version, so the format is plain: columns as they lie in memory, little endian.
/// core/trace/trace_file.md has the layout.

/// Written beside its place and renamed, so that a reader sees all of it or nothing. Failures: io (disk full).
base::Status writeTraceFile(const Trace& trace, const std::filesystem::path& file);

/// Every length is checked against the file's size before memory is taken, and every index against what it points to.
/// Failures: notFound, io, corrupt (foreign, cut, or an index beyond its list), unsupported (another version).
base::Result<Trace> readTraceFile(const std::filesystem::path& file);

} // namespace apertune::trace
