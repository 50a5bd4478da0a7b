// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/models/package_source.h"
#include "core/stats/block_stats.h"
#include "core/study/device_sweep.h"
#include "core/study/schedule.h"

#include <algorithm>

namespace apertune::study {

using base::Nanoseconds;
using model::Trial;
using model::TrialState;
using search::Probe;
using search::ProbeResult;
using worker::WorkerError;

namespace {

/// The blocks of a measurement from `from` on, in `groups` groups of neighbours: what a searcher calls a block is
/// longer than a worker's.
std::vector<double> grouped(const std::vector<model::Block>& blocks, std::size_t from, int groups)
{
    std::vector<double> values;
    const std::size_t count = blocks.size() - std::min(from, blocks.size());
    const auto wanted = std::min(count, static_cast<std::size_t>(std::max(1, groups)));
    for (std::size_t g = 0; g < wanted; ++g) {
        model::Block sum;
        for (std::size_t k = from + g * count / wanted; k < from + (g + 1) * count / wanted; ++k) {
            sum.iterations += blocks[k].iterations;
            sum.wall += blocks[k].wall;
        }
        if (sum.iterations > 0)
            values.push_back(sum.nsPerIteration());
    }
    return values;
}

} // namespace

void DeviceSweep::runSearch(search::Algorithm algorithm)
{
    TrialTracker& tracker = m_context.tracker;
    if (climbs())
        climbFirst();
    // Why a trial was left out: by the first objective whose search judged it.
    std::map<std::size_t, model::Reason> reasons;
    std::vector<model::TrialId> finalists;
    const std::vector<model::Goal> goals = model::goalsOfOne(m_context.study.goal);
    for (std::size_t i = 0; i < goals.size() && !m_context.stop.stop_requested(); ++i) {
        const auto toCome = static_cast<std::int64_t>(goals.size() - i);
        for (const model::TrialId id : searchFor(goals[i], algorithm, toCome, reasons))
            finalists.push_back(id);
        m_probed.clear(); // what one search measured answers the next one's first question
    }
    m_worker.reset();
    m_sessions.clear();
    if (m_context.stop.stop_requested())
        return;
    for (const model::TrialId id : finalists)
        tracker.nominate(id);
    const std::size_t count = tracker.read([](const auto& trials) { return trials.size(); });
    for (std::size_t i = 0; i < count; ++i)
        if (tracker.isOpen(i) && tracker.trial(i).device == m_device.id) {
            const auto judged = reasons.find(i);
            tracker.prune(i, judged != reasons.end() ? judged->second
                                                     : model::reason(model::ReasonKind::budget,
                                                                     base::message<reasons::kBudgetSpentBefore>()));
        }
}

std::vector<model::TrialId> DeviceSweep::searchFor(const model::Goal& goal, search::Algorithm algorithm,
                                                   std::int64_t toCome, std::map<std::size_t, model::Reason>& reasons)
{
    TrialTracker& tracker = m_context.tracker;
    SearchSpace space = tracker.read([&](const auto& trials) { return searchSpace(trials, m_device, goal); });
    if (space.trials.empty())
        return {};
    space.task.openAtOnce = kSessions;
    const auto left = tracker.budgetLeft(m_device.id);
    const Nanoseconds kept{left ? left->count - left->count / toCome : 0};
    if (left)
        space.task.measuring = std::max(*left - kept, Nanoseconds{1});
    const auto searcher = search::makeSearcher(algorithm, space.task, 1);
    while (!m_context.stop.stop_requested()) {
        const auto probe = searcher->next();
        // The last turns are what gives the winner its interval: they run whatever the walks have overspent.
        if (!probe || (m_anyRun && !probe->confirm && left && *tracker.budgetLeft(m_device.id) <= kept))
            break;
        const auto result = answer(*probe, space.trials[probe->configuration]);
        if (!result)
            break;
        searcher->tell(*result);
    }
    const search::SearchOutcome outcome = searcher->outcome();
    for (std::size_t configuration = 0; configuration < space.trials.size(); ++configuration)
        if (outcome.configurations[configuration].state == search::ConfigurationOutcome::State::pruned)
            reasons.try_emplace(space.trials[configuration], outcome.configurations[configuration].reason);
    std::vector<model::TrialId> finalists;
    for (const auto& finalist : {outcome.winner, outcome.runnerUp})
        if (finalist)
            finalists.push_back(tracker.trial(space.trials[*finalist]).id);
    return finalists;
}

std::optional<ProbeResult> DeviceSweep::answer(const Probe& probe, std::size_t i)
{
    TrialTracker& tracker = m_context.tracker;
    const Nanoseconds begin = base::monotonicNow();
    const auto before = tracker.budgetLeft(m_device.id);
    std::size_t known = tracker.trial(i).measurement.blocks.size();
    if (tracker.isOpen(i)) {
        known = 0;
        const std::string group = model::groupKey(tracker.trial(i).config, m_device.id);
        if (group != m_group)
            m_worker.reset();
        if (m_device.type.hasOwnMemory())
            m_sessions.clear(); // a new configuration is to have the device's memory for itself
        m_group = group;
        const int blocks = std::max(1, probe.blocks);
        m_planned = MeasuringTime{Nanoseconds{blocks * probe.block.count + probe.warmUp.count}, blocks};
        runTrial(i);
    } else if (m_probed.contains(i)) {
        if (auto status = measureMore(probe, i); !status) {
            if (status.error().cancelled || m_context.stop.stop_requested())
                return std::nullopt;
            tracker.message(base::message<reasons::kNotMeasuredAgain>(status.error().reason.message));
        }
        tracker.spend(m_device.id, base::monotonicNow() - begin, {});
    } else {
        known = 0; // of an earlier run of this study: its blocks answer
    }
    m_probed.insert(i);

    const Trial trial = tracker.trial(i);
    ProbeResult result;
    result.wall = base::monotonicNow() - begin;
    const auto after = tracker.budgetLeft(m_device.id);
    result.measuring = before && after ? *before - *after : result.wall;
    if (!model::isFinal(trial.state))
        return std::nullopt; // stopped
    if (trial.state != TrialState::ok) {
        result.end = trial.reason.kind == model::ReasonKind::outOfMemory ? ProbeResult::End::outOfMemory
                                                                         : ProbeResult::End::failed;
        result.reason = trial.reason;
        return result;
    }
    // What the goal rules out must not win the race.
    const auto& quality = trial.measurement.quality;
    if (const double least = m_context.study.goal.minQuality; quality && !(quality->cosine >= least)) {
        result.end = ProbeResult::End::failed;
        result.reason = model::reason(model::ReasonKind::quality,
                                      base::message<reasons::kBelowQualityBound>(quality->cosine, least));
        return result;
    }
    result.passNs = grouped(trial.measurement.blocks, known, probe.blocks);
    result.peak = trial.measurement.memory.peakOn(m_device.type);
    // A configuration that gives no more blocks must not be asked for ever.
    if (result.passNs.empty()) {
        result.end = ProbeResult::End::failed;
        result.reason = model::reason(model::ReasonKind::internal, base::message<reasons::kNoMoreBlocks>());
    }
    return result;
}

void DeviceSweep::makeRoom(std::optional<base::Bytes> need)
{
    // A host has other programs beside these; what a device lacks is an out-of-memory of the next one.
    const double share = m_device.type.hasOwnMemory() ? 0.9 : 0.5;
    const double room = share * static_cast<double>(m_device.memory.count);
    const auto bytes = [](std::optional<base::Bytes> peak) { return peak ? static_cast<double>(peak->count) : 0; };
    const auto taken = [&] {
        double sum = bytes(need);
        for (const auto& [i, worker] : m_sessions)
            sum += bytes(m_context.tracker.trial(i).measurement.memory.peakOn(m_device.type));
        return sum;
    };
    while (!m_sessions.empty() && (m_sessions.size() >= kSessions || (room > 0 && taken() > room)))
        m_sessions.erase(m_sessions.begin());
}

/// Measures a finished trial on, in a session that stays open beside others.
worker::WorkerStatus DeviceSweep::measureMore(const Probe& probe, std::size_t i)
{
    Trial trial = m_context.tracker.trial(i);
    auto at = std::find_if(m_sessions.begin(), m_sessions.end(), [i](const auto& s) { return s.first == i; });
    if (at == m_sessions.end()) {
        ConfigurationRequest configuration = request(trial.config);
        if (needsFile(trial.config)) {
            Attempt ignored;
            model::Measurement compiled;
            auto file = package(i, m_context.study.model, trial.config, m_device, ignored, compiled);
            if (!file)
                return WorkerError{
                    model::reason(model::ReasonKind::compileFailed, base::foreignText(file.error().message))};
            configuration.package = *file;
        }
        m_worker.reset(); // one process less beside those that take turns
        makeRoom(trial.measurement.memory.peakOn(m_device.type));
        auto started = worker::WorkerProcess::start(m_context.run.launcher, trial.config.backend, m_device,
                                                    trial.config.threads, m_context.stop, m_context.run.limits.worker);
        if (!started)
            return started.error();
        auto worker = std::move(*started);
        auto prepared =
            prepareConfiguration(*worker, configuration, m_context.run.limits, probe.block, m_context.stop, {});
        if (!prepared)
            return prepared.error();
        m_sessions.emplace_back(i, std::move(worker));
    } else {
        std::rotate(at, at + 1, m_sessions.end()); // the last used stands at the end
    }
    worker::WorkerProcess& worker = *m_sessions.back().second;
    const Nanoseconds time{std::max(1, probe.blocks) * probe.block.count};
    auto reply =
        measureConfiguration(worker, {std::max(1, probe.blocks), m_context.run.limits.maxBlocks, time, time, 0, 1},
                             m_context.run.limits, m_context.stop, {});
    if (!reply) {
        m_sessions.pop_back();
        return reply.error();
    }
    const Blocks& more = *reply;
    model::Measurement m = trial.measurement;
    m.blocks.insert(m.blocks.end(), more.blocks.begin(), more.blocks.end());
    m.conditions.add(more.conditions);
    m.addPasses(more.iterations);
    stats::summarize(m, trial.config.batch, m_context.target);
    m_context.tracker.replaceMeasurement(i, std::move(m));
    return {};
}

} // namespace apertune::study
