// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

namespace apertune::advice {

// The rules about layers and the stages around a model. rules() lists them with their ids, rules.md says when each
// fires.

RuleResult unalignedChannelsRule(const Facts& facts);
RuleResult floatLayersRule(const Facts& facts);
RuleResult imagePreparationRule(const Facts& facts);
RuleResult slowNmsRule(const Facts& facts);

} // namespace apertune::advice
