// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/study.h"

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

/// Returns whether resuming a finished study can make its recommendation surer: there is none because the trials were
/// measured too briefly or on machines of several classes, it is unconfirmed, or it was measured under load.
bool canBeSurer(const model::StudySnapshot& snapshot);

/// Whether configurations were left out because the budget did not reach to them. Resuming with a budget measures them.
bool lacksTime(const model::StudySnapshot& snapshot);

/// The answer of a study to somebody who asked for a faster configuration.
enum class Answer {
    nothing, ///< no trial is recommended
    /// The model as loaded (O0 fp32 without any switch) is recommended, and there is nothing to compare it with.
    asLoaded,
    better ///< any other recommendation
};
Answer answerOf(const model::StudySnapshot& snapshot);

/// Returns whether trials were measured, but none long enough for an interval. Measuring longer may give a
/// recommendation.
bool lacksIntervals(const model::StudySnapshot& snapshot);

/// Says in one sentence why there is no recommendation.
/// REQUIRES: answerOf(snapshot) is Answer::nothing.
base::Message noRecommendationMessage(const model::StudySnapshot& snapshot);

/// Says why the model as loaded is recommended. The text follows a name: "the model as loaded: …".
/// REQUIRES: answerOf(snapshot) is Answer::asLoaded.
base::Message asLoadedMessage(const model::StudySnapshot& snapshot);

/// Says why it cannot be told how the recommended trial compares with its baseline, and what to do where no other
/// message of the recommendation says that. Empty when it can be told, and when there is no baseline.
base::Message unknownGainMessage(const model::StudySnapshot& snapshot, const model::Recommendation& recommended);

/// Compares the recommended trial with the runner-up in one sentence. Empty when there is none or it is the baseline.
/// REQUIRES: the snapshot has a recommendation.
base::Message runnerUpMessage(const model::StudySnapshot& snapshot);

} // namespace apertune::report
