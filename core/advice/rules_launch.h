// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

namespace apertune::advice {

// The rules about launches and pauses of a device. rules() lists them with their ids, rules.md says when each fires.

RuleResult hostBoundRule(const Facts& facts);
RuleResult enqueueBoundRule(const Facts& facts);
RuleResult tinyKernelsRule(const Facts& facts);
RuleResult gapsRule(const Facts& facts);
RuleResult firstCallsRule(const Facts& facts);
RuleResult underfilledRule(const Facts& facts);

} // namespace apertune::advice
