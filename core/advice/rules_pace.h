// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

namespace apertune::advice {

// The rules about the pace of iterations. rules() lists them with their ids, rules.md says when each fires.

RuleResult heldClockRule(const Facts& facts);
RuleResult slowIterationsRule(const Facts& facts);
RuleResult notSteadyRule(const Facts& facts);

} // namespace apertune::advice
