// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/scenario_run.h"
#include "core/workload/stages/pipeline_summary.h"

#include <filesystem>

namespace apertune::runs {

struct PipelineRequest
{
    workload::PipelinePlan plan;
    std::filesystem::path images{}; ///< folder of JPEGs, searched recursively; empty for generated images
    int generate = 64;              ///< number of generated images
};

struct PipelineResult
{
    workload::PipelinePlan plan;
    int batch = 1;               ///< batch of the configuration; a pass computes all of it, even if it is not full
    std::string source;          ///< "/data/photos", or "made, 640 x 480"
    std::int64_t images = 0;     ///< number of different images
    std::int64_t imageBytes = 0; ///< size of their files
    std::string reading;         ///< how the outputs were interpreted
    std::int64_t answered = 0;   ///< images with a non-empty answer
    workload::PipelineSummary summary;
    model::Interval modelOnlyNs; ///< time of one image in a full batch, measured right before without the pipeline
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
base::Result<PipelineResult> runPipeline(const study::RunContext& context, const model::Study& study,
                                         const model::Trial& trial, const PipelineRequest& request,
                                         const study::PhaseSink& phase, std::stop_token stop);

/// JSON with "plan", "batch", "source", "images", "image_bytes", "reading", "answered", "summary", "model_only_ms".
base::Json toJson(const PipelineResult& result);

} // namespace apertune::runs
