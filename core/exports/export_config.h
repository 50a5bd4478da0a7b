// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/exports/export_plan.h"
#include "core/model/export_tolerance.h"

#include <string>

namespace apertune::exports {

/// Returns the share by which a later median may differ: three half-widths of the measured interval, but at least 10 %
/// and at most model::kMostTolerance.
double envelopeTolerance(const model::Measurement& measurement);

/// Returns an input as documents for exported programs have it. `file` is its path in the folder.
base::Json inputDocument(const ArtifactFiles::Input& input, const std::string& file);

/// Returns the document "apertune.config/1" (schema.md).
base::Json configDocument(const ExportPlan& plan);

/// Returns the same as constants for the C++ program.
std::string configHeader(const ExportPlan& plan);

} // namespace apertune::exports
