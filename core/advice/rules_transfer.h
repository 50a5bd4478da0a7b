// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

namespace apertune::advice {

// The rules about copies and communication. rules() lists them with their ids, rules.md says when each fires.

RuleResult pageableCopiesRule(const Facts& facts);
RuleResult blockingCopiesRule(const Facts& facts);
RuleResult hiddenWaitsRule(const Facts& facts);
RuleResult uploadBoundRule(const Facts& facts);
RuleResult downloadBoundRule(const Facts& facts);
RuleResult roundTripsRule(const Facts& facts);
RuleResult extraCopiesRule(const Facts& facts);
RuleResult deviceCopiesRule(const Facts& facts);
RuleResult repeatedUploadsRule(const Facts& facts);
RuleResult noOverlapRule(const Facts& facts);
RuleResult communicationRule(const Facts& facts);

} // namespace apertune::advice
