// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/trial.h"
#include "core/study/phase.h"

#include <functional>
#include <optional>
#include <string>

namespace apertune::study {

/// Progress of a study for display. Events come one at a time, on the runner's threads; copy what outlives the call.
struct StudyEvent
{
    enum class Kind { studyStarted, trialStarted, trialPhase, trialFinished, studyFinished, message };
    Kind kind = Kind::message;
    model::StudyId study{};
    const model::Trial* trial = nullptr; ///< set by events about a trial; valid during the call
    std::optional<Phase> phase{};        ///< set by trialPhase
    int done = 0;                        ///< trials in a final state
    int total = 0;
    std::optional<base::Nanoseconds> etaLow{}; ///< time until the end of the study; nullopt where there is no sweep
    std::optional<base::Nanoseconds> etaHigh{};
    base::Message message{};     ///< sentence of a message, or figure of a phase; may be empty
    std::string configuration{}; ///< name of the configuration of `trial`, as in model::ConfigurationNames
};

using StudyObserver = std::function<void(const StudyEvent&)>;

} // namespace apertune::study
