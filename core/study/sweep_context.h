// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/search/grid.h"
#include "core/study/earlier_studies.h"
#include "core/study/host_gate.h"
#include "core/study/references.h"
#include "core/study/run_context.h"
#include "core/study/schedule.h"
#include "core/study/study_request.h"
#include "core/study/trial_tracker.h"

#include <stop_token>
#include <vector>

namespace apertune::study {

/// Common parameters of the threads of all devices. The referenced objects must outlive the sweep.
struct SweepContext
{
    const RunContext& run;
    const model::Study& study;
    const std::vector<search::BackendInfo>& backends;
    TrialTracker& tracker;
    References& references;
    double target = 0.01; ///< relative half-width of the median's interval at which a trial ends
    std::stop_token stop;
    double noiseFloor = 0;        ///< known noise floor of this machine; 0 when unknown
    HostGate* hostGate = nullptr; ///< orders devices that are swept side by side; null: nothing has to wait
    EarlierStudies earlier{};
    const DriftReferences* driftReferences = nullptr; ///< those of the request; null: none
};

} // namespace apertune::study
