// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/pipeline/summary.h"

#include <string>
#include <vector>

namespace apertune::report {

/// A trial run from image to answer, as the workspace keeps it.
struct PipelineRun
{
    pipeline::Plan plan;
    int batch = 1;
    std::string source;
    std::int64_t images = 0;
    std::string reading;
    pipeline::Summary summary;
    model::Interval modelOnlyNs; ///< of an image
};

/// Failures: corrupt.
base::Result<PipelineRun> pipelineFromJson(const base::Json& document);
base::Result<PipelineRun> pipelineFromText(const std::string& document);

/// "Decode", "Preprocess", "Copy in", "Infer", "Copy back", "Postprocess".
std::string stageName(pipeline::Stage stage);

/// A stage's part of the stage bar.
struct StagePart
{
    pipeline::Stage stage = pipeline::Stage::decode;
    double from = 0, to = 0; ///< share of the bar, 0…1
};
/// What an image costs, stage by stage, as parts of 1; empty where nothing took time.
std::vector<StagePart> stageBar(const PipelineRun& run);

/// One sentence each: what bounds the rate, and how the model alone compares.
std::string boundText(const PipelineRun& run);
std::string modelOnlyText(const PipelineRun& run);
/// The whole bar as a sentence for who cannot see it: "Decode 5.1 ms, …".
std::string spokenBar(const PipelineRun& run);

/// For a terminal.
std::string pipelineText(const PipelineRun& run);

/// Values of resources/report/pipeline.mustache: the stage bar with the model alone beside it, and the table of stages
/// and waits.
base::Json pipelineValues(const PipelineRun& run, const std::string& trial);

} // namespace apertune::report
