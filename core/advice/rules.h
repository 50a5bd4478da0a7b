// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

#include <vector>

namespace apertune::advice {

/// One entry of the catalogue. Pure: the same facts give the same result.
struct Rule
{
    const char* id;
    const char* title;
    RuleResult (*evaluate)(const Facts& facts);
};

/// The rules that a trace alone can answer, in the order of their numbers. Thresholds stand with each rule in
/// rules_*.cpp and in rules.md beside this file. A rule that concerns a device is quiet on a trace without one.
const std::vector<Rule>& rules();

/// All of them. Findings worth less than the noise floor are left out (their rule is quiet).
std::vector<RuleResult> evaluateRules(const Facts& facts);
/// The findings of all rules: the gravest first, of equally grave ones time before the other stakes, then the most
/// promising (by the upper end of the gain).
std::vector<Finding> findings(const std::vector<RuleResult>& results);

} // namespace apertune::advice
