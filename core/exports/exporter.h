// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/exports/artifact_files.h"
#include "core/exports/export_file.h"
#include "core/exports/export_target.h"
#include "core/exports/serving.h"
#include "core/model/study.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace apertune::exports {

/// Returns whether a configuration can be exported to a target. Every configuration can be exported as json, and as a
/// program when its engine has one (engine_program.h).
bool hasProgram(const model::Config& config, ExportTarget target);

/// Returns whether a configuration needs a compiled package or the file of another engine instead of the model.
bool needsPackage(const model::Config& config);

/// Returns the measured trials of the study that differ from a compiled trial in the batch alone, sorted by batch. One
/// package can serve them all. Empty for a trial without a package, and for one whose package serves every batch.
std::vector<const model::Trial*> otherBatches(const model::StudySnapshot& snapshot, const model::Trial& trial);

/// Plans an export without writing anything, so that a page can show a preview. Pure except for reading the artifact.
/// The files are:
/// - the configuration (apertune-config.json);
/// - the sweep that found it (apertune-sweep.yaml), unless `apertune tune` cannot repeat the study;
/// - the artifact that it needs: TorchScript file, compiled package, or file of another engine;
/// - a small program that applies the configuration and runs the reference inputs;
/// - the expected envelope (interval of the median latency, quality), and `verify`, which measures again and compares;
/// - for a server: an HTTP server over the Python program, its requirements, a Dockerfile and alert rules;
/// - for Triton: a model repository, in which the Python program finds the model, too.
///
/// `package` is the compiled package or the engine's file in the compile cache; empty when the trial needs none.
/// `others` are trials of otherBatches() that `package` also holds, each as the model `batch_N`; the programs then
/// choose with --batch. `converted` finds the model in formats that the artifact lacks, for the lines of other engines'
/// tools. `serving` is for targets that answer requests.
/// Failures: invalidArgument (no measurement), unsupported (no such program, an input of too many dimensions, a model
/// that cannot answer requests, a trial that Triton cannot run), notFound (package or artifact missing), corrupt.
base::Result<std::vector<ExportFile>> planExport(const model::StudySnapshot& snapshot, const model::Trial& trial,
                                                 ExportTarget target, const std::filesystem::path& package,
                                                 const std::vector<const model::Trial*>& others = {},
                                                 const FindConverted& converted = {},
                                                 const ServingChoice& serving = {});

/// Returns the option that names the folder of the engine to a C++ export: an option of its CMakeLists.txt and an
/// example of a folder, ("TORCH_ROOT", "…/site-packages/torch"). Both are empty for a backend that has none.
std::pair<std::string, std::string> rootOption(const std::string& backend);

/// Returns the Python program that verifies any folder with an apertune-config.json of that backend. `apertune verify`
/// runs it on a json export. Empty for a backend that has none.
std::string verifierProgram(const std::string& backend);

} // namespace apertune::exports
