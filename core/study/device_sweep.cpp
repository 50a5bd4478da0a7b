// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/device_sweep.h"

#include "core/search/algorithm.h"
#include "core/study/device_search.h"
#include "core/study/reasons.h"

#include <algorithm>

namespace apertune::study {

using base::Nanoseconds;
using model::Reason;
using model::TrialState;

namespace {

constexpr Nanoseconds kBatchProbeTime =
    base::fromMilliseconds(300);     ///< measuring time a batch while limitBatches() goes up
constexpr int kBatchProbeBlocks = 2; ///< blocks a batch meanwhile
constexpr int kBatchHeadroom = 4;    ///< largest batch of other groups over the largest useful one of the first group

} // namespace

DeviceSweep::DeviceSweep(const SweepContext& context, model::Device device, DriftMonitor& driftMonitor)
    : m_context(context), m_runner(context, std::move(device), driftMonitor), m_device(m_runner.device())
{
}

void DeviceSweep::run()
{
    TrialTracker& tracker = m_context.tracker;
    const auto algorithm = m_context.study.space.search;
    if (algorithm && *algorithm != search::Algorithm::grid) {
        if (hasAutomaticBatches())
            limitBatches();
        DeviceSearch(m_context, m_runner).run(*algorithm);
        return;
    }
    // A budget is first spread over all groups. Without one, a single pass over the groups needs fewer workers.
    if (tracker.budgetLeft(m_device.id))
        for (const WorkerRun& run :
             tracker.read([&](const auto& trials) { return breadthFirstPass(trials, m_device.id); }))
            runGroup(run);
    for (const WorkerRun& run : tracker.read([&](const auto& trials) { return refinementPass(trials, m_device.id); }))
        runGroup(run);
}

void DeviceSweep::runGroup(const WorkerRun& run)
{
    for (const std::size_t i : run.trials) {
        if (m_context.stop.stop_requested())
            break;
        if (!m_context.tracker.isOpen(i)) // An earlier trial of the group may have pruned it.
            continue;
        if (m_runner.hasRun() && !m_context.run.limits.everyTrial && m_runner.outOfBudget()) {
            m_context.tracker.prune(i, model::reason(model::ReasonKind::budget,
                                                     base::message<reasons::kBudgetSpent>(m_context.study.budget),
                                                     "Give more with --budget, or go on with --resume."));
            continue;
        }
        m_runner.run(i);
        if (!hasAutomaticBatches())
            continue;
        if (const auto measuredBatches = measuredBatchesOf(run.group); !measuredBatches.empty())
            if (const Reason end = search::endOfGrowth(measuredBatches, memoryLimit()); !end.empty())
                pruneBeyond(measuredBatches.back().batch, run.group, end);
    }
    m_runner.closeWorker();
}

bool DeviceSweep::hasAutomaticBatches() const
{
    return m_context.study.space.batches == std::vector{model::SearchSpace::kAutoBatch};
}

std::optional<base::Bytes> DeviceSweep::memoryLimit() const
{
    return search::memoryLimit(m_device, m_context.study.goal.maxMemory);
}

std::vector<search::MeasuredBatch> DeviceSweep::measuredBatchesOf(const std::string& group) const
{
    auto measuredBatches = m_context.tracker.read([&](const std::vector<model::Trial>& trials) {
        std::vector<search::MeasuredBatch> found;
        for (const model::Trial& trial : trials)
            if (trial.device == m_device.id && trial.state == TrialState::ok &&
                model::groupKey(trial.config, m_device.id) == group)
                found.push_back({trial.config.batch, trial.measurement.latencyNs.value,
                                 trial.measurement.memory.peakOn(m_device.type)});
        return found;
    });
    std::sort(measuredBatches.begin(), measuredBatches.end(),
              [](const auto& a, const auto& b) { return a.batch < b.batch; });
    return measuredBatches;
}

void DeviceSweep::pruneBeyond(int batch, const std::string& group, const Reason& reason)
{
    const auto beyond = m_context.tracker.read([&](const std::vector<model::Trial>& trials) {
        std::vector<std::size_t> found;
        for (std::size_t k = 0; k < trials.size(); ++k)
            if (trials[k].device == m_device.id && trials[k].state == TrialState::queued &&
                trials[k].config.batch > batch &&
                (group.empty() || model::groupKey(trials[k].config, m_device.id) == group))
                found.push_back(k);
        return found;
    });
    for (const std::size_t k : beyond)
        m_context.tracker.prune(k, reason);
}

void DeviceSweep::limitBatches()
{
    TrialTracker& tracker = m_context.tracker;
    const auto runs = tracker.read([&](const auto& trials) { return refinementPass(trials, m_device.id); });
    if (runs.empty())
        return;
    const auto begin = tracker.budgetLeft(m_device.id);
    Reason end;
    std::vector<search::MeasuredBatch> measuredBatches;
    for (const std::size_t i : runs.front().trials) {
        if (m_context.stop.stop_requested())
            break;
        // At most a quarter of the budget goes into this, because the search needs the rest.
        if (const auto left = tracker.budgetLeft(m_device.id); left && left->count < begin->count / 4 * 3) {
            end = model::reason(model::ReasonKind::budget, base::message<reasons::kBatchSearchEnded>());
            break;
        }
        if (!tracker.isOpen(i)) // A smaller batch ran out of memory and pruned this one.
            break;
        m_runner.run(i, MeasuringTime{kBatchProbeTime, kBatchProbeBlocks});
        measuredBatches = measuredBatchesOf(runs.front().group);
        if (measuredBatches.empty())
            break;
        if (end = search::endOfGrowth(measuredBatches, memoryLimit()); !end.empty())
            break;
    }
    m_runner.closeWorker();
    if (measuredBatches.empty() || end.empty())
        return;
    pruneBeyond(measuredBatches.back().batch, runs.front().group, end);
    // Other groups may need less memory, or larger batches for their best throughput, so they may go kBatchHeadroom
    // times as far.
    const int largestBatch =
        kBatchHeadroom * (end.kind == model::ReasonKind::dominated ? search::enoughBatch(measuredBatches)
                                                                   : measuredBatches.back().batch);
    pruneBeyond(largestBatch, {},
                model::reason(end.kind, base::message<reasons::kLargestBatch>(measuredBatches.back().batch, end.message,
                                                                              largestBatch)));
}

} // namespace apertune::study
