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

/// Progress of a load run. A search for the largest rate may end early or use all its runs, so the time left is a
/// range; `part` assumes the longer one.
struct LoadProgress
{
    double part = 0; ///< share of the time under load that has passed, 0…1
    base::Nanoseconds leastLeft{};
    base::Nanoseconds mostLeft{};
};
/// Receives progress on the caller's thread, after each phase "serve".
using LoadSink = std::function<void(const LoadProgress&)>;

struct ScenarioResult
{
    workload::Scenario scenario; ///< for a server, with the rate that `summary` belongs to
    workload::ScenarioSummary summary;
    std::optional<workload::Capacity> capacity; ///< set for a server without a rate
};

/// Runs the trial's configuration in a fresh worker, warms it up and puts it under the scenario's load. The trial's
/// stored measurement is not changed. Blocks the calling thread; `phase` gets "compile", "load", "warm-up", and "serve"
/// with its progress.
///
/// For a server without a rate, single passes are timed, the largest rate that keeps the bound is predicted from them,
/// and a search finds it (workload::findCapacity). `summary` is then that of the largest rate that held, or of the last
/// one tried.
///
/// Failures: invalidArgument (the scenario is not valid, see workload::check), those of study::requestOf() and
/// study::toError().
base::Result<ScenarioResult> runScenario(const study::RunContext& context, const model::Study& study,
                                         const model::Trial& trial, const workload::Scenario& scenario,
                                         const study::PhaseSink& phase, std::stop_token stop,
                                         const LoadSink& progress = {});

/// JSON with "scenario", "summary" and "capacity" (or null).
base::Json toJson(const ScenarioResult& result);

} // namespace apertune::runs
