// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/batch_search.h"

#include "core/search/reasons.h"
#include "core/study/reasons.h"

#include <algorithm>

namespace apertune::study {

using model::Reason;
using model::Trial;
using model::TrialState;
using search::BatchEdge;

namespace {

/// Measuring time of a batch where the memory edge is what is wanted: enough blocks for an interval.
constexpr MeasuringTime kEdgeTime{base::fromSeconds(1)};

void tellEdge(BatchEdge& edge, const Trial& trial, model::DeviceType device)
{
    if (trial.state == TrialState::ok)
        edge.tell(trial.config.batch, BatchEdge::Answer::fits, trial.measurement.memory.peakOn(device));
    else if (trial.state == TrialState::failed && trial.reason.kind == model::ReasonKind::outOfMemory)
        edge.tell(trial.config.batch, BatchEdge::Answer::outOfMemory);
    else if (model::isFinal(trial.state))
        edge.tell(trial.config.batch, BatchEdge::Answer::unknown);
}

} // namespace

BatchSearch::BatchSearch(const SweepContext& context, TrialRunner& runner)
    : m_context(context), m_runner(runner), m_device(runner.device())
{
}

bool BatchSearch::isAutomatic() const
{
    return m_context.study.space.batches == std::vector{model::SearchSpace::kAutoBatch};
}

BatchSearch::End BatchSearch::measureGroup(const model::Config& config, const Bounds& bounds)
{
    TrialTracker& tracker = m_context.tracker;
    const std::string group = model::groupKey(config, m_device.id);
    const bool fillsMemory = m_context.study.space.memoryShare.has_value();
    // Where the batch is to fill the memory, the search looks for the edge and not for a throughput, so short
    // measurements suffice.
    const auto measuring = bounds.measuring || !fillsMemory ? bounds.measuring : std::optional(kEdgeTime);
    BatchEdge edge = edgeOf(group);
    const auto ended = [&](Reason reason) {
        End end{std::move(reason), measuredBatchesOf(group)};
        if (!end.reason.empty())
            // Queued trials beyond the last measured batch would otherwise stay open for ever: nobody goes on from
            // here.
            pruneBeyond(end.measured.empty() ? 0 : end.measured.back().batch, group, end.reason);
        return end;
    };
    while (const auto batch = edge.next()) {
        // Each batch of a compiled configuration is compiled anew. Bisecting towards the edge is worth that only where
        // the batch is to fill the memory.
        if (!edge.isDoubling() && config.isCompiled() && !fillsMemory)
            break;
        if (m_context.stop.stop_requested())
            return ended({});
        // The first trial always runs: a study without any result would be useless.
        if (m_runner.hasRun() && !m_context.run.limits.everyTrial && m_runner.outOfBudget())
            return ended(
                model::Reason{model::ReasonKind::budget, base::message<reasons::kBudgetSpent>(m_context.study.budget)});
        const auto left = tracker.budgetLeft(m_device.id);
        if (left && bounds.budgetLeast && *left < *bounds.budgetLeast)
            return ended(model::Reason{model::ReasonKind::budget, base::message<reasons::kBatchSearchEnded>()});
        // The tracker adds a trial when the plan has none for this batch, and refuses when the store does.
        const auto i = trialAt(config, *batch);
        if (!i)
            return ended({});
        if (!edge.isDoubling()) // Memory that a larger batch left in the allocator must not count for a smaller one.
            m_runner.closeWorker();
        if (tracker.isOpen(*i))
            m_runner.run(*i, measuring);
        const Trial trial = tracker.trial(*i);
        if (!model::isFinal(trial.state)) // A stop was requested.
            return ended({});
        tellEdge(edge, trial, m_device.type);
        // Throughput decides while batches are doubled. Near the edge of memory it no longer says where to stop.
        if (edge.isDoubling() && !fillsMemory)
            if (Reason end = search::endOfGrowth(measuredBatchesOf(group)); !end.empty())
                return ended(std::move(end));
    }
    if (edge.isDoubling())
        return ended(twoFailed(group));
    pruneBeyondMemory(group, edge);
    return {whyBeyond(*edge.beyond(), group, edge), measuredBatchesOf(group)};
}

void BatchSearch::refineBest()
{
    // Only throughput can gain from a batch between the last one that fitted and its double.
    if (m_context.study.goal.objective != model::Objective::throughput)
        return;
    const auto best = m_context.tracker.read([&](const std::vector<Trial>& trials) {
        const Trial* found = nullptr;
        for (const Trial& trial : trials)
            if (trial.device == m_device.id && trial.state == TrialState::ok &&
                (!found || trial.measurement.throughput.value > found->measurement.throughput.value))
                found = &trial;
        return found ? std::optional(found->config) : std::nullopt;
    });
    if (!best)
        return;
    // The edge is known from trials alone, so a resumed study continues where an earlier run stopped.
    const BatchEdge edge = edgeOf(model::groupKey(*best, m_device.id));
    // The best batch is not the largest one that fits, so memory is not its limit and a larger one would not be faster.
    if (edge.isDoubling() || edge.edge() != best->batch)
        return;
    measureGroup(*best, {kEdgeTime, {}});
    m_runner.closeWorker();
}

std::optional<base::Bytes> BatchSearch::memoryLimit() const
{
    return search::memoryLimit(m_device, m_context.study.goal.maxMemory, m_context.study.space.memoryShare);
}

BatchEdge BatchSearch::edgeOf(const std::string& group) const
{
    // It is rebuilt from the trials on each call and kept nowhere: a resumed study has no other memory of its search.
    return m_context.tracker.read([&](const std::vector<Trial>& trials) {
        BatchEdge edge(memoryLimit());
        for (const Trial& trial : trials)
            if (trial.device == m_device.id && model::groupKey(trial.config, m_device.id) == group)
                tellEdge(edge, trial, m_device.type);
        return edge;
    });
}

std::vector<search::MeasuredBatch> BatchSearch::measuredBatchesOf(const std::string& group) const
{
    auto measuredBatches = m_context.tracker.read([&](const std::vector<Trial>& trials) {
        std::vector<search::MeasuredBatch> found;
        for (const Trial& trial : trials)
            if (trial.device == m_device.id && trial.state == TrialState::ok &&
                model::groupKey(trial.config, m_device.id) == group)
                found.push_back({trial.config.batch, trial.measurement.latencyNs.value});
        return found;
    });
    // Trials are stored in planned order, and batches that the search added come last.
    std::sort(measuredBatches.begin(), measuredBatches.end(),
              [](const auto& a, const auto& b) { return a.batch < b.batch; });
    return measuredBatches;
}

std::optional<std::size_t> BatchSearch::trialAt(model::Config config, int batch)
{
    config.batch = batch;
    const auto known = m_context.tracker.read([&](const std::vector<Trial>& trials) {
        const std::string group = model::groupKey(config, m_device.id);
        const auto at = std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) {
            return trial.device == m_device.id && trial.config.batch == batch &&
                   model::groupKey(trial.config, m_device.id) == group;
        });
        return at == trials.end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(std::distance(trials.begin(), at)));
    });
    return known ? known : m_context.tracker.add(m_device.id, config);
}

void BatchSearch::pruneBeyond(int batch, const std::string& group, const Reason& reason)
{
    const auto beyond = m_context.tracker.read([&](const std::vector<Trial>& trials) {
        std::vector<std::size_t> found;
        // Only queued trials are pruned. One that runs on another device or has a result keeps its state.
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

void BatchSearch::pruneBeyondMemory(const std::string& group, const BatchEdge& edge)
{
    // The trials are collected first, because prune() takes the lock that read() holds.
    const auto beyond = m_context.tracker.read([&](const std::vector<Trial>& trials) {
        std::vector<std::pair<std::size_t, int>> found;
        for (std::size_t k = 0; k < trials.size(); ++k)
            if (trials[k].device == m_device.id && trials[k].state == TrialState::queued &&
                trials[k].config.batch > edge.edge() && model::groupKey(trials[k].config, m_device.id) == group)
                found.emplace_back(k, trials[k].config.batch);
        return found;
    });
    for (const auto& [k, batch] : beyond)
        m_context.tracker.prune(k, whyBeyond(batch, group, edge));
}

Reason BatchSearch::whyBeyond(int batch, const std::string& group, const BatchEdge& edge) const
{
    const auto limit = memoryLimit();
    // A measured peak above the limit, or an out-of-memory, says more than a prediction.
    std::optional<Reason> seen = m_context.tracker.read([&](const std::vector<Trial>& trials) {
        std::optional<Reason> found;
        // 0: none found yet. Of several batches that were too large, the smallest one is the closest evidence.
        int smallest = 0;
        for (const Trial& trial : trials) {
            // A peak that the backend did not report is no evidence.
            const auto& peak = trial.measurement.memory.peakOn(m_device.type);
            const bool above = trial.state == TrialState::ok && limit && peak && *peak > *limit;
            const bool out = trial.state == TrialState::failed && trial.reason.kind == model::ReasonKind::outOfMemory;
            if (trial.device != m_device.id || trial.config.batch > batch ||
                (smallest > 0 && trial.config.batch > smallest) ||
                model::groupKey(trial.config, m_device.id) != group || (!above && !out))
                continue;
            smallest = trial.config.batch;
            found = model::Reason{model::ReasonKind::batchEdge,
                                  above ? base::message<reasons::kBatchAboveLimit>(smallest, *peak, *limit)
                                        : base::message<reasons::kBatchOutOfMemory>(smallest)};
        }
        return found;
    });
    if (seen)
        return *seen;
    return model::Reason{model::ReasonKind::batchEdge,
                         base::message<search::reasons::kBatchBeyondMemory>(
                             batch, edge.predicted(batch).value_or(base::Bytes{}), limit.value_or(base::Bytes{}))};
}

Reason BatchSearch::twoFailed(const std::string& group) const
{
    // The last failed trial decides: it ended the search.
    return m_context.tracker.read([&](const std::vector<Trial>& trials) {
        Reason reason;
        for (const Trial& trial : trials)
            if (trial.device == m_device.id && model::isFinal(trial.state) && trial.state != TrialState::ok &&
                model::groupKey(trial.config, m_device.id) == group)
                reason = model::Reason{model::ReasonKind::dominated,
                                       base::message<search::reasons::kTwoBatchesFailed>(trial.reason.message)};
        return reason;
    });
}

} // namespace apertune::study
