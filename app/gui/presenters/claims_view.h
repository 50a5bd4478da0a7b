// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/claims/claim_check.h"
#include "core/claims/claim_plan.h"
#include "core/runs/claim_measuring.h"
#include "widgets/controls/fact_list.h"
#include "widgets/tables/text_table_model.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apertune::gui {

/// The claims that the Claims page shows. Free text narrows them further.
struct ClaimFilter
{
    std::optional<claims::ClaimState> state{};
    std::string topic{}; ///< empty: all topics
};

/// The content of the Claims page. It is immutable once made. A task computes it, because it compares all studies of a
/// workspace.
struct ClaimsView
{
    std::vector<claims::ClaimCheck> checks;
    std::vector<model::Device> devices; ///< devices that the checks are about
};

/// The columns of claimRows().
enum class ClaimColumn { says, claimed, measured, state, topic, source };
std::vector<tables::TextTableModel::Column> claimColumns();
/// One row for each claim that the filter lets pass. Its key is the claim's index in `checks` + 1.
std::vector<tables::TextTableModel::Row> claimRows(const ClaimsView& view, const ClaimFilter& filter);

/// The plan of what the claims of a filter lack.
claims::ClaimPlan plannedClaims(const ClaimsView& view, const ClaimFilter& filter);

QString claimStateWord(claims::ClaimState state);
/// "61 claims: 16 measured here, 3 not measured yet, 42 cannot be measured here"
QString claimCountsText(const ClaimsView& view);

/// The text of a claim, its source and its condition; and for each figure what was measured, why it is undecided or not
/// measured, and what to do where it is missing.
std::vector<controls::FactList::Fact> claimFacts(const claims::ClaimCheck& check);
/// The command line that measures a claim, or shows it where nothing is missing.
QString claimCommand(const claims::ClaimCheck& check, const std::filesystem::path& file);

/// The columns and rows of the measurements behind a claim. The key of a row is the id of the trial after the change;
/// 0 where no trial is behind it.
std::vector<tables::TextTableModel::Column> claimPairColumns();
enum class ClaimPairColumn { figure, model, from, to, measured };
std::vector<tables::TextTableModel::Row> claimPairRows(const claims::ClaimCheck& check);

/// The study of the trial after the change of a measurement.
/// REQUIRES: the trial is one of a measurement behind the claim.
model::StudyId studyOfPair(const claims::ClaimCheck& check, model::TrialId trial);

/// The columns and rows of a plan, in the order in which it is carried out.
std::vector<tables::TextTableModel::Column> claimPlanColumns();
enum class ClaimPlanColumn { subject, device, measured, configurations, claims };
std::vector<tables::TextTableModel::Row> claimPlanRows(const claims::ClaimPlan& plan);
/// The measuring time of a plan's studies with `each` for one.
base::Nanoseconds claimBudget(const claims::ClaimPlan& plan, base::Nanoseconds each);
/// The time for a study that is offered first.
inline constexpr base::Nanoseconds kClaimStudyTime = runs::kClaimStudyBudget;
/// "3 studies with 8 configurations: up to 1 min 30 s of measuring, and the time for importing and converting models"
QString claimPlanText(const claims::ClaimPlan& plan, base::Nanoseconds budget);

} // namespace apertune::gui
