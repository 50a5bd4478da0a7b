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

/// Evaluation of a trial on labelled images. It runs in the Python exporter, on the CPU, with the engine of the trial
/// and the same file that the trial opened. It covers the file and its precision, but not the switches that only change
/// how the engine computes. The functions block; `phase` gets "compile" and "evaluate".

/// Labelled images: a folder with one folder of images a class, or a JSON file of COCO with its images.
struct LabelledImages
{
    std::filesystem::path images;
    std::filesystem::path annotations; ///< JSON file of COCO; empty when folders are the labels
    int limit = 0;                     ///< most images to use, spread evenly over all; 0: all of them
};

/// Finds labelled images. `data` is a folder of class folders, or a JSON file of COCO with its images beside it or in a
/// folder "images" beside it.
/// Failures: notFound (`data` does not exist), invalidArgument (it is neither a folder nor a .json file).
base::Result<LabelledImages> labelledImagesAt(const std::filesystem::path& data);

/// Accuracy of the trial's file on the images, one image a pass, beside the accuracy of the model as it was imported.
/// Failures: those of study::requestOf() and of the exporter, unsupported (the trial did not run on a CPU, or the model
/// has no file to evaluate).
base::Result<model::Accuracy> evaluateAccuracy(const study::RunContext& context,
                                               const worker::Installation& installation, const model::Study& study,
                                               const model::Trial& trial, const LabelledImages& labelled,
                                               const study::PhaseSink& phase, std::stop_token stop);

/// Sensitivity of an int8 trial's layers, and of the operations between them, to int8. The model is quantized once and
/// then run with one layer in int8, and with all but one. This works for a trial on a GPU too, because the rounding is
/// in the file.
/// Failures: invalidArgument (the trial is not an int8 model that Apertune quantized), unsupported (a compiled
/// package), those of study::requestOf() and of the exporter.
base::Result<model::Sensitivity> evaluateSensitivity(const study::RunContext& context,
                                                     const worker::Installation& installation,
                                                     const model::Study& study, const model::Trial& trial,
                                                     const study::PhaseSink& phase, std::stop_token stop);

} // namespace apertune::runs
