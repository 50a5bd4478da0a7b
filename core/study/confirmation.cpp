// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/confirmation.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/models/package_source.h"
#include "core/search/algorithm.h"
#include "core/search/recommend.h"
#include "core/search/searcher.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"
#include "core/stats/summarize.h"
#include "core/study/loaded_configuration.h"
#include "core/study/quiet_wait.h"
#include "core/study/reasons.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::study {

using base::Nanoseconds;
using model::Trial;
using worker::WorkerError;

namespace {

constexpr model::TrialFlag kFlag = model::TrialFlag::confirmed;
constexpr Nanoseconds kWarmUp{1'000'000'000};      ///< longest warm-up; more processes are worth more than warmer ones
constexpr Nanoseconds kWorkerStart{1'000'000'000}; ///< start of a worker, which Measurement::load does not include
constexpr double kEstimateSlack = 1.25;            ///< expected time over time left up to which it is tried
constexpr std::size_t kMostRivals = 2;             ///< most finalists beside the winners and their baselines

/// One trial of a confirmation.
struct Arm
{
    std::size_t index = 0; ///< position in the trial tracker
    Trial trial;
    const model::Device* device = nullptr;
    ConfigurationRequest request{};
    Blocks taken{}; ///< blocks of all its processes
};

/// The trials of one confirmation. The first kNeeded must be compared; the others may be left out.
using Arms = std::vector<Arm>;
constexpr std::size_t kNeeded = 2;

/// The two measured trials of a study that compares two configurations; empty for any other study.
std::vector<model::TrialId> twoMeasuredTrials(const std::vector<Trial>& trials)
{
    std::vector<model::TrialId> ids;
    const Trial* first = nullptr;
    for (const Trial& trial : trials)
        if (trial.state == model::TrialState::ok) {
            if (first && first->device != trial.device)
                return {};
            first = &trial;
            ids.push_back(trial.id);
        }
    return ids.size() == 2 ? ids : std::vector<model::TrialId>();
}

const Trial* find(const std::vector<Trial>& trials, model::TrialId id)
{
    const auto at = std::find_if(trials.begin(), trials.end(), [id](const Trial& trial) { return trial.id == id; });
    return at == trials.end() ? nullptr : &*at;
}

/// Collects the trials of one device to interleave, in the order in which they are needed.
class ABGroup
{
public:
    ABGroup(const std::vector<Trial>& trials, std::string device, Confirm confirm)
        : m_trials(trials), m_device(std::move(device)), m_confirm(confirm)
    {
    }

    std::size_t size() const { return m_ids.size(); }

    void add(model::TrialId id)
    {
        const Trial* trial = find(m_trials, id);
        if (trial && trial->device == m_device && std::find(m_ids.begin(), m_ids.end(), id) == m_ids.end())
            m_ids.push_back(id);
    }

    /// Adds a trial and its baseline. The group is worth measuring when it has a pair that Confirm names.
    void addPair(model::TrialId winner, model::TrialId against)
    {
        const Trial* first = find(m_trials, winner);
        const Trial* second = find(m_trials, against);
        if (!first || !second || first == second || first->device != m_device || second->device != m_device)
            return;
        add(winner);
        add(against);
        m_open = m_open || !stats::wereInterleaved(*first, *second) ||
                 (m_confirm == Confirm::disturbed &&
                  (stats::wasKeptWaiting(first->measurement) || stats::wasKeptWaiting(second->measurement)));
    }

    /// The collected trials; empty when no pair is worth measuring.
    std::vector<model::TrialId> candidates() const { return m_open ? m_ids : std::vector<model::TrialId>(); }

private:
    const std::vector<Trial>& m_trials;
    std::string m_device;
    Confirm m_confirm;
    std::vector<model::TrialId> m_ids;
    bool m_open = false;
};

/// The trials to interleave, the needed ones first; empty when nothing is left to find out.
std::vector<model::TrialId> candidates(const SweepContext& context, const std::vector<Trial>& trials,
                                       const std::vector<model::TrialId>& nominated, Confirm confirm)
{
    if (const std::vector<model::TrialId> two = twoMeasuredTrials(trials); !two.empty()) {
        ABGroup abGroup(trials, find(trials, two[0])->device, confirm);
        abGroup.addPair(two[0], two[1]);
        return abGroup.candidates();
    }
    const std::vector<model::Goal> goals = model::singleObjectiveGoals(context.study.goal);
    const auto bestMeasured = [&](const model::Goal& goal) {
        return search::recommend(trials, goal, context.noiseFloor, search::Candidates::measured);
    };
    const auto best = bestMeasured(goals.front());
    if (!best)
        return {};
    ABGroup abGroup(trials, find(trials, best->trial)->device, confirm);
    abGroup.add(best->trial);
    abGroup.addPair(best->trial, best->against);
    // A trial that looks better than the confirmed winner was measured alone, so it has to beat the winner interleaved.
    if (const auto confirmed = search::recommend(trials, goals.front(), context.noiseFloor);
        confirmed && find(trials, confirmed->trial)->measurement.confirmation > 0)
        abGroup.add(confirmed->trial);
    // A mixed-precision search has to say how much int8 gains, so the float trials take part.
    if (context.study.space.search == search::Algorithm::bisect)
        for (const Trial& trial : trials)
            if (trial.state == model::TrialState::ok && !trial.config.quantization)
                abGroup.addPair(best->trial, trial.id);
    for (std::size_t i = 1; i < goals.size(); ++i)
        if (goals[i].objective != model::Objective::memory) // Memory has no noise to confirm.
            if (const auto further = bestMeasured(goals[i]))
                abGroup.addPair(further->trial, further->against);

    const std::size_t needed = abGroup.size();
    for (const model::TrialId id : nominated)
        if (const Trial* trial = find(trials, id);
            abGroup.size() < needed + kMostRivals && trial && search::isEligible(*trial, goals.front()))
            abGroup.add(id);
    if (best->runnerUp && abGroup.size() == needed)
        abGroup.add(best->runnerUp->over);
    if (best->runnerUp && !find(trials, best->against)) // A winning baseline is compared with the runner-up.
        abGroup.addPair(best->trial, best->runnerUp->over);
    return abGroup.candidates();
}

Arms armsOf(const SweepContext& context, Confirm confirm)
{
    const std::vector<model::TrialId> nominated = context.tracker.nominated();
    Arms arms = context.tracker.read([&](const std::vector<Trial>& trials) {
        Arms found;
        for (const model::TrialId id : candidates(context, trials, nominated, confirm)) {
            const Trial* trial = find(trials, id);
            found.push_back({static_cast<std::size_t>(trial - trials.data()), *trial});
        }
        return found;
    });
    for (Arm& arm : arms) {
        const auto device = std::find_if(context.run.devices.begin(), context.run.devices.end(),
                                         [&](const model::Device& d) { return d.id == arm.trial.device; });
        if (device == context.run.devices.end())
            return {};
        arm.device = &*device;
    }
    return arms;
}

/// Number of passes that all blocks of a trial need together so that the goal's highest bounded percentile is known. 0
/// where the goal bounds none, or the trial does not keep the bounds anyway.
std::size_t passesNeeded(const SweepContext& context, const Trial& trial)
{
    const auto& bounds = context.study.goal.maxPercentiles;
    if (bounds.empty() || !search::keepsPercentiles(trial.measurement, context.study.goal).value_or(false))
        return 0;
    return stats::samplesForPercentile(bounds.rbegin()->first / 100.0);
}

/// Least length of a trial's blocks for passesNeeded(), given the time of a pass; at least RunLimits::minBlock.
Nanoseconds blockTime(const SweepContext& context, const Trial& trial, Nanoseconds pass)
{
    constexpr double kSpare = 1.25; // Warm passes may be shorter than the estimate.
    const double passes = std::ceil(kSpare * static_cast<double>(passesNeeded(context, trial)) / kMinConfirmBlocks);
    return std::max(context.run.limits.minBlock, Nanoseconds{static_cast<std::int64_t>(passes) * pass.count});
}

/// Expected time of one block of every trial, with the passes that are not counted.
Nanoseconds roundTime(const SweepContext& context, const Arms& arms)
{
    Nanoseconds sum{};
    for (const Arm& arm : arms) {
        const Nanoseconds pass{static_cast<std::int64_t>(arm.trial.measurement.latencyNs.value)};
        sum.count += settlingPasses(pass) * pass.count + std::max(pass, blockTime(context, arm.trial, pass)).count;
    }
    return sum;
}

/// Expected time to start, load and warm up one fresh worker of every trial.
Nanoseconds openingTime(const Arms& arms)
{
    Nanoseconds sum{};
    for (const Arm& arm : arms) {
        const model::Measurement& m = arm.trial.measurement;
        sum += kWorkerStart + m.load + m.first + std::min(m.warmup, kWarmUp);
    }
    return sum;
}

/// Expected time of the shortest useful confirmation: two processes a trial.
Nanoseconds leastTime(const SweepContext& context, const Arms& arms)
{
    return {2 * openingTime(arms).count +
            static_cast<std::int64_t>(kMinConfirmBlocks) * roundTime(context, arms).count};
}

/// Whether all models fit into memory side by side. On a host half of it is left to other programs.
bool haveRoom(const Arms& arms)
{
    double taken = 0;
    for (const Arm& arm : arms) {
        const auto& peak = arm.trial.measurement.memory.peakOn(arm.device->type);
        taken += peak ? static_cast<double>(peak->count) : 0;
    }
    const model::Device& device = *arms.front().device;
    const double share = device.type.hasOwnMemory() ? 0.9 : 0.5;
    return device.memory.count <= 0 || taken <= share * static_cast<double>(device.memory.count);
}

/// Fills in the request of a trial; compiles or converts where the package is no longer in the cache.
worker::WorkerStatus prepare(const SweepContext& context, Arm& arm)
{
    const model::Config& config = arm.trial.config;
    arm.request = {context.study.model.artifact, context.study.model.taskType, config, *arm.device, {}, {}};
    if (!config.isCompiled() && !(context.run.packages && context.run.packages->needed(context.study.model, config)))
        return {};
    if (!context.run.packages)
        return WorkerError{model::reason(model::ReasonKind::unsupported, base::message<reasons::kNothingCompiles>())};
    auto package = context.run.packages->get(context.study.model, config, *arm.device, {}, context.stop);
    if (!package)
        return WorkerError{model::reason(model::ReasonKind::compileFailed, package.error().message)};
    arm.request.package = package->path;
    return {};
}

/// Number of processes a trial and blocks a process. It is made when the first processes are open, because only then
/// the time to open them is known.
struct Plan
{
    int processes = 2;
    std::size_t leastBlocks = 0; ///< least number of blocks a process
    std::size_t mostBlocks = 0;
    Nanoseconds measuring{}; ///< measuring time of one round, over all trials
};

Plan planFor(Nanoseconds opening, Nanoseconds limit, const worker::RunLimits& limits)
{
    const auto time = static_cast<double>(limit.count);
    const double once = std::max(1.0, static_cast<double>(opening.count));
    Plan plan;
    plan.processes = std::clamp(static_cast<int>(0.6 * time / once), 2, std::max(2, limits.confirmProcesses));
    // With two processes Student's t has one degree of freedom and a very wide interval, so a third one is worth up to
    // 80 % of the time.
    if (plan.processes == 2 && limits.confirmProcesses > 2 && 3 * once <= 0.8 * time)
        plan.processes = 3;
    const double measuring = std::max(0.0, time - once * plan.processes);
    plan.measuring = Nanoseconds{static_cast<std::int64_t>(measuring / plan.processes)};
    const auto each = static_cast<std::size_t>(plan.processes);
    plan.leastBlocks = (kMinConfirmBlocks + each - 1) / each;
    plan.mostBlocks = std::max(plan.leastBlocks, static_cast<std::size_t>(limits.maxBlocks) / each);
    return plan;
}

void addBlocks(Arm& arm, LoadedConfiguration& loaded, int process)
{
    for (model::Block& block : loaded.taken.blocks) {
        block.process = process;
        arm.taken.blocks.push_back(block);
    }
    arm.taken.conditions.add(loaded.taken.conditions);
    arm.request.clock = std::max(arm.request.clock, loaded.taken.conditions.clockHigh);
    arm.taken.iterations.insert(arm.taken.iterations.end(), loaded.taken.iterations.begin(),
                                loaded.taken.iterations.end());
}

/// Opens one fresh worker of every trial and measures them in turns. The first round makes the plan.
worker::WorkerStatus confirmRound(const SweepContext& context, Arms& arms, int process, Nanoseconds limit,
                                  std::optional<Plan>& plan, DriftMonitor& monitor, QuietWait& quiet)
{
    const Nanoseconds begin = base::monotonicNow();
    worker::RunLimits limits = context.run.limits;
    limits.warmUpMost = std::min(limits.warmUpMost, kWarmUp);
    std::vector<LoadedConfiguration> configurations(arms.size());
    for (std::size_t i = 0; i < arms.size(); ++i) {
        const std::size_t index = (static_cast<std::size_t>(process) + i) % arms.size();
        auto opened = openConfiguration(context.run.launcher, arms[index].request, limits, context.stop);
        if (!opened)
            return opened.error();
        configurations[index] = std::move(*opened);
        configurations[index].leastBlock = blockTime(context, arms[index].trial, configurations[index].iteration);
    }
    const Nanoseconds open = base::monotonicNow();
    if (!plan)
        plan = planFor(open - begin, limit, context.run.limits);
    std::vector<LoadedConfiguration*> interleaved;
    for (LoadedConfiguration& configuration : configurations)
        interleaved.push_back(&configuration);
    // The target holds for the mean over the processes, so one process may be wider by the square root of their number.
    const double target = context.target * std::sqrt(plan->processes);
    const auto enough = [&](const LoadedConfiguration* configuration) { return configuration->converged(target); };
    const auto waitForQuiet = [&] {
        if (arms.front().device->type.isCpu())
            quiet.wait(context.stop,
                       [&] { context.tracker.message(base::message<reasons::kWaitingForQuiet>(quiet.left())); });
    };
    waitForQuiet();
    auto before = monitor.turn();
    std::map<const LoadedConfiguration*, std::int64_t> contended;
    for (std::size_t n = 0; n < plan->mostBlocks; ++n) {
        if (n >= plan->leastBlocks &&
            (base::monotonicNow() - open >= plan->measuring ||
             (n >= 2 * plan->leastBlocks && std::all_of(interleaved.begin(), interleaved.end(), enough))))
            break;
        if (auto status =
                measureRound(interleaved, static_cast<std::size_t>(process) + n, context.run.limits, context.stop);
            !status)
            return status;
        const auto after = monitor.turn();
        bool disturbed = false;
        for (LoadedConfiguration* configuration : interleaved) {
            configuration->taken.blocks.back().referenceNs = before && after ? std::sqrt(*before * *after) : 0;
            disturbed = disturbed || configuration->taken.conditions.contended > contended[configuration];
            contended[configuration] = configuration->taken.conditions.contended;
        }
        before = after;
        if (disturbed)
            waitForQuiet();
    }
    for (std::size_t i = 0; i < arms.size(); ++i)
        addBlocks(arms[i], configurations[i], process);
    return {};
}

/// Replaces all times of a trial, because its median and its percentiles must be from the same measurement.
void replaceTimes(const SweepContext& context, const DriftMonitor& monitor, Arm& arm, std::int64_t confirmation)
{
    model::Measurement m = arm.trial.measurement;
    m.blocks = std::move(arm.taken.blocks);
    m.confirmation = confirmation;
    arm.taken.conditions.keepFrom(m.conditions);
    m.conditions = arm.taken.conditions;
    m.iterations.clear();
    m.addPasses(arm.taken.iterations);
    stats::summarize(m, arm.trial.config.batch, context.target);
    monitor.note(m);
    if (std::find(m.flags.begin(), m.flags.end(), kFlag) == m.flags.end())
        m.flags.push_back(kFlag);
    context.tracker.replaceMeasurement(arm.index, std::move(m));
}

/// Whether every trial has enough passes for the percentiles that the goal bounds.
bool enoughForPercentiles(const SweepContext& context, const Arms& arms)
{
    return std::all_of(arms.begin(), arms.end(),
                       [&](const Arm& arm) { return arm.taken.iterations.size() >= passesNeeded(context, arm.trial); });
}

worker::WorkerStatus measure(const SweepContext& context, Arms& arms, Nanoseconds limit, DriftMonitor& monitor,
                             QuietWait& quiet)
{
    for (Arm& arm : arms) {
        arm.taken = {};
        if (auto status = prepare(context, arm); !status)
            return status;
    }
    std::optional<Plan> plan;
    for (int process = 1; !plan || process <= plan->processes; ++process)
        if (auto status = confirmRound(context, arms, process, limit, plan, monitor, quiet); !status)
            return status;
    return {};
}

/// Makes one confirmation; returns whether it replaced measurements.
bool confirmOnce(const SweepContext& context, DriftMonitors& monitors, Nanoseconds limit, Nanoseconds spare,
                 QuietWait& quiet, Confirm confirm)
{
    Arms arms = armsOf(context, confirm);
    if (arms.empty())
        return false;
    while (arms.size() > kNeeded && !(haveRoom(arms) && leastTime(context, arms) <= limit))
        arms.pop_back();
    // The expected time may come from a busy moment, so a confirmation that seems slightly too long is still tried.
    if (leastTime(context, arms).count > kEstimateSlack * limit.count) {
        context.tracker.message(base::message<reasons::kStaysUnconfirmed>(leastTime(context, arms), limit));
        return false;
    }

    const auto enough = static_cast<std::int64_t>(1.5 * static_cast<double>(leastTime(context, arms).count));
    const Nanoseconds usable = leastTime(context, arms) <= limit - spare ? limit - spare : limit;
    const Nanoseconds time = std::min(usable, std::max(context.run.limits.confirmMost, Nanoseconds{enough}));
    std::vector<std::string> others;
    for (const Arm& arm : arms)
        others.push_back(model::shortName(arm.trial.config, arm.device->type, true));
    const std::string winner = others.front();
    others.erase(others.begin());
    context.tracker.message(base::message<reasons::kConfirming>(winner, base::join(others, " and ")));
    DriftMonitor& monitor = monitors.at(arms.front().trial.device);
    auto status = measure(context, arms, time, monitor, quiet);
    // It is not known which trial failed. The two that must be compared get a second chance on their own.
    if (!status && !status.error().cancelled && arms.size() > kNeeded) {
        arms.resize(kNeeded);
        status = measure(context, arms, time, monitor, quiet);
    }
    if (!status) {
        if (!status.error().cancelled)
            context.tracker.message(base::message<reasons::kNotCompared>(status.error().reason.message));
        return false;
    }
    if (!enoughForPercentiles(context, arms)) {
        context.tracker.message(base::message<reasons::kTooFewPasses>());
        return false;
    }
    const auto last = context.tracker.read([](const std::vector<Trial>& trials) {
        std::int64_t most = 0;
        for (const Trial& trial : trials)
            most = std::max(most, trial.measurement.confirmation);
        return most;
    });
    for (Arm& arm : arms)
        replaceTimes(context, monitor, arm, last + 1);
    return true;
}

} // namespace

void confirmWinner(const SweepContext& context, DriftMonitors& monitors, Nanoseconds limit, Nanoseconds spare,
                   Confirm confirm)
{
    const Nanoseconds begin = base::monotonicNow();
    QuietWait quiet(quietAllowance(limit, context.run.limits));
    for (int i = 0; i < kMaxConfirmations; ++i) {
        const Nanoseconds left = limit - (base::monotonicNow() - begin);
        if (left.count <= 0 || !confirmOnce(context, monitors, left, spare, quiet, confirm))
            break;
        confirm = Confirm::open;
    }
}

Nanoseconds confirmationReserve(Nanoseconds budget, const worker::RunLimits& limits)
{
    return std::min(limits.confirmMost,
                    Nanoseconds{static_cast<std::int64_t>(static_cast<double>(budget.count) * limits.confirmShare)});
}

Nanoseconds confirmationTime(const SweepContext& context, const std::string& device, int processes, int arms,
                             Nanoseconds opening)
{
    return context.tracker.read([&](const std::vector<Trial>& trials) {
        Arms measured;
        for (const Trial& trial : trials)
            if (trial.device == device && trial.state == model::TrialState::ok)
                measured.push_back({0, trial});
        if (measured.empty())
            return Nanoseconds{};
        // The estimate must agree with leastTime(), which adds the start of a worker: trials that shared a worker do
        // not show it.
        const auto count = static_cast<std::int64_t>(measured.size());
        const auto open = std::max(opening.count, openingTime(measured).count / count);
        const auto perBlock = roundTime(context, measured).count / count;
        return Nanoseconds{arms * (processes * open + static_cast<std::int64_t>(kMinConfirmBlocks) * perBlock)};
    });
}

} // namespace apertune::study
