// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

namespace apertune::advice {

// The rules about memory. rules() lists them with their ids, rules.md says when each fires.

RuleResult allocationRule(const Facts& facts);
RuleResult memoryLimitRule(const Facts& facts);
RuleResult threadsRule(const Facts& facts);

} // namespace apertune::advice
