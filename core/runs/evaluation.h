// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/evaluation.h"
#include "core/model/study.h"
#include "core/study/configuration_run.h"
#include "core/study/run_context.h"
#include "core/worker/installation.h"

#include <filesystem>
#include <string>

namespace apertune::runs {

/// What a trial's answers are worth. Evaluation runs in Python, on the CPU, with the engine that the trial used and the
/// very file that it opened; what is judged is that file and its precision, not switches that only reorder sums.
/// Functions block; `phase` gets "compile" and "judge".

/// Labelled pictures: a folder of folders, one a class, or COCO's JSON beside the pictures that it names.
struct LabelledPictures
{
    std::filesystem::path images;
    std::filesystem::path annotations; ///< empty: folders
    int limit = 0;                     ///< at most so many, spread evenly; 0: all
};

/// DIR as folders of classes, or FILE.json with the pictures beside it (below "images" where there is such a folder).
/// Failures: notFound, invalidArgument.
base::Result<LabelledPictures> labelledPicturesAt(const std::filesystem::path& data);

/// The trial's file on the pictures, one a pass, beside the model as it was imported.
/// Failures: those of requestOf() and of the exporter, unsupported (a CUDA device).
base::Result<model::Accuracy> evaluateAccuracy(const study::RunContext& context,
                                               const worker::Installation& installation, const model::Study& study,
                                               const model::Trial& trial, const LabelledPictures& pictures,
                                               const study::PhaseSink& phase, std::stop_token stop);

/// What int8 costs in each layer of an int8 trial, and in the operations between them: the model quantized once, then
/// run with one layer in int8, and with all but one. Of a trial on a GPU as well: what is judged is the rounding, which
/// lies in the file. Failures: those of requestOf() and of the exporter, unsupported (a compiled package),
/// invalidArgument (the trial is not int8 that is made here).
base::Result<model::Sensitivity> evaluateSensitivity(const study::RunContext& context,
                                                     const worker::Installation& installation,
                                                     const model::Study& study, const model::Trial& trial,
                                                     const study::PhaseSink& phase, std::stop_token stop);

} // namespace apertune::runs
