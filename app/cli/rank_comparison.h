// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/ranks.h"
#include "core/store/store.h"

#include <string>
#include <vector>

namespace apertune::cli {

/// A comparison, with the trace of each rank ("tr3").
struct ComparedRanks
{
    analysis::RankComparison comparison;
    std::vector<std::string> traces;
};

/// Returns the newest trace of each rank of the job that the newest trace with a rank belongs to: those with as large a
/// world. Failures: notFound, when no trace has a rank; those of the store.
base::Result<std::vector<store::TraceSummary>> ranksOfNewestJob(const store::Store& store);

/// Compares the steady iterations of the traces or, where none are found, all of their devices' work. A trace without a
/// rank gets its position among `traces`. Failures: those of the store and of analysis::compareRanks().
base::Result<ComparedRanks> compareRanks(const store::Store& store, const std::vector<store::TraceSummary>& traces);

} // namespace apertune::cli
