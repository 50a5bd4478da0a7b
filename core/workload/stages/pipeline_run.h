// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/measurement.h"
#include "core/workload/stages/flow.h"
#include "core/workload/stages/pipeline_summary.h"

#include <cstdint>
#include <string>

namespace apertune::workload {

/// A run of a configuration from image to answer, as the workspace stores it.
struct PipelineRun
{
    PipelinePlan plan;
    int batch = 1;               ///< batch of the configuration; a pass computes all of it, even if it is not full
    int threads = 0;             ///< threads of the model; 0 on a device of its own
    std::string source;          ///< "/data/photos", or "made, 640 x 480"
    std::int64_t images = 0;     ///< number of different images
    std::int64_t imageBytes = 0; ///< size of their files
    std::string reading;         ///< how the outputs were interpreted
    std::int64_t answered = 0;   ///< images with a non-empty answer
    PipelineSummary summary;
    model::Interval modelOnlyNs; ///< time of one image in a full batch, measured right before without the pipeline
};

/// JSON with "plan", "batch", "threads", "source", "images", "image_bytes", "reading", "answered", "summary",
/// "model_only_ms".
base::Json toJson(const PipelineRun& run);

/// Failures: corrupt.
base::Result<PipelineRun> pipelineRunFromJson(const base::Json& document);
base::Result<PipelineRun> pipelineRunFromText(const std::string& document);

} // namespace apertune::workload
