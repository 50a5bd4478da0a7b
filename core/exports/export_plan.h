// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exports/artifact_files.h"
#include "core/exports/engine_program.h"
#include "core/exports/export_target.h"
#include "core/exports/serving.h"
#include "core/model/device.h"
#include "core/model/in_effect.h"
#include "core/model/study.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::exports {

/// The facts that an exported program needs: the trial, its files in the folder, and the expected results.
struct ExportPlan
{
    const model::StudySnapshot& snapshot;
    const model::Trial& trial;
    model::InEffect ran; ///< the configuration that took effect, which is what exported programs apply
    model::Device device;
    ArtifactFiles artifact;
    ExportTarget target = ExportTarget::json;
    ServingSettings serving;              ///< only for targets that answer requests
    std::optional<EngineProgram> program; ///< the program of the engine; nullopt: only a json export is possible
    bool compiled = false;                ///< true when it runs from a compiled package or the file of another engine
    bool selfContained = true;            ///< true when the folder also holds the model's files
    double tolerance = 0.1;               ///< relative tolerance of the median latency
    double minCosine = 0;                 ///< smallest cosine to the model as loaded
    std::string torchscript{}; ///< path in the folder, or of the artifact's own file; empty when it is not needed
    std::string package{};     ///< path of the package, in the same way
    std::vector<std::string> inputs{}; ///< one file per input
    std::filesystem::path opened{};    ///< the original of `package`; empty without a package
    FindConverted converted{};         ///< may be empty
    /// Trials of the same configuration with the other batches that `package` serves.
    std::vector<const model::Trial*> others{};
};

} // namespace apertune::exports
