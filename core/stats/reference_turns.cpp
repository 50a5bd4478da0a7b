// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/reference_turns.h"

#include "core/stats/block_stats.h"
#include "core/stats/undisturbed_time.h"

#include <algorithm>

namespace apertune::stats {

bool hasReference(const model::Trial& trial)
{
    const auto& blocks = trial.measurement.blocks;
    return trial.measurement.conditions.driftReading &&
           std::any_of(blocks.begin(), blocks.end(), [](const model::Block& b) { return b.iterations > 0; }) &&
           std::all_of(blocks.begin(), blocks.end(),
                       [](const model::Block& b) { return b.iterations <= 0 || b.referenceNs > 0; });
}

bool haveCommonReference(const model::Trial& a, const model::Trial& b)
{
    return hasReference(a) && hasReference(b) &&
           a.measurement.conditions.driftReading->identity == b.measurement.conditions.driftReading->identity;
}

std::optional<model::Interval> relativeToReference(const model::Trial& trial, bool perSample)
{
    if (!hasReference(trial))
        return std::nullopt;
    std::vector<double> relative;
    const int threads = computingThreads(trial);
    for (const model::Block& block : trial.measurement.blocks)
        if (block.iterations > 0)
            relative.push_back(undisturbedNs(block, threads) / block.referenceNs /
                               (perSample ? std::max(1, trial.config.batch) : 1));
    return medianInterval(relative);
}

} // namespace apertune::stats
