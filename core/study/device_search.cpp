// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/device_search.h"

#include "core/base/clock.h"
#include "core/search/reasons.h"
#include "core/stats/summarize.h"
#include "core/stats/undisturbed_time.h"
#include "core/study/configuration_run.h"
#include "core/study/reasons.h"
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

/// The first bound of the goal that outputs of that quality do not keep.
base::Message whyNotKept(const model::Goal& goal, const model::Quality& quality)
{
    // The comparison is negated because it must fail for NaN too.
    if (!(quality.cosine >= goal.minQuality))
        return base::message<reasons::kBelowQualityBound>(quality.cosine, goal.minQuality);
    if (goal.maxRelError && !(quality.maxRel <= *goal.maxRelError))
        return base::message<reasons::kBeyondRelError>(quality.maxRel, *goal.maxRelError);
    return base::message<reasons::kBeyondAbsError>(quality.maxAbs, goal.maxAbsError.value_or(0));
}

/// The blocks from position `from` on, joined into `groups` groups of neighbours (fewer where there are fewer blocks),
/// as nanoseconds a pass without other programs, at the speed that the machine had when the reference took `firstNs`. A
/// searcher's block is longer than a worker's and consists of several of them.
std::vector<double> grouped(const Trial& trial, std::size_t from, int groups, double firstNs)
{
    const std::vector<model::Block>& blocks = trial.measurement.blocks;
    const int threads = stats::computingThreads(trial);
    std::vector<double> values;
    const std::size_t count = blocks.size() - std::min(from, blocks.size());
    const auto wanted = std::min(count, static_cast<std::size_t>(std::max(1, groups)));
    for (std::size_t g = 0; g < wanted; ++g) {
        // Times and passes are summed over the group: the mean of ratios would weigh short blocks too much.
        double passes = 0;
        double time = 0;
        // Integer arithmetic spreads a remainder evenly over the groups.
        for (std::size_t k = from + g * count / wanted; k < from + (g + 1) * count / wanted; ++k) {
            // A block without a reference counts as measured at the first speed.
            const double speed = blocks[k].referenceNs > 0 && firstNs > 0 ? firstNs / blocks[k].referenceNs : 1;
            passes += static_cast<double>(blocks[k].iterations);
            time += speed * stats::undisturbedNs(blocks[k], threads) * static_cast<double>(blocks[k].iterations);
        }
        if (passes > 0)
            values.push_back(time / passes);
    }
    return values;
}

} // namespace

DeviceSearch::DeviceSearch(const SweepContext& context, TrialRunner& runner)
    : m_context(context), m_runner(runner), m_device(runner.device())
{
}

void DeviceSearch::run(search::Algorithm algorithm, Nanoseconds kept)
{
    TrialTracker& tracker = m_context.tracker;
    // Reasons of left-out trials. Of several searches, the first that left a trial out gives the reason.
    std::map<std::size_t, model::Reason> reasons;
    std::vector<model::TrialId> finalists;
    const std::vector<model::Goal> goals = model::singleObjectiveGoals(m_context.study.goal);
    for (std::size_t i = 0; i < goals.size() && !m_context.stop.stop_requested(); ++i) {
        const auto remaining = static_cast<std::int64_t>(goals.size() - i);
        for (const model::TrialId id : searchFor(goals[i], algorithm, remaining, kept, reasons))
            finalists.push_back(id);
        m_probed.clear(); // The next search's first probe of a trial is answered from these measurements.
    }
    m_runner.closeWorker();
    // Workers hold memory of the device, which the sweep of the next device needs.
    m_sessions.clear();
    if (m_context.stop.stop_requested())
        return;
    for (const model::TrialId id : finalists)
        tracker.nominate(id);
    const std::size_t count = tracker.read([](const auto& trials) { return trials.size(); });
    for (std::size_t i = 0; i < count; ++i)
        if (tracker.isOpen(i) && tracker.trial(i).device == m_device.id) {
            // A trial that no search rejected was left open by the end of the budget.
            const auto known = reasons.find(i);
            tracker.prune(i, known != reasons.end() ? known->second
                                                    : model::Reason{model::ReasonKind::budget,
                                                                    base::message<search::reasons::kBudgetSpent>()});
        }
}

std::vector<model::TrialId> DeviceSearch::searchFor(const model::Goal& goal, search::Algorithm algorithm,
                                                    std::int64_t remaining, Nanoseconds kept,
                                                    std::map<std::size_t, model::Reason>& reasons)
{
    TrialTracker& tracker = m_context.tracker;
    SearchSpace space = tracker.read(
        [&](const auto& trials) { return searchSpace(trials, m_device, goal, m_context.study.space.memoryShare); });
    if (space.trials.empty())
        return {};
    // The searcher may keep that many models open at once, so it knows which probes cost no loading.
    space.task.openAtOnce = kSessions;
    const auto left = tracker.budgetLeft(m_device.id);
    // Each of the remaining searches gets an equal part of what is left.
    if (left)
        kept.count = left->count - (*left - kept).count / remaining;
    if (left)
        space.task.measuring = std::max(*left - kept, Nanoseconds{1});
    for (std::size_t k = 0; k < space.trials.size(); ++k) {
        const auto& best = m_context.earlier.best;
        if (const auto known = best.find(model::groupKey(tracker.trial(space.trials[k]).config, m_device.id));
            known != best.end())
            space.task.groups[space.task.configurations[k].group].known = known->second;
    }
    // In a budget of wall time, conversions and compilations cost as much as measurements, so the searcher has to know
    // them.
    if (tracker.budgetKind() == model::BudgetKind::wall) {
        space.task.wall = space.task.measuring;
        for (std::size_t k = 0; k < space.trials.size(); ++k) {
            const model::Config config = tracker.trial(space.trials[k]).config;
            search::ConfigurationGroup& group = space.task.groups[space.task.configurations[k].group];
            group.convert = m_runner.toConvert(config);
            group.compile = m_runner.toCompile(config);
        }
    }
    // The seed is fixed, so the same measurements lead to the same choices.
    const bool confirmed =
        tracker.budgetKind() == model::BudgetKind::wall && m_context.run.limits.confirmMost.count > 0;
    const auto searcher = search::makeSearcher(algorithm, space.task, 1);
    while (!m_context.stop.stop_requested()) {
        const auto probe = searcher->next();
        // The final rounds give the winner its interval, so they run even when earlier probes overspent the budget,
        // unless a confirmation does that.
        if (!probe ||
            (m_runner.hasRun() && (confirmed || !probe->confirm) && left && *tracker.budgetLeft(m_device.id) <= kept))
            break;
        // They end with the grace, too.
        if (const auto grace = tracker.graceLeft(); grace && grace->count <= 0 && m_runner.hasRun())
            break;
        const auto result = answer(*probe, space.trials[probe->configuration]);
        if (!result)
            break;
        searcher->tell(*result);
    }
    const search::SearchOutcome outcome = searcher->outcome();
    for (std::size_t configuration = 0; configuration < space.trials.size(); ++configuration)
        if (outcome.configurations[configuration].state == search::ConfigurationOutcome::State::pruned)
            // A reason from an earlier search is kept.
            reasons.try_emplace(space.trials[configuration], outcome.configurations[configuration].reason);
    std::vector<model::TrialId> finalists;
    // The finalists of the search are proposed to the confirmation.
    for (const auto& finalist : {outcome.winner, outcome.runnerUp})
        if (finalist)
            finalists.push_back(tracker.trial(space.trials[*finalist]).id);
    return finalists;
}

std::optional<ProbeResult> DeviceSearch::answer(const Probe& probe, std::size_t i)
{
    TrialTracker& tracker = m_context.tracker;
    const Nanoseconds begin = base::monotonicNow();
    const auto before = tracker.budgetLeft(m_device.id);
    // Blocks before this position were reported to the searcher by earlier probes.
    std::size_t known = tracker.trial(i).measurement.blocks.size();
    // A trial that has not run yet is measured as a trial; a trial with a result only gets more blocks.
    ProbeResult result;
    if (tracker.isOpen(i)) {
        known = 0;
        const std::string group = model::groupKey(tracker.trial(i).config, m_device.id);
        if (group != m_group) // A worker serves one configuration group only.
            m_runner.closeWorker();
        if (m_device.type.hasOwnMemory())
            m_sessions.clear(); // A first measurement has the memory of the device to itself.
        m_group = group;
        const int blocks = std::max(1, probe.blocks);
        // The warm-up is part of the probe's time, so that a searcher's plan holds.
        m_runner.run(i, MeasuringTime{Nanoseconds{blocks * probe.block.count + probe.warmUp.count}, blocks});
        result.convert = m_runner.makingFiles();
    } else if (m_probed.contains(i)) {
        // A failed repetition keeps the earlier result. Only a stop ends the search.
        if (auto status = measureMore(probe, i); !status) {
            if (status.error().cancelled || m_context.stop.stop_requested())
                return std::nullopt;
            tracker.message(base::message<reasons::kNotMeasuredAgain>(status.error().reason.message));
        }
        tracker.spend(m_device.id, base::monotonicNow() - begin, {});
    } else {
        known = 0; // Blocks of an earlier run or search answer the probe without measuring.
    }
    m_probed.insert(i);

    const Trial trial = tracker.trial(i);
    result.wall = base::monotonicNow() - begin;
    const auto after = tracker.budgetLeft(m_device.id);
    // The budget may be one of measuring time, where loading does not count.
    result.measuring = before && after ? *before - *after : result.wall;
    if (!model::isFinal(trial.state))
        return std::nullopt; // A stop was requested.
    if (trial.state != TrialState::ok) {
        result.end = trial.reason.kind == model::ReasonKind::outOfMemory ? ProbeResult::End::outOfMemory
                                                                         : ProbeResult::End::failed;
        result.reason = trial.reason;
        return result;
    }
    // A configuration below the quality bound must not win, so the searcher sees it as failed.
    const auto& quality = trial.measurement.quality;
    if (quality && !model::keepsQuality(m_context.study.goal, *quality)) {
        // Its times are measured and stay in the store; only the search ignores them.
        result.end = ProbeResult::End::failed;
        result.reason = model::Reason{model::ReasonKind::quality, whyNotKept(m_context.study.goal, *quality)};
        return result;
    }
    result.passNs = grouped(trial, known, probe.blocks, m_runner.driftMonitor().firstNs());
    result.peak = trial.measurement.memory.peakOn(m_device.type);
    // Without this failure a searcher would ask for the same blocks again and again.
    if (result.passNs.empty()) {
        result.end = ProbeResult::End::failed;
        result.reason = model::Reason{model::ReasonKind::internal, base::message<reasons::kNoMoreBlocks>()};
    }
    return result;
}

void DeviceSearch::makeRoom(std::optional<base::Bytes> need)
{
    // A host has other programs, so half of its memory is left to them.
    const double share = m_device.type.hasOwnMemory() ? 0.9 : 0.5;
    const double room = share * static_cast<double>(m_device.memory.count);
    const auto bytes = [](std::optional<base::Bytes> peak) { return peak ? static_cast<double>(peak->count) : 0; };
    const auto taken = [&] {
        double sum = bytes(need);
        for (const auto& [i, worker] : m_sessions)
            // The peaks that were measured are the only knowledge of what a session holds.
            sum += bytes(m_context.tracker.trial(i).measurement.memory.peakOn(m_device.type));
        return sum;
    };
    // The oldest session goes first.
    while (!m_sessions.empty() && (m_sessions.size() >= kSessions || (room > 0 && taken() > room)))
        m_sessions.erase(m_sessions.begin());
}

worker::WorkerStatus DeviceSearch::measureMore(const Probe& probe, std::size_t i)
{
    Trial trial = m_context.tracker.trial(i);
    // The permit is taken after a conversion or compilation, which may take minutes and needs no quiet.
    std::optional<HostGate::Permit> permit;
    auto at = std::find_if(m_sessions.begin(), m_sessions.end(), [i](const auto& s) { return s.first == i; });
    if (at == m_sessions.end()) {
        // A session is lost when it was closed for room or its worker died.
        ConfigurationRequest configuration = m_runner.request(trial.config);
        if (m_runner.needsFile(trial.config)) {
            auto file = m_runner.fileOf(i, trial.config);
            if (!file)
                return WorkerError{model::Reason{model::ReasonKind::compileFailed, file.error().message}};
            configuration.package = *file;
        }
        m_runner.closeWorker(); // The worker of first measurements is idle now and would only take memory.
        makeRoom(trial.measurement.memory.peakOn(m_device.type));
        permit.emplace(m_context.hostGate, HostGate::Work::measure, m_context.stop);
        auto started = worker::WorkerProcess::start(m_context.run.launcher, launchRequest(configuration),
                                                    m_context.stop, m_context.run.limits.worker);
        if (!started)
            return started.error();
        auto worker = std::move(*started);
        auto prepared =
            prepareConfiguration(*worker, configuration, m_context.run.limits, probe.block, m_context.stop, {});
        if (!prepared)
            return prepared.error();
        m_sessions.emplace_back(i, std::move(worker));
    } else {
        // makeRoom() closes the first session, which is then the one that was not used for the longest time.
        std::rotate(at, at + 1, m_sessions.end()); // The most recently used session stands last.
    }
    if (!permit)
        permit.emplace(m_context.hostGate, HostGate::Work::measure, m_context.stop);
    worker::WorkerProcess& worker = *m_sessions.back().second;
    const Nanoseconds time{std::max(1, probe.blocks) * probe.block.count};
    const Nanoseconds pass{static_cast<std::int64_t>(trial.measurement.latencyNs.value)};
    auto reply =
        // The searcher decides when an interval is narrow enough, so no target is given here.
        measureBesideReference(worker, {std::max(1, probe.blocks), m_context.run.limits.maxBlocks, time, time, 0, 1},
                               pass, m_runner.betweenBlocks(), m_context.run.limits, m_context.stop, {});
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
    m_runner.driftMonitor().note(m);
    m_context.tracker.replaceMeasurement(i, std::move(m));
    return {};
}

} // namespace apertune::study
