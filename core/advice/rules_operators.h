// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"

namespace apertune::advice {

// The rules about operators and kernels. rules() lists them with their ids, rules.md says when each fires.

RuleResult layoutConversionsRule(const Facts& facts);
RuleResult castsRule(const Facts& facts);
RuleResult batchNormRule(const Facts& facts);
RuleResult pointwiseRule(const Facts& facts);
RuleResult wideArithmeticRule(const Facts& facts);
RuleResult unfusedAttentionRule(const Facts& facts);
RuleResult unalignedProductsRule(const Facts& facts);
RuleResult slowConvolutionsRule(const Facts& facts);

} // namespace apertune::advice
