// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/evaluation.h"
#include "core/model/study.h"
#include "core/stats/compare.h"
#include "core/study/study_request.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::runs {

/// Mixed precision: which layers of an int8 model have to stay in float so that it keeps the quality bound. A study of
/// the trial's configuration in fp32 and of int8 with more and more of the costliest layers in float (search "bisect"),
/// so that each step is a trial, and what was cut off goes on with the study.

inline constexpr base::Nanoseconds kMixedPrecisionBudget =
    base::fromSeconds(180); ///< measuring time; converting is not counted

struct MixedPrecisionOptions
{
    base::Nanoseconds budget = kMixedPrecisionBudget;
    std::optional<double> minQuality{}; ///< none: the study's bound
    std::string commandLine{};
};

/// The study to run; the bound and the objective are those of `study`. REQUIRES: the trial is int8 that is made here.
study::StudyRequest mixedPrecisionStudyOf(const model::Study& study, const model::Trial& trial,
                                          const model::Sensitivity& sensitivity, const MixedPrecisionOptions& options);

/// What came of it.
struct MixedPrecision
{
    model::StudyId study{};
    model::TrialId best{};               ///< the fastest int8 configuration inside the bound; 0: none
    model::TrialId plain{};              ///< the same in fp32; 0: not measured
    std::vector<std::string> kept{};     ///< layers of `best` in float
    std::size_t layers = 0;              ///< that could be
    std::size_t steps = 0;               ///< int8 configurations that were measured
    std::optional<stats::Effect> gain{}; ///< time fp32 / best; > 1: int8 is faster
    std::string sentence;
    base::Message message{}; ///< of `sentence`; core/sentences shows it in other languages
};

/// Reads a study of mixOn() that has come to its end. REQUIRES: `study` comes of it.
MixedPrecision mixedPrecisionOf(const model::StudySnapshot& study);

} // namespace apertune::runs
