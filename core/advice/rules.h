// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

#include <string>
#include <vector>

namespace apertune::advice {

/// One entry of the catalogue. Pure: the same facts give the same result.
struct Rule
{
    const char* id;    ///< what it finds: "unfused-batchnorm"
    const char* alias; ///< the number that it had before: "R18"
    const base::MessageKind* title;
    RuleResult (*evaluate)(const Facts& facts);
};

/// The rules that a trace alone can answer, in the order of their aliases. Thresholds stand with each rule in
/// rules_*.cpp and in rules.md beside this file. A rule that concerns a device is quiet on a trace without one.
const std::vector<Rule>& rules();

/// The id of the rule with this id or alias; the text itself where there is none.
std::string ruleId(const std::string& idOrAlias);

/// All of them. Findings worth less than the noise floor are left out (their rule is quiet).
std::vector<RuleResult> evaluateRules(const Facts& facts);
/// The findings of all rules: the gravest first, of equally grave ones time before the other stakes, then the most
/// promising (by the upper end of the gain).
std::vector<Finding> findings(const std::vector<RuleResult>& results);

} // namespace apertune::advice
