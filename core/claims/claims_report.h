// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/claims/claim_check.h"
#include "core/workload/stages/pipeline_run.h"

#include <map>
#include <string>
#include <vector>

namespace apertune::claims {

/// Returns the number of claims in each state. All states have an entry.
std::map<ClaimState, std::size_t> countStates(const std::vector<ClaimCheck>& checks);

/// Returns the counts as a sentence: "61 claims: 16 are measured here (4 agree, 10 disagree, 1 cannot tell, 1
/// agrees as far as it is measured), 3 are not measured yet, and 42 cannot be measured here."
std::string claimCounts(const std::vector<ClaimCheck>& checks);

/// Returns the state for people: "agrees", "cannot tell".
std::string claimStateText(ClaimState state);

/// Returns what a figure is of: "speed-up", "tensor memory".
std::string claimQuantityText(ClaimQuantity quantity);

/// Returns an end of a claimed range with the digits that the guide states: "0.9×", not "0.900×".
std::string claimEndText(ClaimQuantity quantity, double value);

/// Returns the claimed range: "1.15× to 1.20×", "at most 30 ms"; empty for a figure without one.
std::string claimedText(const ClaimFigure& figure);

/// Returns the measured value with its interval: "1.32× [1.28, 1.36]"; the ends alone where the interval is too wide to
/// name a value: "2.1× to 9.8×"; "–" when nothing was measured.
std::string claimMeasuredText(const FigureCheck& check);

/// Returns the value of one measurement behind a figure, in the form of claimMeasuredText().
std::string claimPairText(const FigureCheck& check, const ClaimPair& pair);

/// Returns the change that a figure is about: "level O0 → O1"; empty where nothing changes.
std::string claimChangeText(const FigureCheck& check);

/// Returns the change of a setting that stands for the figure on the device of its check; nullptr when there is none.
const ClaimChange* claimChangeOf(const FigureCheck& check);

/// Returns "apertune.claims/1".
base::Json claimsDocument(const std::vector<ClaimCheck>& checks);

/// Returns a table of the figures that can be measured, a list of those that cannot, with the reasons, and the counts.
std::string claimsText(const std::vector<ClaimCheck>& checks, int width);

/// Returns one claim with its source, its figures and the measurements behind them.
std::string claimSheet(const ClaimCheck& check, int width);

/// Values of resources/report/claims.mustache: the claims that this study measures; null when it measures none.
base::Json claimValues(const model::StudySnapshot& snapshot,
                       const std::vector<std::pair<model::TrialId, workload::PipelineRun>>& pipelines);

} // namespace apertune::claims
