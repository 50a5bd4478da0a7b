// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/thresholds.h"
#include "core/advice/verdict.h"
#include "core/base/json.h"

#include <string>

namespace apertune::advice {

/// The members "verdict", "findings" and "rules" of the document "apertune.trace-report/1" (core/report/schema.md).
base::Json verdictDocument(const Verdict& verdict);
base::Json findingsDocument(const std::vector<Finding>& findings);
base::Json rulesDocument(const std::vector<RuleResult>& results);

/// Returns the document "apertune.rules/1": every rule with its thresholds and their values.
base::Json ruleListDocument(const Thresholds& thresholds);

/// Returns the thresholds that differ from their defaults, for documents that have the member "thresholds".
base::Json changedThresholdsDocument(const Thresholds& thresholds);
/// The same as a sentence: "Thresholds that differ from their defaults: device-idle busy 0.7 (default 0.8)." Empty
/// without any.
std::string changedThresholdsText(const Thresholds& thresholds);
/// The document "apertune.track/1". `experiments` are those of the record.
base::Json trackDocument(const TrackRecord& record, const std::vector<model::Experiment>& experiments);

} // namespace apertune::advice
