// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/ranks.h"
#include "core/base/json.h"

#include <string>
#include <vector>

namespace apertune::report {

/// The ranks of a job in "apertune.ranks/1": per rank, per collective, and who makes the others wait. `traces` names
/// the trace of each rank, in the order of the comparison.
base::Json ranksDocument(const analysis::RankComparison& comparison, const std::vector<std::string>& traces);

/// The same as text: one sentence, a table of ranks, and a table of the collectives that were waited for longest.
std::string ranksText(const analysis::RankComparison& comparison, const std::vector<std::string>& traces, int width);

} // namespace apertune::report
