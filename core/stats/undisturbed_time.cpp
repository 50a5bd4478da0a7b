// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/undisturbed_time.h"

#include "core/stats/block_stats.h"
#include "core/stats/lost_time.h"

#include <algorithm>

namespace apertune::stats {

namespace {

constexpr double kComputing = 0.8; ///< share of a block from which on a model is one that computes

bool isDisturbed(const model::Block& block, int threads)
{
    const auto wall = static_cast<double>(block.wall.count);
    return threads > 0 && block.cpu.count > 0 && static_cast<double>(block.waited.count) > kUsualWait * wall &&
           // A thread that waits for a processor would compute on it.
           static_cast<double>(block.cpu.count + block.waited.count) >= kComputing * wall;
}

} // namespace

int computingThreads(const model::Trial& trial)
{
    if (!model::typeOfDevice(trial.device).isCpu())
        return 0;
    const int processors = trial.measurement.conditions.processors;
    if (trial.config.threads <= 0)
        return std::max(1, processors);
    return processors > 0 ? std::min(trial.config.threads, processors) : trial.config.threads;
}

double undisturbedNs(const model::Block& block, int threads)
{
    if (block.iterations <= 0 || !isDisturbed(block, threads))
        return block.nsPerIteration();
    return static_cast<double>(block.cpu.count) / threads / static_cast<double>(block.iterations);
}

std::vector<double> undisturbedTimes(const model::Trial& trial)
{
    const int threads = computingThreads(trial);
    std::vector<double> values;
    for (const model::Block& block : trial.measurement.blocks)
        if (block.iterations > 0)
            values.push_back(undisturbedNs(block, threads));
    return values;
}

double undisturbedNs(const model::Trial& trial)
{
    const std::vector<double> values = undisturbedTimes(trial);
    return values.empty() ? 0 : median(values);
}

bool isEstimated(const model::Trial& trial)
{
    const auto& blocks = trial.measurement.blocks;
    const int threads = computingThreads(trial);
    const auto estimated = std::count_if(blocks.begin(), blocks.end(), [threads](const model::Block& block) {
        return block.iterations > 0 && isDisturbed(block, threads);
    });
    return 2 * static_cast<std::size_t>(estimated) > blocks.size();
}

} // namespace apertune::stats
