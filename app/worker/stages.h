// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/measuring.h"
#include "core/model/task_type.h"
#include "core/workload/images/preprocess.h"
#include "core/workload/stages/pipeline_summary.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace apertune::worker {

struct StagesRequest
{
    workload::PipelinePlan plan;
    workload::PreprocessRecipe recipe;
    model::TaskType taskType = model::TaskType::other; ///< decides how its outputs are read
    std::uint32_t port = 0;                            ///< the input that takes the image
    std::uint32_t sets = 1;                            ///< number of input sets that the session was opened with
    int batch = 1;                                     ///< batch of the session
    std::vector<std::filesystem::path> files;          ///< JPEG files; empty: synthetic images
    int generate = 64;
    int width = 640, height = 480; ///< size of synthetic images
    std::uint64_t seed = 1;
};

/// Reads the members of the command `stages` (core/worker/protocol.md). Failures: corrupt, invalidArgument.
base::Result<StagesRequest> stagesRequestFrom(const base::Json& command, int batch);

struct StagesRun
{
    workload::PipelineSummary summary;
    std::string reading;         ///< how outputs were read, as a phrase
    std::int64_t answered = 0;   ///< number of images whose answer is not empty
    std::int64_t images = 0;     ///< number of different images
    std::int64_t imageBytes = 0; ///< total size of their files
};

/// Runs images from file to answer with a warm session, as the plan says.
///
/// * All files are in memory before the clock starts, because reading a disk is not a stage.
/// * Copying in is set_samples() of the backend, from memory that it handed out, until it has finished.
/// * Copying back is kept_outputs() and a copy to memory that outlives the next pass.
///
/// `onProgress` is called with the completed share. Failures: those of the backend; unsupported (it takes no samples),
/// io and corrupt (a file), cancelled when `stop` became true.
base::Result<StagesRun> runStages(LoadedModel& model, const StagesRequest& request, const std::atomic<bool>& stop,
                                  const std::function<void(double)>& onProgress);

} // namespace apertune::worker
