// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/claims/claim_plan.h"
#include "core/model/ceilings.h"
#include "core/model/device.h"
#include "core/model/trial.h"
#include "core/models/exporter_progress.h"
#include "core/store/store.h"
#include "core/study/phase.h"
#include "core/study/study_event.h"
#include "core/workload/stages/pipeline_run.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace apertune::models {
class ModelLibrary;
}
namespace apertune::study {
class StudyRunner;
}

namespace apertune::runs {

/// The parts of an open workspace that the steps of a plan use. They must outlive the run.
struct ClaimTools
{
    store::Store& store;
    models::ModelLibrary& models;
    const std::vector<model::Device>& devices;
    std::function<std::unique_ptr<study::StudyRunner>()> makeRunner;
    /// Runs a trial from image to answer and stores the result.
    std::function<base::Result<workload::PipelineRun>(model::TrialId trial, const study::PhaseSink& phase,
                                                      std::stop_token stop)>
        runPipeline;
    /// Measures the ceilings of a device and stores them.
    std::function<base::Result<model::DeviceCeilings>(const model::Device& device, std::stop_token stop)>
        measureCeilings;
};

/// Callbacks of a run that measures claims. They are called on the threads of the work; empty ones are left out.
struct ClaimWatch
{
    /// A step begins: number from 1, of all, and the model or device that it is about.
    std::function<void(std::size_t number, std::size_t total, const std::string& subject)> step{};
    models::ExporterObserver import{};
    study::StudyObserver study{};
    study::PhaseSink phase{};
};

/// The result of a run.
struct MeasuredClaims
{
    std::vector<model::StudyId> studies;
    std::vector<std::pair<std::string, base::Error>> failures; ///< subject and error of the steps that failed
    bool interrupted = false; ///< the run was stopped; its earlier measurements are stored
};

/// Time for each study where no budget is given: enough for four configurations of a model of the size of ResNet-50.
inline constexpr base::Nanoseconds kClaimStudyBudget{30'000'000'000};

/// Time for each run from image to answer.
inline constexpr base::Nanoseconds kClaimPipelineTime{10'000'000'000};

/// Number of steps of a plan.
std::size_t stepsOf(const claims::ClaimPlan& plan);

/// Time that the steps behind step `number`, from 1, take at most, without importing and converting.
base::Nanoseconds timeAfterStep(const claims::ClaimPlan& plan, base::Nanoseconds budget, std::size_t number);

/// Carries out a plan: imports, studies, runs from image to answer, copy rates. Everything is stored in the workspace.
/// engine::Workbench::measureClaims() calls it with the tools of its workspace.
///
/// Importing and converting come on top of the budget, which the studies share; one that needs less leaves more to the
/// others. A step that fails does not end the run. The order of models and studies is that of the plan.
/// REQUIRES: the workspace is open for writing.
MeasuredClaims measureClaims(const ClaimTools& tools, const claims::ClaimPlan& plan, base::Nanoseconds budget,
                             const ClaimWatch& watch, std::stop_token stop);

} // namespace apertune::runs
