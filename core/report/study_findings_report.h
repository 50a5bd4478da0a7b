// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/comparison/study_findings.h"

#include <string>
#include <vector>

namespace apertune::report {

/// Returns "apertune.study-findings/1".
base::Json studyFindingsDocument(const model::StudySnapshot& snapshot,
                                 const std::vector<comparison::StudyFinding>& findings,
                                 const advice::Thresholds& thresholds = {});

/// Returns a text for people: findings with their reasons, changes and trials, then the thresholds that differ from
/// their defaults.
std::string studyFindingsText(const model::StudySnapshot& snapshot,
                              const std::vector<comparison::StudyFinding>& findings,
                              const advice::Thresholds& thresholds, int width);

} // namespace apertune::report
