// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/models/model_library.h"
#include "core/runs/claim_measuring.h"
#include "core/study/memory_forecast.h"
#include "core/study/phase.h"
#include "core/study/study_event.h"
#include "core/study/study_plan.h"
#include "core/study/study_request.h"
#include "core/workload/load/scenario.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <variant>

namespace apertune::gui {

/// Callbacks of a run under load. They are called on the task's thread.
struct LoadWatch
{
    study::PhaseSink phase{};
    /// `part` of the time under load, 0…1, and the range of the time that is left.
    std::function<void(double part, base::Nanoseconds leastLeft, base::Nanoseconds mostLeft)> progress{};
};

/// Runs jobs that write a workspace. The thread rule and the failures are those of StudyGateway.
class JobGateway
{
public:
    virtual ~JobGateway() = default;

    virtual base::Result<study::StudyPlan> plan(const std::filesystem::path& file,
                                                const study::StudyRequest& request) = 0;

    /// Estimates the memory of a model of the workspace, calibrated by its trials.
    virtual base::Result<std::vector<study::MemoryForecast>> memory(const std::filesystem::path& file,
                                                                    const model::ModelRef& model) = 0;

    virtual base::Result<model::ModelRef> importModel(const std::filesystem::path& file,
                                                      const models::ImportRequest& request,
                                                      const models::ExporterObserver& observer,
                                                      std::stop_token stop) = 0;

    /// Runs a new study, or resumes one. Cancelled is not an error.
    virtual base::Result<base::Outcome> sweep(const std::filesystem::path& file,
                                              const std::variant<study::StudyRequest, study::ResumeRequest>& what,
                                              const study::StudyObserver& observer, std::stop_token stop) = 0;

    /// Runs a load scenario on the trial and stores the result, which StudyGateway::scenarios() returns.
    virtual base::Status putUnderLoad(const std::filesystem::path& file, model::TrialId trial,
                                      const workload::Scenario& scenario, const LoadWatch& watch,
                                      std::stop_token stop) = 0;

    /// Carries out a plan and stores what it measures. Cancelled is not an error; steps that fail are in the result.
    virtual base::Result<runs::MeasuredClaims> measureClaims(const std::filesystem::path& file,
                                                             const claims::ClaimPlan& plan, base::Nanoseconds budget,
                                                             const runs::ClaimWatch& watch, std::stop_token stop) = 0;
};

} // namespace apertune::gui
