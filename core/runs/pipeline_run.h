// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/configuration_run.h"
#include "core/study/run_context.h"
#include "core/workload/stages/flow.h"
#include "core/workload/stages/pipeline_run.h"

#include <filesystem>
#include <memory>

namespace apertune::runs {

/// The images of a pipeline.
struct PipelineImages
{
    std::filesystem::path folder{}; ///< folder of JPEGs, searched recursively; empty for generated images
    int generate = 64;              ///< number of generated images
};

struct PipelineRequest
{
    workload::PipelinePlan plan;
    PipelineImages images{};
    int threads = 0; ///< threads of the model; 0: those of the trial's configuration
};

/// A trial's configuration in a warm worker of its own, ready to run images from JPEG to answer. One thread.
class PipelineWorker
{
public:
    /// Opens and warms up the configuration, and measures the model alone. `threads`: as in PipelineRequest. `phase`
    /// gets "compile", "load", "warm-up" and "measure". A folder is read up to 1000 JPEGs, sorted by path.
    /// REQUIRES: what `context` refers to outlives the result.
    /// Failures:
    ///
    ///   invalidArgument  the folder has no JPEG
    ///   unsupported      the model has no float32 input of batch x 3 x height x width
    ///   notFound         the folder cannot be read
    ///   those of study::requestOf() and study::toError()
    static base::Result<PipelineWorker> open(const study::RunContext& context, const model::Study& study,
                                             const model::Trial& trial, int threads, const PipelineImages& images,
                                             const study::PhaseSink& phase, std::stop_token stop);

    /// Runs a plan. May be called again, also with another plan, as long as it does not fail. `phase` gets the worker's
    /// phases "images" and "stages" with their progress.
    /// Failures: invalidArgument (workload::check), those of study::toError(), for example for a damaged image.
    base::Result<workload::PipelineRun> run(const workload::PipelinePlan& plan, const study::PhaseSink& phase,
                                            std::stop_token stop);

    PipelineWorker(PipelineWorker&&) noexcept;
    PipelineWorker& operator=(PipelineWorker&&) noexcept;
    ~PipelineWorker();

private:
    struct State;
    explicit PipelineWorker(std::unique_ptr<State> state);

    std::unique_ptr<State> m_state;
};

/// Runs the trial's configuration from JPEG to answer, in a fresh worker: PipelineWorker::open(), then run(). The
/// trial's stored measurement is not changed. Blocks the calling thread. Failures: those of both.
base::Result<workload::PipelineRun> runPipeline(const study::RunContext& context, const model::Study& study,
                                                const model::Trial& trial, const PipelineRequest& request,
                                                const study::PhaseSink& phase, std::stop_token stop);

} // namespace apertune::runs
