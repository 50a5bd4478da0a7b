// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/scenario_run.h"
#include "core/workload/stages/pipeline_summary.h"

#include <filesystem>

namespace apertune::runs {

struct PipelineRequest
{
    workload::PipelinePlan plan;
    std::filesystem::path images{}; ///< a folder of JPEGs, searched below too; empty: made ones
    int generate = 64;              ///< how many of those
};

struct PipelineResult
{
    workload::PipelinePlan plan;
    int batch = 1;               ///< of the configuration: what a pass computes, however many images are in it
    std::string source;          ///< "/data/photos", or "made, 640 x 480"
    std::int64_t images = 0;     ///< different ones
    std::int64_t imageBytes = 0; ///< of their files
    std::string reading;         ///< how the outputs were read
    std::int64_t answered = 0;   ///< images whose answer is not empty
    workload::PipelineSummary summary;
    model::Interval modelOnlyNs; ///< of an image in a full batch: the same session alone, right before
};

/// Runs the trial's configuration from JPEG to answer in a fresh worker: warms it up, measures the model alone, then
/// lets images flow by the plan. The trial's own measurement stays as it is. `phase` gets "compile", "load", "warm-up",
/// "measure", "images", "stages" with how far it is.
/// Failures: invalidArgument (the plan makes no sense, no JPEG in the folder), unsupported (the model takes no image of
/// three colours, the backend no samples or no such memory), those of requestOf() and of a worker, corrupt (an image).
base::Result<PipelineResult> runPipeline(const study::RunContext& context, const model::Study& study,
                                         const model::Trial& trial, const PipelineRequest& request,
                                         const study::PhaseSink& phase, std::stop_token stop);

/// "plan", "batch", "source", "images", "image_bytes", "reading", "answered", "summary", "model_only_ms".
base::Json toJson(const PipelineResult& result);

} // namespace apertune::runs
