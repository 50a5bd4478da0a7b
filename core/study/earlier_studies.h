// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/study.h"
#include "core/search/searcher.h"
#include "core/store/store.h"
#include "core/study/schedule.h"

#include <map>
#include <string>
#include <vector>

namespace apertune::study {

/// What the studies that a workspace has of a model tell a new one.
struct EarlierStudies
{
    base::Nanoseconds compile = kTypicalCompile; ///< median time of their compilations
    /// Best measured configuration by group (model::groupKey); the baseline is O0 fp32 of the same study. A search
    /// probes promising configurations first. It never decides by these costs, since the machine may have changed.
    std::map<std::string, search::KnownBest> best{};
};

/// Reads the newest studies of the model of `study`, whose trials are `trials`.
///   - `best` is from studies of the same weights, machine and version of the engine.
///   - Nothing is read where nothing is to be measured that could use it. What cannot be read is left out.
EarlierStudies earlierStudies(const store::Store& store, const model::Study& study,
                              const std::vector<model::Trial>& trials);

} // namespace apertune::study
