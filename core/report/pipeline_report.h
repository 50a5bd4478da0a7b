// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/message.h"
#include "core/workload/stages/flow.h"
#include "core/workload/stages/pipeline_run.h"

#include <string>
#include <vector>

namespace apertune::report {

/// "Decode", "Preprocess", "Copy in", "Infer", "Copy back", "Postprocess".
base::Message stageMessage(workload::Stage stage);

/// The part of one stage in the stage bar.
struct StagePart
{
    workload::Stage stage = workload::Stage::decode;
    double from = 0, to = 0; ///< share of the bar, 0…1
};
/// Returns the cost of an image by stage, as parts of 1; empty when nothing took time.
std::vector<StagePart> stageBar(const workload::PipelineRun& run);

/// Each returns one sentence: the limit of the rate, and the comparison with the model alone.
base::Message boundMessage(const workload::PipelineRun& run);
base::Message modelOnlyMessage(const workload::PipelineRun& run);
/// Returns the bar as a sentence for people who cannot see it: "Decode 5.1 ms, …".
base::Message stageBarMessage(const workload::PipelineRun& run);

/// Returns the report for a terminal.
std::string pipelineText(const workload::PipelineRun& run);

/// Values of resources/report/pipeline.mustache: the stage bar with the model alone beside it, and the table of stages
/// and waits.
base::Json pipelineValues(const workload::PipelineRun& run, const std::string& trial);

} // namespace apertune::report
