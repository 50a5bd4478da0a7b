// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/switches.h"
#include "core/search/algorithm.h"
#include "core/search/grid.h"
#include "core/search/searcher.h"
#include "core/study/memory_forecast.h"

#include <optional>
#include <vector>

namespace apertune::study {

/// The plan of a study: configurations that would run, impossible ones with their reasons, and the expected time.
/// Planning has no side effects.
struct StudyPlan
{
    std::vector<search::PlannedConfiguration> configurations;
    int runnable = 0;                          ///< configurations that are not impossible
    int compiles = 0;                          ///< packages that are not in the cache yet
    int largestBatch = 0;                      ///< upper end of automatic batches; 0 when the batches were given
    std::optional<search::Algorithm> search{}; ///< algorithm of the request, else search::suitable()
    base::Nanoseconds estimateLow{};           ///< lower end of the expected time, with compiling
    base::Nanoseconds estimateHigh{};
    /// Switches that the planned engines have beside those of the catalogue (model/switches.h).
    std::vector<model::SwitchInfo> engineSwitches{};
    std::vector<model::Device> devices{}; ///< devices that a study may name, also those that only engines can see
    /// Estimated peaks of memory of the planned engines, precisions and batches; empty before the model is imported.
    std::vector<MemoryForecast> memory{};
};

} // namespace apertune::study
