// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/finding.h"
#include "core/base/result.h"
#include "core/model/experiment.h"
#include "core/model/study.h"
#include "core/stats/compare.h"
#include "core/study/study_request.h"
#include "core/worker/run_limits.h"

#include <string>

namespace apertune::runs {

/// Verification of a finding: a study of two configurations, the traced trial's and the same with the advised change.
/// Both are measured interleaved, block by block, and stay in the workspace.

/// The search space that consists of the trial's configuration alone.
model::SearchSpace spaceOf(const model::Trial& trial);

/// Whether the knob is a switch or a number of threads, so that Apertune can change it. For any other knob, its text
/// says what a user has to change.
bool canApply(const advice::Knob& knob);

/// The request for the study. Its objective is latency, its target that of `study`; `budget` is its time.
/// Failures: invalidArgument (Apertune cannot change the knob, or the trial has the advised value already).
base::Result<study::StudyRequest> verificationStudyOf(const model::Study& study, const model::Trial& trial,
                                                      const advice::Knob& knob, base::Nanoseconds budget);

inline constexpr base::Nanoseconds kVerificationBudget{30'000'000'000}; ///< time that is enough for most models

/// Limits for two configurations: short trials, a long confirmation, and no measurement of the noise floor.
worker::RunLimits verificationLimits();

/// Result of a verification.
struct Verification
{
    model::VerificationOutcome outcome = model::VerificationOutcome::cannotTell;
    stats::Effect effect{};   ///< time before over time after the change; > 1: it is faster with the change
    model::Interval saved{};  ///< share of the time that the change saves: 1 − 1 / ratio; negative when slower
    advice::Gain predicted{}; ///< predicted gain of the finding
    model::StudyId study{};
    model::TrialId before{}; ///< trial without the change; 0 when it is missing
    model::TrialId after{};  ///< trial with the change; 0 when it is missing
    base::Message message{}; ///< "Proved: 8.1 % of the time saved [7.2, 9.0], predicted 6.5 to 9.3 %."
};

/// Reads the result of a finished verification. `before` is the configuration of the traced trial.
/// REQUIRES: the study was made by verificationStudyOf().
Verification verificationOf(const model::StudySnapshot& snapshot, const model::Config& before,
                            const advice::Finding& finding);

} // namespace apertune::runs
