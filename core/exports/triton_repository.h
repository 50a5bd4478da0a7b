// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/exports/export_file.h"
#include "core/exports/export_plan.h"
#include "core/model/config.h"
#include "core/model/device.h"

#include <string>
#include <vector>

namespace apertune::exports {

/// A model repository for NVIDIA Triton. What Triton's backend for an engine knows lies in the engine's folder
/// (triton.json, plugins/export.md), so core names no engine.

/// Checks that Triton can run a configuration, the one that took effect. `program` is that of its engine.
/// Failures: unsupported (Triton has no backend for the engine, for the device or for the precision, or a switch
/// prevents it).
base::Status checkTriton(const EngineProgram& program, const model::Config& config, const model::Device& device);

/// Returns the folder of the model's file in the export: "model_repository/resnet50/1". Where the file in Triton's form
/// is yet to be made, it is "model".
std::string tritonFolder(const EngineProgram& program, const std::string& modelName);

/// Returns the file model_repository/NAME/config.pbtxt.
/// Failures: unsupported (an input or output of a type that Triton does not have).
base::Result<ExportFile> tritonConfig(const ExportPlan& plan);

/// Returns the section of an export's README about the repository. It lists every setting of the trial that Triton does
/// not have, with the reason.
std::string tritonPage(const ExportPlan& plan);

} // namespace apertune::exports
