// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"
#include "core/report/artifact_files.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::report {

enum class ExportTarget { json, cpp, python };

/// Whether the configuration can be exported so: every one as json; as a program where its engine brings one
/// (engine_program.h).
bool hasProgram(const model::Config& config, ExportTarget target);

/// Whether it opens a compiled package or the file of another engine instead of the model.
bool needsPackage(const model::Config& config);

struct ExportFile
{
    std::filesystem::path path;       ///< relative to the export folder
    std::string content;              ///< text; empty when copied
    std::filesystem::path copyFrom{}; ///< a file of the artifact to copy instead
};

/// The trials of the study that differ from a compiled one by their batch alone and were measured, by batch: what one
/// package can serve beside it. Empty for a trial whose package serves every batch, and for one that has none.
std::vector<const model::Trial*> otherBatches(const model::StudySnapshot& snapshot, const model::Trial& trial);

/// What an export of a trial would write: configuration (apertune-config.json), the artifact it needs (TorchScript
/// file, compiled package, or the file of another engine), a small program that applies the configuration and runs the
/// reference inputs, the expected envelope (median latency interval, quality), and a `verify` entry that measures again
/// and says inside or outside. Pure: nothing is written, so a page can show a preview. `package`: the compiled package
/// or the engine's file, as the compile cache has it; empty when the trial needs none. `others`: those of
/// otherBatches() that `package` holds, too, each as the model `batch_N`; the programs then choose by --batch.
/// `converted`: where the model lies in a format that its artifact lacks, for the lines of other engines' tools.
base::Result<std::vector<ExportFile>> planExport(const model::StudySnapshot& snapshot, const model::Trial& trial,
                                                 ExportTarget target, const std::filesystem::path& package,
                                                 const std::vector<const model::Trial*>& others = {},
                                                 const FindConverted& converted = {});

/// How a C++ export of that backend is told where its engine is: an option of its CMakeLists.txt and an example of a
/// folder, ("TORCH_ROOT", "…/site-packages/torch"). Empty for a backend that has none.
std::pair<std::string, std::string> rootOption(const std::string& backend);

/// The Python program of an export, which verifies any folder with an apertune-config.json of that backend: what
/// `apertune verify` runs on a json export. Empty for a backend that has none.
std::string verifierProgram(const std::string& backend);

/// Looks at a folder with the files of an export before it gets its name.
using ExportTrialRun = std::function<base::Status(const std::filesystem::path& written)>;

/// Writes the plan into `dir` (made; must be empty or absent unless `overwrite`). All or nothing: where `tryOut` fails,
/// its failure is returned and nothing was written.
base::Status writeExport(const std::vector<ExportFile>& files, const std::filesystem::path& dir, bool overwrite,
                         const ExportTrialRun& tryOut = {});

} // namespace apertune::report
