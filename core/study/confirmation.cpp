// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/confirmation.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/model/device.h"
#include "core/models/package_source.h"
#include "core/search/algorithm.h"
#include "core/search/recommend.h"
#include "core/search/searcher.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"
#include "core/stats/summarize.h"
#include "core/study/confirmation_plan.h"
#include "core/study/deadline.h"
#include "core/study/loaded_configuration.h"
#include "core/study/quiet_wait.h"
#include "core/study/reasons.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace apertune::study {

using base::Nanoseconds;
using model::Trial;
using worker::WorkerError;

namespace {

constexpr model::TrialFlag kConfirmed = model::TrialFlag::confirmed;
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

using Arms = std::vector<Arm>;

/// The trials of one confirmation.
template <typename T>
struct Chosen
{
    std::vector<T> all;     ///< in the order in which they are needed
    std::size_t needed = 2; ///< the first ones, which must be compared; the others may be left out
};

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
        // Trials of different devices cannot be interleaved.
        const Trial* trial = model::findTrial(m_trials, id);
        if (trial && trial->device == m_device && std::find(m_ids.begin(), m_ids.end(), id) == m_ids.end())
            m_ids.push_back(id);
    }

    /// Adds a trial and its baseline. The group is worth measuring when it has a pair that Confirm names.
    void addPair(model::TrialId winner, model::TrialId against)
    {
        const Trial* first = model::findTrial(m_trials, winner);
        const Trial* second = model::findTrial(m_trials, against);
        if (!first || !second || first == second || first->device != m_device || second->device != m_device)
            return;
        add(winner);
        add(against);
        // A pair that was interleaved already is settled, unless one of the two was kept waiting and the caller asks
        // for those again.
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

/// The best trials of several machine classes and their baselines, on the first device that is here; none for trials of
/// one class.
Chosen<model::TrialId> bestOfMachines(const SweepContext& context, const std::vector<Trial>& trials,
                                      const model::Goal& goal, Confirm confirm)
{
    const std::vector<model::Recommendation> best = search::bestOfMachines(trials, goal, context.noiseFloor);
    const auto first = std::find_if(best.begin(), best.end(), [&](const model::Recommendation& own) {
        return model::findDevice(context.run.devices, model::findTrial(trials, own.trial)->device) != nullptr;
    });
    if (first == best.end())
        return {};
    ABGroup abGroup(trials, model::findTrial(trials, first->trial)->device, confirm);
    for (const model::Recommendation& own : best)
        abGroup.addPair(first->trial, own.trial);
    const std::size_t needed = std::max<std::size_t>(2, abGroup.size());
    for (const model::Recommendation& own : best)
        abGroup.addPair(own.trial, own.against);
    return {abGroup.candidates(), needed};
}

/// The trials to interleave; none when nothing is left to find out.
Chosen<model::TrialId> candidates(const SweepContext& context, const std::vector<Trial>& trials,
                                  const std::vector<model::TrialId>& nominated, Confirm confirm)
{
    // A study of two configurations compares just these, whatever the goal prefers.
    if (const std::vector<model::TrialId> two = twoMeasuredTrials(trials); !two.empty()) {
        ABGroup abGroup(trials, model::findTrial(trials, two[0])->device, confirm);
        abGroup.addPair(two[0], two[1]);
        return {abGroup.candidates()};
    }
    // A goal with several objectives has a winner for each, and each of them is confirmed against its baseline.
    const std::vector<model::Goal> goals = model::singleObjectiveGoals(context.study.goal);
    const auto bestMeasured = [&](const model::Goal& goal) {
        return search::recommend(trials, goal, context.noiseFloor, search::Candidates::measured);
    };
    const auto best = bestMeasured(goals.front());
    if (!best)
        return bestOfMachines(context, trials, goals.front(), confirm);
    ABGroup abGroup(trials, model::findTrial(trials, best->trial)->device, confirm);
    // The winner comes first, because leaving out begins at the end of the list.
    abGroup.add(best->trial);
    abGroup.addPair(best->trial, best->against);
    // A trial that looks better than the confirmed winner was measured alone, so it has to beat the winner interleaved.
    if (const auto confirmed = search::recommend(trials, goals.front(), context.noiseFloor);
        confirmed && model::findTrial(trials, confirmed->trial)->measurement.confirmation > 0)
        abGroup.add(confirmed->trial);
    // Without the confirmed winner, the new one would replace it although the two were never compared.
    const std::size_t needed = std::max<std::size_t>(2, abGroup.size());
    // A mixed-precision search has to say how much int8 gains, so the float trials take part.
    if (context.study.space.search == search::Algorithm::bisect)
        for (const Trial& trial : trials)
            if (trial.state == model::TrialState::ok && !trial.config.quantization)
                abGroup.addPair(best->trial, trial.id);
    for (std::size_t i = 1; i < goals.size(); ++i)
        if (model::isTime(goals[i].objective)) // Interleaved blocks say nothing of memory and energy.
            if (const auto further = bestMeasured(goals[i]))
                abGroup.addPair(further->trial, further->against);

    const std::size_t rivalsFrom = abGroup.size();
    // Trials that the search named as close are taken before the recommended runner-up, because the search saw them in
    // turns.
    for (const model::TrialId id : nominated)
        if (const Trial* trial = model::findTrial(trials, id);
            abGroup.size() < rivalsFrom + kMostRivals && trial && search::isEligible(*trial, goals.front()))
            abGroup.add(id);
    if (best->runnerUp && abGroup.size() == rivalsFrom)
        abGroup.add(best->runnerUp->over);
    if (best->runnerUp &&
        !model::findTrial(trials, best->against)) // A winning baseline is compared with the runner-up.
        abGroup.addPair(best->trial, best->runnerUp->over);
    return {abGroup.candidates(), needed};
}

Chosen<Arm> armsOf(const SweepContext& context, Confirm confirm)
{
    // The nominated ids are copied before read(), because both take the tracker's lock.
    const std::vector<model::TrialId> nominated = context.tracker.nominated();
    Chosen<Arm> arms = context.tracker.read([&](const std::vector<Trial>& trials) {
        const Chosen<model::TrialId> chosen = candidates(context, trials, nominated, confirm);
        Chosen<Arm> found{{}, chosen.needed};
        for (const model::TrialId id : chosen.all) {
            const Trial* trial = model::findTrial(trials, id);
            found.all.push_back({static_cast<std::size_t>(trial - trials.data()), *trial});
        }
        return found;
    });
    for (Arm& arm : arms.all) {
        arm.device = model::findDevice(context.run.devices, arm.trial.device);
        if (!arm.device)
            // A device that is gone can no longer be measured, so nothing is confirmed.
            return {};
    }
    return arms;
}

/// Number of passes that all blocks of a trial need together so that the goal's highest bounded percentile is known. 0
/// where the goal bounds none, or the trial does not keep the bounds anyway.
std::size_t passesNeeded(const SweepContext& context, const Trial& trial)
{
    const auto& bounds = context.study.goal.maxPercentiles;
    // A trial that misses the bounds already does not need its percentiles known.
    if (bounds.empty() || !search::keepsPercentiles(trial.measurement, context.study.goal).value_or(false))
        return 0;
    // Bounds are sorted by percentile, and the highest one needs the most passes.
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
    // A block is at least one pass long, also where the pass is longer than the block's planned time.
    return sum;
}

/// Expected time to start, load and warm up one fresh worker of every trial.
Nanoseconds openingTime(const Arms& arms)
{
    Nanoseconds sum{};
    for (const Arm& arm : arms) {
        const model::Measurement& m = arm.trial.measurement;
        // More warm-up than kWarmUp is cut in the confirmation, so the estimate is cut in the same way.
        sum += kWorkerStart + m.load + m.first + std::min(m.warmup, kWarmUp);
    }
    return sum;
}

/// Expected time of the shortest useful confirmation in some processes a trial. One process needs only as many blocks
/// as have an interval; it is what is left when more do not fit.
Nanoseconds leastTime(const SweepContext& context, const Arms& arms, const DriftMonitor& monitor, int processes)
{
    // With one process there is no spread between processes to average, so only the interval's minimum is asked for.
    const auto rounds = static_cast<std::int64_t>(processes > 1 ? kMinConfirmBlocks : stats::kIntervalSamples);
    // One reference turn and its settling pass.
    const auto referenceTurn = static_cast<std::int64_t>(2 * monitor.firstNs()); // with the pass that is not counted
    return {processes * openingTime(arms).count + rounds * (roundTime(context, arms).count + referenceTurn)};
}

/// Whether all models fit into memory side by side. On a host half of it is left to other programs.
bool haveRoom(const Arms& arms)
{
    double taken = 0;
    for (const Arm& arm : arms) {
        const auto& peak = arm.trial.measurement.memory.peakOn(arm.device->type);
        // A peak that was not reported counts as nothing, as there is nothing better to assume.
        taken += peak ? static_cast<double>(peak->count) : 0;
    }
    const model::Device& device = *arms.front().device;
    // A device's own memory belongs to the workers but for what driver and engines keep; a host has other programs.
    const double share = device.type.hasOwnMemory() ? 0.9 : 0.5;
    // A size of 0 or less is not known.
    return device.memory.count <= 0 || taken <= share * static_cast<double>(device.memory.count);
}

/// Fills in the request of a trial; compiles or converts where the package is no longer in the cache.
worker::WorkerStatus prepare(const SweepContext& context, Arm& arm, const std::stop_token& stop)
{
    const model::Config& config = arm.trial.config;
    arm.request = requestFor(context.study, config, *arm.device);
    // Configurations that run as loaded need no package.
    if (!config.isCompiled() && !(context.run.packages && context.run.packages->needed(context.study.model, config)))
        return {};
    if (!context.run.packages)
        return WorkerError{model::Reason{model::ReasonKind::unsupported, base::message<reasons::kNothingCompiles>()}};
    auto package = context.run.packages->get(context.study.model, config, *arm.device, {}, stop);
    if (!package)
        return WorkerError{model::Reason{model::ReasonKind::compileFailed, package.error().message}};
    arm.request.package = package->path;
    return {};
}

/// Every other process starts with the model's files out of the page cache, so that both sorts of starts are known.
bool startsCold(int process)
{
    return process % 2 == 1;
}

/// Adds the first `count` blocks of a process to those of its trial.
void addBlocks(Arm& arm, LoadedConfiguration& loaded, std::size_t count, int process)
{
    Blocks& taken = loaded.taken;
    // A process may have measured one more round for some arms than for others when its time ended.
    taken.blocks.resize(count);
    std::size_t passes = 0;
    for (model::Block& block : taken.blocks) {
        block.process = process;
        // Only the passes of the kept blocks belong to them; the rest are from the round that was cut off.
        passes += static_cast<std::size_t>(block.iterations);
        arm.taken.blocks.push_back(block);
    }
    taken.iterations.resize(std::min(passes, taken.iterations.size()));
    arm.taken.conditions.add(taken.conditions);
    // Later processes recognize a lower clock by the highest one that was seen so far.
    arm.request.clock = std::max(arm.request.clock, taken.conditions.clockHigh);
    arm.taken.iterations.insert(arm.taken.iterations.end(), taken.iterations.begin(), taken.iterations.end());
}

/// Measures the arms of one confirmation interleaved, in as many processes and rounds as fit into its time.
class InterleavedMeasurement
{
public:
    /// `limit`: the time that is planned with. `rest`: the time until which trials are measured on whose
    /// ratios are not precise enough. `most`: the time after which whatever runs is given up; until then there is time
    /// for rounds that an interval lacks.
    InterleavedMeasurement(const SweepContext& context, Chosen<Arm>& arms, Nanoseconds limit, Nanoseconds rest,
                           Nanoseconds most, DriftMonitor& monitor, QuietWait& quiet)
        : m_context(context), m_arms(arms.all), m_needed(arms.needed), m_begin(base::monotonicNow()), m_limit(limit),
          m_rest(rest), m_plan(limit, most - limit, context.run.limits), m_deadline(context.stop, most),
          m_monitor(monitor), m_quiet(quiet)
    {
        m_limits.warmUpMost = std::min(m_limits.warmUpMost, kWarmUp);
    }

    /// Returns how many rounds all arms have. Rounds that were complete when the time ended count. Failures: those of
    /// the workers; cancelled.
    worker::WorkerReply<std::size_t> measure()
    {
        for (Arm& arm : m_arms) {
            arm.taken = {};
            if (auto status = prepare(m_context, arm, m_deadline.token()); !status && !m_deadline.expired())
                return status.error();
        }
        // The first process runs in any case: the plan cannot know the cost of one before it.
        int process = 1;
        for (; !m_deadline.expired() && (process == 1 || m_plan.anotherProcess(now())); ++process)
            if (auto status = measureProcess(process); !status && !m_deadline.expired())
                return status.error();
        for (; !m_deadline.expired() && isImprecise() && m_plan.extend(now(), m_rest); ++process)
            if (auto status = measureProcess(process); !status && !m_deadline.expired())
                return status.error();
        return m_arms.front().taken.blocks.size();
    }

private:
    Nanoseconds now() const { return base::monotonicNow() - m_begin; }

    /// Whether an interval of a ratio to the best arm is too wide: wider than what counts as a tie, and than a quarter
    /// of the difference itself. Only a budget says how much more processes are worth.
    ///
    /// The width alone decides (fixed-width sequential intervals, Chow and Robbins 1965). Processes that go on until a
    /// verdict names a winner would name a false one too often.
    bool isImprecise() const
    {
        if (!m_context.tracker.budget() || !m_context.run.limits.usesRest)
            return false;
        const bool perSample = m_context.study.goal.objective != model::Objective::latency;
        std::vector<Trial> trials;
        for (const Arm& arm : m_arms) {
            trials.push_back(arm.trial);
            trials.back().measurement.blocks = arm.taken.blocks;
            trials.back().measurement.confirmation = std::numeric_limits<std::int64_t>::max();
        }
        const Trial* best = &trials.front();
        for (const Trial& trial : trials)
            if (const auto effect = stats::effectBetween({*best}, {trial}, perSample);
                effect && effect->ratio.value > 1)
                best = &trial;
        return std::any_of(trials.begin(), trials.end(), [&](const Trial& trial) {
            const auto effect = &trial == best ? std::nullopt : stats::effectBetween({trial}, {*best}, perSample);
            if (!effect)
                return false;
            const model::Interval& ratio = effect->ratio;
            constexpr double kOfDifference = 0.25;
            const double enough = std::max(search::kTie, kOfDifference * std::abs(std::log(ratio.value)));
            return !(ratio.confidence > 0 && (std::log(ratio.hi) - std::log(ratio.lo)) / 2 <= enough);
        });
    }

    /// Opens one fresh worker of every arm and measures them interleaved.
    worker::WorkerStatus measureProcess(int process)
    {
        const Nanoseconds begin = now();
        std::vector<LoadedConfiguration> opened(m_arms.size());
        std::vector<Nanoseconds> costs(m_arms.size());
        for (std::size_t i = 0; i < m_arms.size(); ++i) {
            // Each process opens the arms in another order, so that no arm is always the first on a cold machine.
            const std::size_t index = (static_cast<std::size_t>(process) + i) % m_arms.size();
            const Nanoseconds before = now();
            m_arms[index].request.cold = startsCold(process);
            auto configuration =
                openConfiguration(m_context.run.launcher, m_arms[index].request, m_limits, m_deadline.token());
            if (!configuration)
                return configuration.error();
            opened[index] = std::move(*configuration);
            opened[index].leastBlock = blockTime(m_context, m_arms[index].trial, opened[index].iteration);
            costs[index] = now() - before;
        }
        m_plan.opened(now(), now() - begin);
        std::size_t rounds = 0;
        worker::WorkerStatus status;
        auto before = m_monitor.measureReference();
        // The reference is measured before and after each round, so that drift within a round is taken out.
        for (; m_plan.anotherRound(now(), rounds > 0 && haveConverged(opened)); ++rounds) {
            const Nanoseconds roundBegin = now();
            // The order within a round rotates as well: the first arm of a round follows the reference each time.
            if (status = measureRound(pointersTo(opened), static_cast<std::size_t>(process) + rounds, m_limits,
                                      m_deadline.token());
                !status)
                break;
            const auto after = m_monitor.measureReference();
            for (LoadedConfiguration& configuration : opened)
                configuration.taken.blocks.back().referenceNs = before && after ? std::sqrt(*before * *after) : 0;
            before = after;
            const Nanoseconds cost = now() - roundBegin;
            m_plan.roundEnded(cost);
            if (const std::int64_t contended = contendedBlocks(opened); contended > m_contended) {
                m_contended = contended;
                // The reference of before the wait says nothing about the machine after it.
                if (waitForQuiet(m_arms.front().taken.blocks.size() + rounds + 1, cost))
                    before = m_monitor.measureReference();
            }
            // After the first round of the first process all costs are measured, and estimates are no longer needed.
            if (process == 1 && rounds == 0)
                leaveOutWhatDoesNotFit(opened, costs, cost);
        }
        m_contended = 0;
        // A worker that failed after its time ended was given up on purpose, and its complete rounds count.
        if (!status && !m_deadline.expired())
            return status;
        for (std::size_t i = 0; i < m_arms.size(); ++i)
            addBlocks(m_arms[i], opened[i], rounds, process);
        return {};
    }

    /// Leaves out the last arms when the time does not suffice for two processes of all. The costs of one process are
    /// those of opening each arm, and of the first round.
    void leaveOutWhatDoesNotFit(std::vector<LoadedConfiguration>& opened, std::vector<Nanoseconds>& costs,
                                Nanoseconds round)
    {
        while (m_arms.size() > m_needed && m_plan.processes() < 2) {
            Nanoseconds measured{};
            for (const LoadedConfiguration& configuration : opened)
                measured += configuration.taken.blocks.back().wall;
            // The share of the arm in the round's measured time, because the costs of rounds are not known by arm.
            const double left = 1 - static_cast<double>(opened.back().taken.blocks.back().wall.count) /
                                        std::max(1.0, static_cast<double>(measured.count));
            round = Nanoseconds{static_cast<std::int64_t>(left * static_cast<double>(round.count))};
            m_arms.pop_back();
            opened.pop_back();
            costs.pop_back();
            Nanoseconds opening{};
            for (const Nanoseconds cost : costs)
                opening += cost;
            m_plan.setCosts(opening, round);
        }
    }

    /// The target holds for the mean over the processes, so one process may be wider by the root of their number.
    bool haveConverged(const std::vector<LoadedConfiguration>& opened) const
    {
        const double target = m_context.target * std::sqrt(m_plan.processes());
        return std::all_of(opened.begin(), opened.end(), [target](const LoadedConfiguration& configuration) {
            return configuration.converged(target);
        });
    }

    static std::vector<LoadedConfiguration*> pointersTo(std::vector<LoadedConfiguration>& opened)
    {
        std::vector<LoadedConfiguration*> pointers;
        for (LoadedConfiguration& configuration : opened)
            pointers.push_back(&configuration);
        return pointers;
    }

    static std::int64_t contendedBlocks(const std::vector<LoadedConfiguration>& opened)
    {
        std::int64_t count = 0;
        for (const LoadedConfiguration& configuration : opened)
            count += configuration.taken.conditions.contended;
        return count;
    }

    /// Waits no longer than leaves time for the rounds that an interval still lacks. `taken`: rounds so far; `round`:
    /// cost of the last one. Returns whether it waited.
    bool waitForQuiet(std::size_t taken, Nanoseconds round)
    {
        constexpr double kSlack = 1.5; // The next rounds may be slower than the last one.
        const std::size_t lacking = taken < stats::kIntervalSamples ? stats::kIntervalSamples - taken : 0;
        const Nanoseconds rounds = base::fromSeconds(kSlack * static_cast<double>(lacking) * round.seconds());
        const Nanoseconds spare = m_limit - now() - rounds;
        // Only a CPU is waited for: the runnable threads of other programs say nothing about a GPU.
        if (spare.count <= 0 || !m_arms.front().device->type.isCpu())
            return false;
        const Deadline enough(m_deadline.token(), spare);
        const Nanoseconds begin = now();
        bool waited = false;
        m_quiet.wait(enough.token(), [this, spare, &waited] {
            waited = true;
            m_context.tracker.message(base::message<reasons::kWaitingForQuiet>(std::min(m_quiet.left(), spare)));
        });
        m_plan.waited(now() - begin);
        return waited;
    }

    const SweepContext& m_context;
    Arms& m_arms;
    const std::size_t m_needed; ///< number of arms that are not left out
    const Nanoseconds m_begin;
    const Nanoseconds m_limit;
    const Nanoseconds m_rest;
    worker::RunLimits m_limits = m_context.run.limits;
    ConfirmationPlan m_plan;
    Deadline m_deadline;
    DriftMonitor& m_monitor;
    QuietWait& m_quiet;
    std::int64_t m_contended = 0; ///< blocks of the open process that other programs disturbed
};

/// Replaces all times of a trial, because its median and its percentiles must be from the same measurement.
void replaceTimes(const SweepContext& context, const DriftMonitor& monitor, Arm& arm, std::int64_t confirmation)
{
    // Everything but times stays from the trial's own measurement: quality, memory and applied switches do not change
    // by repeating.
    model::Measurement m = arm.trial.measurement;
    m.blocks = std::move(arm.taken.blocks);
    m.confirmation = confirmation;
    // Drift readings and energy need longer measurements than interleaved blocks, so the earlier ones are kept.
    arm.taken.conditions.keepFrom(m.conditions);
    m.conditions = arm.taken.conditions;
    m.iterations.clear();
    m.addPasses(arm.taken.iterations);
    stats::summarize(m, arm.trial.config.batch, context.target);
    monitor.note(m);
    if (std::find(m.flags.begin(), m.flags.end(), kConfirmed) == m.flags.end())
        m.flags.push_back(kConfirmed);
    context.tracker.replaceMeasurement(arm.index, std::move(m));
}

/// Whether every trial has enough passes for the percentiles that the goal bounds.
bool enoughForPercentiles(const SweepContext& context, const Arms& arms)
{
    return std::all_of(arms.begin(), arms.end(),
                       [&](const Arm& arm) { return arm.taken.iterations.size() >= passesNeeded(context, arm.trial); });
}

/// The time beyond the budget that rounds may take without which a confirmation would have no result.
Nanoseconds graceOf(const TrialTracker& tracker)
{
    const auto left = tracker.wholeBudgetLeft();
    const auto withGrace = tracker.graceLeft();
    return left && withGrace ? std::max(Nanoseconds{}, *withGrace - *left) : Nanoseconds{};
}

/// Makes one confirmation; returns whether it replaced measurements.
bool confirmOnce(const SweepContext& context, DriftMonitors& monitors, Nanoseconds limit, Nanoseconds spare,
                 QuietWait& quiet, Confirm confirm)
{
    Chosen<Arm> chosen = armsOf(context, confirm);
    Arms& arms = chosen.all;
    if (arms.empty())
        return false;
    DriftMonitor& monitor = monitors.at(arms.front().trial.device);
    const auto least = [&](int processes) { return leastTime(context, arms, monitor, processes); };
    // From two processes on, an interval holds what differs between processes, so two are preferred over more arms.
    while (arms.size() > chosen.needed && !(haveRoom(arms) && least(2) <= limit))
        arms.pop_back();
    // The expected time may come from a busy moment, so a confirmation that seems slightly too long is still tried.
    if (least(1).count > kEstimateSlack * limit.count) {
        context.tracker.message(base::message<reasons::kStaysUnconfirmed>(least(1), limit));
        return false;
    }

    const Nanoseconds begin = base::monotonicNow();
    const auto enough = static_cast<std::int64_t>(1.5 * static_cast<double>(least(2).count));
    // The spare time is for the noise floor, which is given up first.
    const Nanoseconds usable = least(2) <= limit - spare ? limit - spare : limit;
    // Waiting for a quiet machine takes nothing from the rounds while the budget has time for both.
    const Nanoseconds time =
        std::min(usable, std::max(context.run.limits.confirmMost, Nanoseconds{enough}) + quiet.left());
    std::vector<std::string> others;
    for (const Arm& arm : arms)
        others.push_back(context.tracker.names().of(arm.trial));
    const std::string winner = others.front();
    others.erase(others.begin());
    context.tracker.message(base::message<reasons::kConfirming>(winner, base::join(others, " and ")));
    auto rounds =
        InterleavedMeasurement(context, chosen, time, usable, limit + graceOf(context.tracker), monitor, quiet)
            .measure();
    // It is not known which trial failed. Those that must be compared get a second chance on their own.
    if (const Nanoseconds left = limit - (base::monotonicNow() - begin);
        !rounds && !rounds.error().cancelled && arms.size() > chosen.needed && left.count > 0) {
        arms.resize(chosen.needed);
        rounds = InterleavedMeasurement(context, chosen, std::min(time, left), std::min(usable, left),
                                        left + graceOf(context.tracker), monitor, quiet)
                     .measure();
    }
    if (!rounds) {
        if (!rounds.error().cancelled)
            context.tracker.message(base::message<reasons::kNotCompared>(rounds.error().reason.message));
        return false;
    }
    if (*rounds < static_cast<std::size_t>(stats::kIntervalSamples)) {
        context.tracker.message(base::message<reasons::kTooFewRounds>(*rounds, stats::kIntervalSamples));
        return false;
    }
    if (!enoughForPercentiles(context, arms)) {
        context.tracker.message(base::message<reasons::kTooFewPasses>());
        return false;
    }
    // The number names all trials of one confirmation, so that later readers know which were interleaved.
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
        // A disturbed pair is measured again once. Repeating it for the same reason would never end on a busy machine.
        confirm = Confirm::open;
    }
}

Nanoseconds confirmationReserve(Nanoseconds budget, const worker::RunLimits& limits)
{
    // The share of the budget, at most the fixed limit.
    return std::min(limits.confirmMost,
                    Nanoseconds{static_cast<std::int64_t>(static_cast<double>(budget.count) * limits.confirmShare)});
}

Nanoseconds confirmationTime(const SweepContext& context, const std::string& device, int processes, int arms,
                             Nanoseconds opening)
{
    return context.tracker.read([&](const std::vector<Trial>& trials) {
        Arms measured;
        // The average of all measured trials stands for those to be confirmed, as the winner is not known yet.
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
