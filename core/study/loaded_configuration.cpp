// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/loaded_configuration.h"

#include "core/stats/block_stats.h"

#include <algorithm>

namespace apertune::study {

std::vector<double> LoadedConfiguration::nsPerPass() const
{
    std::vector<double> values;
    for (const model::Block& block : taken.blocks)
        values.push_back(block.nsPerIteration());
    return values;
}

bool LoadedConfiguration::converged(double target) const
{
    if (taken.blocks.empty())
        return false;
    const model::Interval median = stats::medianInterval(nsPerPass());
    return median.confidence > 0 && median.relativeHalfWidth() <= target;
}

worker::WorkerReply<LoadedConfiguration> openConfiguration(worker::Launcher& launcher,
                                                           const ConfigurationRequest& request,
                                                           const worker::RunLimits& limits, std::stop_token stop,
                                                           const PhaseSink& phase)
{
    auto started = worker::WorkerProcess::start(launcher, launchRequest(request), stop, limits.worker);
    if (!started)
        return started.error();
    LoadedConfiguration configuration;
    configuration.worker = std::move(*started);
    auto prepared = prepareConfiguration(*configuration.worker, request, limits, limits.trialMost, stop, phase);
    if (!prepared)
        return prepared.error();
    // The pass time of the warm-up plans the blocks of this process.
    configuration.iteration = prepared->iteration;
    // Each process adds its start, so cold and warm starts can be compared.
    configuration.taken.conditions.starts.push_back({prepared->load, prepared->first, prepared->cold});
    return configuration;
}

worker::WorkerStatus measureOneBlock(LoadedConfiguration& configuration, const worker::RunLimits& limits,
                                     std::stop_token stop)
{
    // One block, whatever its spread: the caller decides when there are enough.
    const BlockRequest oneBlock{1, 1, {}, limits.trialMost, 0, settlingPasses(configuration.iteration)};
    worker::RunLimits own = limits;
    // A caller may need longer blocks than the protocol, for a percentile or for overlap.
    own.minBlock = std::max(limits.minBlock, configuration.leastBlock);
    auto reply = measureConfiguration(*configuration.worker, oneBlock, own, std::move(stop), {});
    if (!reply)
        return reply.error();
    const Blocks& blocks = *reply;
    configuration.taken.blocks.insert(configuration.taken.blocks.end(), blocks.blocks.begin(), blocks.blocks.end());
    configuration.taken.conditions.add(blocks.conditions);
    configuration.taken.iterations.insert(configuration.taken.iterations.end(), blocks.iterations.begin(),
                                          blocks.iterations.end());
    return {};
}

worker::WorkerStatus measureRound(std::span<LoadedConfiguration* const> configurations, std::size_t round,
                                  const worker::RunLimits& limits, std::stop_token stop)
{
    for (std::size_t i = 0; i < configurations.size(); ++i)
        // The first place of a round goes around, so that no configuration always follows the same one.
        if (auto status = measureOneBlock(*configurations[(round + i) % configurations.size()], limits, stop); !status)
            return status;
    return {};
}

} // namespace apertune::study
