// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/live_cell.h"

#include "core/stats/block_stats.h"

#include <algorithm>

namespace apertune::study {

using Failure = worker::WorkerProcess::Failure;

std::vector<double> LiveCell::nsPerPass() const
{
    std::vector<double> values;
    for (const model::Block& block : taken.blocks)
        values.push_back(block.nsPerIteration());
    return values;
}

bool LiveCell::converged(double target) const
{
    if (taken.blocks.empty())
        return false;
    const model::Interval median = stats::medianInterval(nsPerPass());
    return median.confidence > 0 && median.relativeHalfWidth() <= target;
}

int settlingPasses(base::Nanoseconds pass)
{
    constexpr base::Nanoseconds kLong = base::fromMilliseconds(300);
    return pass < kLong ? 1 : 0;
}

worker::WorkerProcess::Reply<LiveCell> openLive(worker::Launcher& launcher, const CellRequest& request,
                                                const worker::RunLimits& limits, std::stop_token stop,
                                                const PhaseSink& phase)
{
    auto started = worker::WorkerProcess::start(launcher, request.config.backend, request.device,
                                                request.config.threads, stop, limits.worker);
    if (auto* failure = std::get_if<Failure>(&started))
        return std::move(*failure);
    LiveCell cell;
    cell.worker = std::move(std::get<std::unique_ptr<worker::WorkerProcess>>(started));
    auto prepared = prepareCell(*cell.worker, request, limits, limits.trialMost, stop, phase);
    if (auto* failure = std::get_if<Failure>(&prepared))
        return std::move(*failure);
    cell.iteration = std::get<Prepared>(prepared).iteration;
    return cell;
}

std::optional<Failure> takeTurn(LiveCell& cell, const worker::RunLimits& limits, std::stop_token stop)
{
    const BlockRequest turn{1, 1, {}, limits.trialMost, 0, settlingPasses(cell.iteration)};
    worker::RunLimits own = limits;
    own.minBlock = std::max(limits.minBlock, cell.leastBlock);
    auto reply = measureCell(*cell.worker, turn, own, std::move(stop), {});
    if (auto* failure = std::get_if<Failure>(&reply))
        return *failure;
    const Blocks& blocks = std::get<Blocks>(reply);
    cell.taken.blocks.insert(cell.taken.blocks.end(), blocks.blocks.begin(), blocks.blocks.end());
    cell.taken.conditions.add(blocks.conditions);
    cell.taken.iterations.insert(cell.taken.iterations.end(), blocks.iterations.begin(), blocks.iterations.end());
    return std::nullopt;
}

std::optional<Failure> takeRound(std::span<LiveCell* const> cells, std::size_t round, const worker::RunLimits& limits,
                                 std::stop_token stop)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (auto failure = takeTurn(*cells[(round + i) % cells.size()], limits, stop))
            return failure;
    return std::nullopt;
}

} // namespace apertune::study
