// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/search/grid.h"
#include "core/study/references.h"
#include "core/study/run_context.h"
#include "core/study/trial_tracker.h"

#include <stop_token>
#include <vector>

namespace apertune::study {

/// What the threads of all devices have in common. Everything outlives the sweep.
struct SweepContext
{
    const RunContext& run;
    const model::Study& study;
    const std::vector<search::BackendInfo>& backends;
    TrialTracker& tracker;
    References& references;
    double target = 0.01;
    std::stop_token stop;
    double noiseFloor = 0; ///< known of this machine; a drift of the machine beyond it is flagged
};

} // namespace apertune::study
