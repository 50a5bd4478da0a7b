// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/in_effect.h"
#include "core/model/study.h"
#include "core/report/artifact_files.h"
#include "core/report/engine_program.h"

#include <filesystem>
#include <optional>
#include <string>

namespace apertune::report {

/// What an exported program needs to know: the trial, where its files lie in the folder, and what to expect.
struct ExportPlan
{
    const model::StudySnapshot& snapshot;
    const model::Trial& trial;
    model::InEffect ran; ///< what the exported programs apply: not what was asked for, but what took effect
    model::Device device;
    ArtifactFiles artifact;
    std::optional<EngineProgram> program;      ///< of its engine; nullopt: there is a json export alone
    bool compiled = false;                     ///< or runs from the file of another engine: it has a package
    bool selfContained = true;                 ///< the model's files are in the folder too
    double tolerance = 0.1;                    ///< relative; of the median latency
    double minCosine = 0;                      ///< smallest cosine to the model as loaded
    std::string torchscript{};                 ///< in the folder, or the artifact's own; empty when it is not needed
    std::string package{};                     ///< likewise
    std::vector<std::string> inputs{};         ///< one file an input
    std::filesystem::path opened{};            ///< the file that `package` is a copy of; empty without one
    FindConverted converted{};                 ///< may be empty
    std::vector<const model::Trial*> others{}; ///< of the same configuration at the other batches that `package` serves
};

/// A wider envelope would let a real regression pass, however noisy the trial was.
inline constexpr double kMostTolerance = 0.25;

/// The share by which a later median may differ: three half-widths of the measured interval, at least 10 % and at most
/// kMostTolerance.
double envelopeTolerance(const model::Measurement& measurement);

/// "apertune.config/1", see schema.md.
base::Json configDocument(const ExportPlan& plan);

/// The same as constants for the C++ program.
std::string configHeader(const ExportPlan& plan);

} // namespace apertune::report
