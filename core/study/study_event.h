// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/trial.h"

#include <functional>
#include <optional>
#include <string>

namespace apertune::study {

/// A change worth showing. Delivered on the runner's thread(s), serialised; copy what you keep.
struct StudyEvent
{
    enum class Kind { studyStarted, trialStarted, trialPhase, trialFinished, studyFinished, message };
    Kind kind = Kind::message;
    model::StudyId study{};
    const model::Trial* trial = nullptr; ///< trial events; valid during the call
    std::string phase{};                 ///< "compile", "load", "warm-up", "measure", "quality"
    std::string text{};                  ///< in English
    int done = 0;                        ///< trials in a final state
    int total = 0;
    std::optional<base::Nanoseconds> etaLow{}; ///< none until three trials are done
    std::optional<base::Nanoseconds> etaHigh{};
    base::Message message{}; ///< of `text`, where it is a sentence: core/sentences shows it in other languages
};

using StudyObserver = std::function<void(const StudyEvent&)>;

} // namespace apertune::study
