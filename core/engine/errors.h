// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::engine::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoBackendMeasures{"engine.no_backend_measures", {"device"}};
inline constexpr MessageKind kNoTrialToTry{"engine.no_trial_to_try"};
inline constexpr MessageKind kVerificationCancelled{"engine.verification_cancelled"};
inline constexpr MessageKind kDeviceUnknown{"engine.device_unknown"};
inline constexpr MessageKind kMixCancelled{"engine.mix_cancelled"};
inline constexpr MessageKind kNoStudies{"engine.no_studies"};
inline constexpr MessageKind kTrialGone{"engine.trial_gone"};
inline constexpr MessageKind kTrialsOfSeveral{"engine.trials_of_several", {"first", "other"}};

// Hints on what to do.
inline constexpr MessageKind kSeeBackends{"engine.see_backends"};
inline constexpr MessageKind kTraceATrial{"engine.trace_a_trial"};
inline constexpr MessageKind kMeasureHere{"engine.measure_here"};
inline constexpr MessageKind kGoOn{"engine.go_on"};
inline constexpr MessageKind kRunSweep{"engine.run_sweep"};
inline constexpr MessageKind kChooseOther{"engine.choose_other"};
inline constexpr MessageKind kTrialsOfOne{"engine.trials_of_one"};

inline constexpr std::array kAll{kNoBackendMeasures,
                                 kNoTrialToTry,
                                 kVerificationCancelled,
                                 kDeviceUnknown,
                                 kMixCancelled,
                                 kNoStudies,
                                 kTrialGone,
                                 kSeeBackends,
                                 kTraceATrial,
                                 kMeasureHere,
                                 kGoOn,
                                 kRunSweep,
                                 kChooseOther,
                                 kTrialsOfSeveral,
                                 kTrialsOfOne};

} // namespace apertune::engine::errors
