// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Reads a recording of any known kind. The contents of the file decide, not its name: an nsys export (importNsys()), a
/// database of rocprofv3 (importRocpd()) or its JSON (importRocprofJson()), a trace of Perfetto
/// (importPerfetto()), a trace file of Apertune (trace::readTraceFile()), or else Kineto or Chrome JSON
/// (importKineto()).
///
/// Failures: those of these readers; unsupported (a report of ncu; the hint says how to get a file that can be read).
base::Result<trace::Trace> importRecording(const std::filesystem::path& file, const trace::ImportOptions& options = {});

} // namespace apertune::interchange
