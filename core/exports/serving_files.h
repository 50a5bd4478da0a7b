// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/exports/export_file.h"
#include "core/exports/export_plan.h"

#include <string>
#include <vector>

namespace apertune::exports {

/// Returns whether the requests of several clients can be joined into passes of the trial's batch.
/// Failures: unsupported (the model keeps state from pass to pass, an input or output has no batch dimension).
base::Status checkServable(const ExportPlan& plan);

/// Returns the member `serving` of "apertune.config/1" (schema.md).
base::Json servingDocument(const ExportPlan& plan);

/// Returns the files of a server besides those of the Python program: server.py, check_files.py, requirements.txt,
/// Dockerfile and prometheus-rules.yml. `version` is the engine's version.
std::vector<ExportFile> serverFiles(const ExportPlan& plan, const std::string& version);

/// Returns the section of an export's README about the server.
std::string serverPage(const ExportPlan& plan);

} // namespace apertune::exports
