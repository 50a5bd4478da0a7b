// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/study/configuration_run.h"
#include "core/study/run_context.h"
#include "core/workload/load/capacity.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::runs {

/// How far a load is. A search for the largest rate may end after the next run or take all that it may, so that what is
/// left has two ends; `part` goes by the longer one.
struct LoadProgress
{
    double part = 0; ///< of the time under load, 0…1
    base::Nanoseconds leastLeft{};
    base::Nanoseconds mostLeft{};
};
/// Called on the caller's thread, with each "serve" of the phase.
using LoadSink = std::function<void(const LoadProgress&)>;

struct ScenarioResult
{
    workload::Scenario scenario; ///< server: with the rate that `summary` is of
    workload::ScenarioSummary summary;
    std::optional<workload::Capacity> capacity; ///< server without a rate
};

/// Runs the trial's configuration again in a fresh worker, warms it up and puts it under the scenario's load. For a
/// server without a rate single passes are timed, the largest rate that keeps the bound is predicted from them and then
/// searched (workload::findCapacity); `summary` is that of the largest rate that held, or of the last that was tried.
/// The trial's own measurement stays as it is. `phase` gets "compile", "load", "warm-up", "serve" with how far it is.
/// Failures: invalidArgument (the scenario makes no sense, see workload::check), those of requestOf(), outOfMemory,
/// modelThrew, crashed, timeout, internal, cancelled.
base::Result<ScenarioResult> runScenario(const study::RunContext& context, const model::Study& study,
                                         const model::Trial& trial, const workload::Scenario& scenario,
                                         const study::PhaseSink& phase, std::stop_token stop,
                                         const LoadSink& progress = {});

/// "scenario", "summary", "capacity" (or null).
base::Json toJson(const ScenarioResult& result);

} // namespace apertune::runs
