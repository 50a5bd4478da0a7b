// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/study.h"

#include <string>
#include <vector>

namespace apertune::report {

/// Messages about the value of a recommendation. The documents, the command line and the window share them.

/// Returns whether the recommended trial was measured interleaved with the trial that it is compared with or, when
/// there is none, with any other trial.
bool isConfirmed(const model::StudySnapshot& snapshot, const model::Recommendation& recommended);

/// Says in one or two sentences why the recommendation is unconfirmed and what to do. Empty when it is confirmed, and
/// when fewer than two configurations were measured, so that there is nothing to confirm.
base::Message unconfirmedMessage(const model::StudySnapshot& snapshot, const model::Recommendation& recommended);

/// Says that other programs took processor time while the recommended trial was compared, so that the difference is
/// uncertain, and how to measure again. Empty when they did not, when it is unconfirmed, and while the study runs.
base::Message underLoadMessage(const model::StudySnapshot& snapshot, const model::Recommendation& recommended);

/// Returns whether resuming a finished study can make its recommendation surer: there is a shortlist only, the
/// recommendation is unconfirmed, or it was measured under load.
bool canBeSurer(const model::StudySnapshot& snapshot);

/// Whether configurations were left out because the budget did not reach to them. Resuming with a budget measures them.
bool lacksTime(const model::StudySnapshot& snapshot);

/// The answer of a study to somebody who asked for a faster configuration.
enum class Answer {
    nothing, ///< no measured trial may be recommended
    /// Measured trials may be recommended, but took no turns (StudySnapshot::shortlist).
    shortlist,
    /// The model as loaded (O0 fp32 without any switch) is recommended, and there is nothing to compare it with.
    asLoaded,
    better ///< any other recommendation
};
Answer answerOf(const model::StudySnapshot& snapshot);

/// Returns whether trials were measured, but none long enough for an interval. Measuring longer may give a
/// recommendation.
bool lacksIntervals(const model::StudySnapshot& snapshot);

/// Says why there is no recommendation and, where measuring on can give one, what to do.
/// REQUIRES: the snapshot has no recommendation.
base::Message noRecommendationMessage(const model::StudySnapshot& snapshot);

/// Returns the command that confirms the candidates of the shortlist. It waits for a quiet machine where other programs
/// took processor time from them. Empty while the study runs, and without a shortlist.
std::string confirmCommand(const model::StudySnapshot& snapshot);

/// Returns the configuration of each candidate of the shortlist, in its order, with how it compares with the model as
/// loaded. Each has the class of its machine where there are several.
std::vector<base::Message> shortlistMessages(const model::StudySnapshot& snapshot);

/// Says why the model as loaded is recommended. The text follows a name: "the model as loaded: …".
/// REQUIRES: answerOf(snapshot) is Answer::asLoaded.
base::Message asLoadedMessage(const model::StudySnapshot& snapshot);

/// Says why the measurements do not show how the recommended trial compares with its baseline, and what to do where no
/// other message of the recommendation says that. Empty when they show it, and when there is no baseline.
base::Message unknownGainMessage(const model::StudySnapshot& snapshot, const model::Recommendation& recommended);

/// Compares the recommended trial with the runner-up in one sentence. Empty when there is none or it is the baseline.
/// REQUIRES: the snapshot has a recommendation.
base::Message runnerUpMessage(const model::StudySnapshot& snapshot);

} // namespace apertune::report
