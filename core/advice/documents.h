// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/verdict.h"
#include "core/base/json.h"

namespace apertune::advice {

/// The members "verdict", "findings" and "rules" of the document "apertune.trace-report/1" (core/report/schema.md).
base::Json verdictDocument(const Verdict& verdict);
base::Json findingsDocument(const std::vector<Finding>& findings);
base::Json rulesDocument(const std::vector<RuleResult>& results);

} // namespace apertune::advice
