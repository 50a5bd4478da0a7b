// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/import_options.h"
#include "core/trace/trace.h"

#include <filesystem>

namespace apertune::interchange {

/// Reads a report of Nsight Systems (.nsys-rep, .qdrep). The nsys of this machine exports it to a temporary database,
/// which importNsys() reads. The export takes up to ten minutes; cancelling the import stops it.
/// Failures: unsupported (no nsys in PATH; the hint says how to export the report elsewhere), corrupt (nsys cannot
/// export it; the message quotes nsys), timeout, cancelled, and those of importNsys().
base::Result<trace::Trace> importNsysReport(const std::filesystem::path& file,
                                            const trace::ImportOptions& options = {});

} // namespace apertune::interchange
