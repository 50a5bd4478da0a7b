// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Reads a report of Nsight Systems (.nsys-rep, .qdrep): lets the nsys of this machine export it into a temporary
/// database and reads that one (importNsys()). The export takes up to ten minutes and is stopped with the import.
/// Failures: unsupported (no nsys in PATH; the hint says how to export the report elsewhere), corrupt (nsys cannot
/// export it; the message has its words), timeout, cancelled, and those of importNsys().
base::Result<trace::Trace> importNsysReport(const std::filesystem::path& file,
                                            const trace::ImportOptions& options = {});

} // namespace apertune::interchange
