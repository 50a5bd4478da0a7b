// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"
#include "core/runs/pipeline_run.h"
#include "core/workload/stages/pipeline_sweep.h"

#include <functional>
#include <vector>

namespace apertune::runs {

struct PipelineSweepRequest
{
    workload::PipelinePlan plan{}; ///< the plan that the axes change; its duration is that of one turn
    workload::PipelineAxes axes{};
    PipelineImages images{};
    workload::PipelineGoal goal = workload::PipelineGoal::rate;
    base::Nanoseconds budget = base::fromSeconds(120); ///< time that passes, with loading and the confirmation
};

/// Time that is over, out of the budget, and the setting whose turn begins.
using PipelineSweepSink = std::function<void(base::Nanoseconds over, const workload::PipelineSetting& setting)>;

/// Finds the best settings of a pipeline. Blocks the calling thread.
///
///  1. Screening, in at most half of the budget: successive halving over turns of all settings (search::halving). Where
///     time is short, the settings that differ most from the baseline are left out.
///  2. Confirmation: the baseline and the best three of the screening take turns, at least stats::kIntervalSamples
///  each,
///     then until the budget is over or all ratios are known to search::kTie. Only these turns decide, because the
///     best of many looks better than it is. Ratios are stats::compare() of turns of one round; settings in another
///     worker than the baseline's get the usual difference between processes (search::kBetweenProcesses) as noise, and
///     verdicts are corrected for their number (stats::correctForMany).
///
/// Settings of one trial with equally many threads share a worker, which stays open while memory allows it. A setting
/// that fails keeps its reason; a failure of the baseline ends the sweep.
/// REQUIRES: `trials` is not empty, all have the state ok and are of one study and device.
/// Failures: invalidArgument (the baseline's plan, see workload::check), those of PipelineWorker::open() and run() of
/// the baseline, cancelled.
base::Result<workload::PipelineSweep> sweepPipeline(const study::RunContext& context, const model::Study& study,
                                                    const std::vector<model::Trial>& trials,
                                                    const PipelineSweepRequest& request,
                                                    const PipelineSweepSink& progress, const study::PhaseSink& phase,
                                                    std::stop_token stop);

} // namespace apertune::runs
