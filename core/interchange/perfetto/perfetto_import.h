// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Returns whether a file, compressed or not, begins like Perfetto's binary format.
bool looksLikePerfetto(const std::filesystem::path& file);

/// Reads a trace in Perfetto's binary format, such as that of `rocprofv3 --output-format pftrace`: slices, instants and
/// counters of tracks (format.md). Packets of other data sources are counted by name and not read.
///
/// - A slice of a category that Kineto or rocprofv3 writes gets that kind of event and its details; others are ranges.
/// - Times are those of the recording's own clock; snapshots relate the clocks of its packets.
/// - A cut-off or damaged recording is kept up to the damage. Trace::losses names the damage and all other missing
///   data.
/// - While a file is read, memory holds the unpacked file and about 100 bytes for each event.
/// - Threads and blocks of `options` have no effect.
///
/// Failures: notFound, io, outOfMemory, cancelled, invalidArgument (a folder), corrupt (no packets, or none of an
/// event), unsupported (more than 4 GiB, or much more text than a real recording has).
base::Result<trace::Trace> importPerfetto(const std::filesystem::path& file, const trace::ImportOptions& options = {});

} // namespace apertune::interchange
