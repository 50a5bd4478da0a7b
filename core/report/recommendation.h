// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <string>

namespace apertune::report {

/// What a recommendation is worth, in the words that the documents, the command line and the window share.

/// Whether the recommended trial took turns with what it is compared with, or, where that is nothing, with any other.
bool isConfirmed(const model::StudySnapshot& snapshot, const model::Recommendation& recommended);

/// Why the recommendation is unconfirmed and what to do: one or two sentences. "" when it is confirmed, and when
/// nothing but the recommended trial was measured, so that there is nothing to confirm.
std::string unconfirmedText(const model::StudySnapshot& snapshot, const model::Recommendation& recommended);

/// What a study has to say to somebody who asked for a faster configuration.
enum class Answer {
    nothing,   ///< no trial is recommended
    untouched, ///< the model as loaded: O0 fp32 with no switch on, which nothing else is compared with
    better     ///< another trial
};
Answer answerOf(const model::StudySnapshot& snapshot);

/// Whether trials were measured, but none long enough for an interval: measuring on may give a recommendation.
bool isTooBrief(const model::StudySnapshot& snapshot);

/// Why there is no recommendation: a sentence. REQUIRES: answerOf(snapshot) is Answer::nothing
std::string noRecommendationSentence(const model::StudySnapshot& snapshot);

/// Why the model as loaded is recommended: what follows its name, "the model as loaded: …".
/// REQUIRES: answerOf(snapshot) is Answer::untouched
std::string untouchedText(const model::StudySnapshot& snapshot);

/// How the recommended trial compares with the runner-up: a sentence; "" when there is none or it is the baseline.
std::string runnerUpSentence(const model::StudySnapshot& snapshot);

} // namespace apertune::report
