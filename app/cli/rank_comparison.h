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
    bool numbered = false; ///< the traces do not say their ranks; they are numbered in their order
};

/// Returns the newest trace of each rank of the newest job of which two ranks are known. Traces are of one job when it
/// has as many ranks and they were recorded within five minutes. Failures: notFound; those of the store.
base::Result<std::vector<store::TraceSummary>> ranksOfNewestJob(const store::Store& store);

/// Compares the iterations of the traces that are steady at all ranks or, where their numbers differ, all of the
/// devices' work. Failures: invalidArgument, when only some of the traces say their rank; those of the store and of
/// analysis::compareRanks().
base::Result<ComparedRanks> compareRanks(const store::Store& store, const std::vector<store::TraceSummary>& traces);

} // namespace apertune::cli
