// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/switches.h"
#include "core/search/grid.h"
#include "core/search/searcher.h"

#include <optional>
#include <vector>

namespace apertune::study {

/// A plan without side effects: what would run, what cannot, and how long it takes about.
struct StudyPlan
{
    std::vector<search::PlannedConfiguration> configurations;
    int runnable = 0;
    int compiles = 0;                          ///< packages that are not in the cache yet
    int largestBatch = 0;                      ///< upper end of automatic batches; 0: batches were named
    std::optional<search::Algorithm> search{}; ///< as the request names it, or what is suitable
    base::Nanoseconds estimateLow{};
    base::Nanoseconds estimateHigh{};
    /// What may be laid over the configurations beside core's own switches: those that the planned engines tell of
    /// themselves.
    std::vector<model::SwitchInfo> engineSwitches{};
    std::vector<model::Device> devices{}; ///< that can be named, those that only engines show included
};

} // namespace apertune::study
