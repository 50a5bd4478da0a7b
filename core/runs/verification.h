// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/finding.h"
#include "core/base/result.h"
#include "core/model/study.h"
#include "core/stats/compare.h"
#include "core/study/study_request.h"
#include "core/worker/run_limits.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace apertune::runs {

/// Advice is proved by verification: a study of two configurations, the trial as it was and the same with the one thing
/// changed that a finding names. Both are measured in turns, block by block, and both stay in the workspace.

/// The space of one configuration, as it ran.
model::SearchSpace spaceOf(const model::Trial& trial);

/// Whether a program can turn the knob by itself. Else its text says what a person has to change.
bool canTry(const advice::Knob& knob);

/// The study to run, with the target of the trial's own and the given measuring time.
/// Failures: invalidArgument (nothing to turn; it stands so already).
base::Result<study::StudyRequest> verificationStudyOf(const model::Study& study, const model::Trial& trial,
                                                      const advice::Knob& knob, base::Nanoseconds budget);

inline constexpr base::Nanoseconds kVerificationBudget{30'000'000'000}; ///< measuring time, enough for most models

/// What is fitting for two configurations: short looks and a long comparison, no certificate of the noise floor.
worker::RunLimits verificationLimits();

/// The numbers are persistent.
enum class VerificationOutcome : std::uint8_t {
    cannotTell = 0,  ///< the interval holds both
    proved = 1,      ///< faster with the change
    refuted = 2,     ///< slower, the same, or surely less than predicted and too little to tell
    notInEffect = 3, ///< the backend did not do what it was asked to
    notRun = 4,      ///< one of the two has no measurement
};
/// "proved", "refuted", "cannot tell", "not in effect", "not run".
std::string_view toString(VerificationOutcome word);

/// What the verification says of the finding.
struct Verification
{
    VerificationOutcome outcome = VerificationOutcome::cannotTell;
    stats::Effect effect{};   ///< time before / after the change; > 1: it helped
    model::Interval saved{};  ///< share of the pass's time, 1 − 1 / ratio; negative: it costs
    advice::Gain predicted{}; ///< the finding's
    model::StudyId study{};
    model::TrialId before{};
    model::TrialId after{};  ///< 0: not there
    std::string sentence;    ///< "Proved: 8.1 % of the time saved [7.2, 9.0], predicted 6.5 to 9.3 %."
    base::Message message{}; ///< of `sentence`; core/sentences shows it in other languages
};

/// Reads a finished verification. `before`: the trial that was traced. REQUIRES: `verification` comes of
/// verificationStudyOf().
Verification verificationOf(const model::StudySnapshot& snapshot, const model::Config& before,
                            const advice::Finding& finding);

} // namespace apertune::runs
