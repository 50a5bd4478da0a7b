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

/// Mixed-precision search: which layers of an int8 model have to stay in float so that it keeps the quality bound. It
/// is a study with the search "bisect" over the trial's configuration in fp32 and in int8 with more and more of the
/// most sensitive layers in float. Each step is a trial, so an interrupted search can be resumed like any study.

inline constexpr base::Nanoseconds kMixedPrecisionBudget =
    base::fromSeconds(180); ///< time of the study, without converting

struct MixedPrecisionOptions
{
    base::Nanoseconds budget = kMixedPrecisionBudget;
    std::optional<double> minQuality{}; ///< quality bound; that of the study where it is not set
    std::string commandLine{};
};

/// The request for the study, with the goal of `study`.
/// REQUIRES: `trial` is an int8 model that Apertune quantized.
study::StudyRequest mixedPrecisionStudyOf(const model::Study& study, const model::Trial& trial,
                                          const model::Sensitivity& sensitivity, const MixedPrecisionOptions& options);

/// Result of a mixed-precision search.
struct MixedPrecision
{
    model::StudyId study{};
    model::TrialId best{};               ///< fastest int8 trial that keeps the bound; 0 when there is none
    model::TrialId plain{};              ///< the trial in fp32; 0 when it was not measured
    std::vector<std::string> kept{};     ///< layers of `best` in float
    std::size_t layers = 0;              ///< number of layers that the search could keep in float
    std::size_t steps = 0;               ///< number of measured int8 trials
    std::optional<stats::Effect> gain{}; ///< time of fp32 over time of `best`; > 1: int8 is faster
    base::Message message{};             ///< the result in a sentence
};

/// Reads the result from a finished study.
/// REQUIRES: the study was made by mixedPrecisionStudyOf().
MixedPrecision mixedPrecisionOf(const model::StudySnapshot& study);

} // namespace apertune::runs
