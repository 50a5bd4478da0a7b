// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Reads a recording of any known kind. The contents of the file decide, not its name: an nsys export (importNsys()), a
/// trace file of Apertune (trace::readTraceFile()), JSON of rocprofv3 (importRocprofJson()), or else Kineto or Chrome
/// JSON (importKineto()).
/// Failures: those of the four readers; unsupported (a report of nsys or ncu, or a trace in Perfetto's own format; the
/// hint says how to get a file that can be read).
base::Result<trace::Trace> importRecording(const std::filesystem::path& file, const trace::ImportOptions& options = {});

} // namespace apertune::interchange
