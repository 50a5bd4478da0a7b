// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

#include <string>
#include <vector>

namespace apertune::advice {

/// One entry of the catalogue. A rule is pure: the same facts give the same result.
struct Rule
{
    const char* id;    ///< what it finds, for example "unfused-batchnorm"
    const char* alias; ///< the number of the rule in older versions, for example "R18"
    const base::MessageKind* title;
    RuleResult (*evaluate)(const Facts& facts);
    /// How far a finding is from what has to change. 0: it names that. Larger: it sees the same time by its effect, the
    /// larger the less is said of the reason. An estimate of a rule above 0 is 2 further away.
    int distance = 0;
};

/// The rules that need nothing but a trace, in the order of their aliases. The thresholds stand with each rule in
/// rules_*.cpp and in rules.md beside this file. A rule about devices is quiet on a trace without a device.
const std::vector<Rule>& rules();

/// Returns the id for a rule's id or alias. Any other text is returned unchanged.
std::string ruleId(const std::string& idOrAlias);

/// Evaluates all rules, in the order of rules(). Findings below the noise floor are dropped; a rule without findings is
/// quiet.
std::vector<RuleResult> evaluateRules(const Facts& facts);
/// Returns the findings of all rules, sorted by severity (highest first), then by stake (time first), then by the upper
/// end of the gain (largest first).
/// Of the findings of one cause, each with Rule::distance above 0 belongs to the one with the smallest distance (of
/// several of these, the first) that has a third of its share or more. It gets Finding::partOf and follows that one,
/// whatever its severity.
std::vector<Finding> findings(const std::vector<RuleResult>& results);
/// Returns whether a finding that is part of another one asks for a change of its own.
bool isFurtherChange(const Finding& part, const std::vector<Finding>& findings);

} // namespace apertune::advice
