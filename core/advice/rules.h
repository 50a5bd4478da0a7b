// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"
#include "core/advice/rule_info.h"

#include <vector>

namespace apertune::advice {

/// How a rule over a trace is evaluated. A rule is pure: the same facts give the same result.
struct Rule
{
    const char* id; ///< RuleInfo::id
    RuleResult (*evaluate)(const Facts& facts);
    /// How far a finding is from what has to change. 0: it names that. Larger: it sees the same time by its effect, the
    /// larger the less is said of the reason. An estimate of a rule above 0 is 2 further away.
    int distance = 0;
};

/// The rules that need nothing but a trace, in the order of the catalogue. Their thresholds are those of the context
/// (thresholds.h); rules.md beside this file says when each fires. A rule about devices is quiet on a trace without a
/// device.
const std::vector<Rule>& rules();

/// Evaluates all rules, in the order of rules(), and corrects their predictions by Context::record. Findings below the
/// noise floor are dropped; a rule without findings is quiet.
std::vector<RuleResult> evaluateRules(const Facts& facts);
/// Returns the findings of all rules, sorted by severity (highest first), then by stake (time first), then by the upper
/// end of the expected gain (largest first).
/// Of the findings of one cause, each with Rule::distance above 0 belongs to the one with the smallest distance (of
/// several of these, the first) that has a third of its share or more. It gets Finding::partOf and follows that one,
/// whatever its severity.
std::vector<Finding> findings(const std::vector<RuleResult>& results);
/// Returns whether a finding that is part of another one asks for a change of its own.
bool isFurtherChange(const Finding& part, const std::vector<Finding>& findings);

} // namespace apertune::advice
