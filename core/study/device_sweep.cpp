// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/device_sweep.h"

#include "core/search/algorithm.h"
#include "core/study/device_search.h"
#include "core/study/fewer_threads.h"
#include "core/study/reasons.h"

#include <algorithm>

namespace apertune::study {

using base::Nanoseconds;

namespace {

constexpr Nanoseconds kBatchProbeTime =
    base::fromMilliseconds(300);     ///< measuring time a batch while limitBatches() goes up
constexpr int kBatchProbeBlocks = 2; ///< blocks a batch meanwhile
constexpr int kBatchHeadroom = 4;    ///< largest batch of other groups over the largest useful one of the first group

} // namespace

DeviceSweep::DeviceSweep(const SweepContext& context, model::Device device, DriftMonitor& driftMonitor)
    : m_context(context), m_runner(context, std::move(device), driftMonitor), m_batchSearch(context, m_runner),
      m_device(m_runner.device())
{
}

void DeviceSweep::run()
{
    TrialTracker& tracker = m_context.tracker;
    const auto algorithm = m_context.study.space.search;
    // Racing and halving decide by themselves what is measured; a grid measures everything.
    if (algorithm && *algorithm != search::Algorithm::grid) {
        if (m_batchSearch.isAutomatic())
            // Automatic batches would otherwise be searched for in each group.
            limitBatches();
        DeviceSearch(m_context, m_runner).run(*algorithm, timeForFewerThreads(m_context, m_device));
        // The search only tried doubled batches, so the edge in between is open.
        if (m_batchSearch.isAutomatic())
            m_batchSearch.refineBest();
        tryFewerThreads(m_context, m_runner);
        return;
    }
    // A budget is first spread over all groups. Without one, a single pass over the groups needs fewer workers.
    if (tracker.budgetLeft(m_device.id))
        for (const WorkerRun& run :
             tracker.read([&](const auto& trials) { return breadthFirstPass(trials, m_device.id); }))
            runGroup(run);
    // The order of groups is decided anew after the first pass, because each now has a first time to be ranked by.
    for (const WorkerRun& run : tracker.read([&](const auto& trials) { return refinementPass(trials, m_device.id); })) {
        if (!m_batchSearch.isAutomatic()) {
            runGroup(run);
            continue;
        }
        m_batchSearch.measureGroup(tracker.trial(run.trials.front()).config, {});
        m_runner.closeWorker();
    }
}

void DeviceSweep::runGroup(const WorkerRun& run)
{
    for (const std::size_t i : run.trials) {
        if (m_context.stop.stop_requested())
            break;
        if (!m_context.tracker.isOpen(i)) // An earlier trial of the group may have pruned it.
            continue;
        // The first trial runs even beyond the budget, so that the study has a result.
        if (m_runner.hasRun() && !m_context.run.limits.everyTrial && m_runner.outOfBudget()) {
            m_context.tracker.prune(i, model::Reason{model::ReasonKind::budget,
                                                     base::message<reasons::kBudgetSpent>(m_context.study.budget)});
            continue;
        }
        m_runner.run(i);
    }
    m_runner.closeWorker();
}

void DeviceSweep::limitBatches()
{
    TrialTracker& tracker = m_context.tracker;
    // The first group of the pass is the reference or the fastest group known, so it stands for the others.
    const auto runs = tracker.read([&](const auto& trials) { return refinementPass(trials, m_device.id); });
    if (runs.empty())
        return;
    BatchSearch::Bounds bounds{MeasuringTime{kBatchProbeTime, kBatchProbeBlocks}, {}};
    // At most a quarter of the budget goes into this, because the search needs the rest.
    if (const auto begin = tracker.budgetLeft(m_device.id))
        bounds.budgetLeast = Nanoseconds{begin->count / 4 * 3};
    const auto [end, measured] = m_batchSearch.measureGroup(tracker.trial(runs.front().trials.front()).config, bounds);
    m_runner.closeWorker();
    // Without an end there was a stop, and without measured batches nothing is known.
    if (measured.empty() || end.empty())
        return;
    // Other groups may need less memory, or larger batches for their best throughput, so they may go kBatchHeadroom
    // times as far.
    const int largestBatch = kBatchHeadroom * (end.kind == model::ReasonKind::dominated ? search::enoughBatch(measured)
                                                                                        : measured.back().batch);
    m_batchSearch.pruneBeyond(largestBatch, {},
                              model::Reason{end.kind, base::message<reasons::kLargestBatch>(
                                                          measured.back().batch, end.message, largestBatch)});
}

} // namespace apertune::study
