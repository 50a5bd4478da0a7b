// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/scenario_run.h"
#include "core/workload/stages/flow.h"
#include "core/workload/stages/pipeline_run.h"

#include <filesystem>

namespace apertune::runs {

struct PipelineRequest
{
    workload::PipelinePlan plan;
    std::filesystem::path images{}; ///< folder of JPEGs, searched recursively; empty for generated images
    int generate = 64;              ///< number of generated images
};

/// Runs the trial's configuration from JPEG to answer, in a fresh worker: warms it up, measures the model alone, then
/// runs the plan. The trial's stored measurement is not changed. Blocks the calling thread; `phase` gets "compile",
/// "load", "warm-up", "measure" and the worker's phases "images" and "stages" with their progress.
/// A folder is read up to 1000 JPEGs, sorted by path.
/// Failures:
///
///   invalidArgument  the plan is not valid (workload::check), or the folder has no JPEG
///   unsupported      the model has no float32 input of batch x 3 x height x width
///   notFound         the folder cannot be read
///   those of study::requestOf() and study::toError(), for example for a damaged image
base::Result<workload::PipelineRun> runPipeline(const study::RunContext& context, const model::Study& study,
                                                const model::Trial& trial, const PipelineRequest& request,
                                                const study::PhaseSink& phase, std::stop_token stop);

} // namespace apertune::runs
