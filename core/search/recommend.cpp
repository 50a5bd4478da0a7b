// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/recommend.h"

#include "core/base/text.h"
#include "core/model/configuration_names.h"
#include "core/model/left_out.h"
#include "core/stats/compare.h"
#include "core/stats/energy.h"
#include "core/stats/reference_turns.h"
#include "core/stats/starts.h"
#include "core/stats/summarize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <tuple>

namespace apertune::search {

using model::Goal;
using model::Interval;
using model::Objective;
using model::Trial;

namespace {

long switchesOn(const model::Config& config)
{
    return std::count_if(config.switches.begin(), config.switches.end(),
                         [](const auto& entry) { return entry.second; });
}

std::optional<base::Bytes> peakMemory(const Trial& trial)
{
    const model::DeviceType device = model::typeOfDevice(trial.device);
    const model::MemoryUse& memory = trial.measurement.memory;
    // Where the driver does not report the peak of a device, that of the engine's allocator is the closest figure.
    return device.hasOwnMemory() && !memory.devicePeak ? memory.allocatorPeak : memory.peakOn(device);
}

bool isMeasured(const Trial& trial)
{
    const double latency = trial.measurement.latencyNs.value;
    return trial.state == model::TrialState::ok && std::isfinite(latency) && latency > 0 &&
           std::isfinite(trial.measurement.throughput.value) && trial.measurement.throughput.value > 0;
}

/// The objective as a cost, where smaller is better: nanoseconds a pass, seconds a sample, bytes, or joules a sample.
Interval costOf(const Trial& trial, Objective objective)
{
    switch (objective) {
    case Objective::latency:
        return trial.measurement.latencyNs;
    case Objective::memory: {
        const auto peak = peakMemory(trial);
        const double bytes = peak ? static_cast<double>(peak->count) : INFINITY;
        return {bytes, bytes, bytes, 0};
    }
    case Objective::energy:
        return stats::energyOfSample(trial.measurement.conditions).value_or(Interval{INFINITY, INFINITY, INFINITY, 0});
    case Objective::throughput:
        break;
    }
    const Interval& t = trial.measurement.throughput;
    // The interval of the inverse has its ends exchanged.
    return {1 / t.value, 1 / t.hi, 1 / t.lo, t.confidence};
}

/// The scale on which times of some trials are ranked: multiples of the reference where all of them had turns of the
/// same one, for then they need not be of the same minute; else nanoseconds.
class Ranking
{
public:
    explicit Ranking(const std::vector<const Trial*>& trials)
        : m_throughReference(std::all_of(trials.begin(), trials.end(), [&](const Trial* trial) {
              return stats::haveCommonReference(*trials.front(), *trial);
          }))
    {
    }

    /// The objective as a cost, comparable among the trials.
    Interval cost(const Trial& trial, Objective objective) const
    {
        if (m_throughReference && model::isTime(objective))
            if (const auto relative = stats::relativeToReference(trial, objective == Objective::throughput))
                return *relative;
        return costOf(trial, objective);
    }

private:
    bool m_throughReference;
};

auto simplicity(const Trial& trial)
{
    return std::tuple(trial.config.level, switchesOn(trial.config), trial.config.batch, trial.ordinal);
}

/// Whether a confirmation had time for one process only. Its blocks do not show what processes differ by.
bool hasOneProcess(const Trial& trial)
{
    const auto& blocks = trial.measurement.blocks;
    return trial.measurement.confirmation > 0 && !blocks.empty() && blocks.back().process == 1;
}

/// The energy of a sample of `other` over that of `trial`. Their stretches took no turns, so nobody is named.
model::Margin energyMargin(const Trial& other, const Trial& trial, double noiseFloor)
{
    const Interval b = costOf(other, Objective::energy);
    const Interval c = costOf(trial, Objective::energy);
    // The widest ratio that the two intervals allow, because the measurements are independent.
    const Interval ratio{b.value / c.value, b.lo / c.hi, b.hi / c.lo, std::min(b.confidence, c.confidence)};
    const bool isKnown = std::isfinite(ratio.value) && std::isfinite(ratio.hi);
    const Interval none{1, 1, 1, 0};
    const stats::Verdict verdict = stats::verdictOf(isKnown ? ratio : none, std::max(0.01, noiseFloor));
    return {other.id, isKnown ? ratio : none, verdict == stats::Verdict::same ? verdict : stats::Verdict::cannotTell};
}

model::Margin marginOver(const Trial& other, const Trial& trial, Objective objective, double noiseFloor)
{
    if (objective == Objective::energy)
        return energyMargin(other, trial, noiseFloor);
    const bool perSample = objective != Objective::latency;
    if (stats::wereInterleaved(other, trial) && hasOneProcess(trial))
        // The blocks of a single process do not show how processes differ, so that is assumed.
        noiseFloor = std::max(noiseFloor, kBetweenProcesses);
    stats::CompareOptions options;
    options.noiseFloor = noiseFloor;
    // The machine may have changed between trials that were measured at different times, and beside other programs a
    // ratio shows how they share the processors. Neither gets a winner.
    const auto named = [&](stats::Verdict verdict) {
        return stats::wereInterleaved(other, trial) && !stats::wasKeptWaiting(other.measurement) &&
                       !stats::wasKeptWaiting(trial.measurement)
                   ? verdict
                   : stats::Verdict::cannotTell;
    };
    if (const auto effect = stats::effectBetween({other}, {trial}, perSample, options))
        return {other.id, stats::withNoiseFloor(*effect, noiseFloor), named(effect->verdict)};
    const Interval& b = other.measurement.latencyNs;
    const Interval& c = trial.measurement.latencyNs;
    const double samples =
        // The batch turns times of passes into times of samples.
        perSample ? static_cast<double>(trial.config.batch) / static_cast<double>(other.config.batch) : 1;
    const Interval ratio{samples * b.value / c.value, samples * b.lo / c.hi, samples * b.hi / c.lo,
                         std::min(b.confidence, c.confidence)};
    return {other.id, ratio, named(stats::verdictOf(ratio, std::max(options.indifference, noiseFloor)))};
}

/// The trial that the speed-up refers to, by the rules of recommend().
const Trial* referenceFor(const Trial& best, const std::vector<Trial>& trials)
{
    // The engine that was planned first is the one that the model was written for, so others are compared with it.
    const auto first = std::min_element(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
        return std::pair(!a.config.isReference(), a.ordinal) < std::pair(!b.config.isReference(), b.ordinal);
    });
    const auto distance = [&](const Trial& trial) {
        // Batches are compared by their ratio: 2 is as far from 4 as 4 is from 8.
        const double octaves =
            std::log2(static_cast<double>(trial.config.batch)) - std::log2(static_cast<double>(best.config.batch));
        // The same engine first, then the most threads, as engines use them unless told otherwise, then the nearest
        // batch; the planned order decides the rest.
        return std::tuple(trial.config.backend != first->config.backend, -trial.config.threads, std::abs(octaves),
                          trial.ordinal);
    };
    const Trial* nearest = nullptr;
    for (const Trial& trial : trials)
        if (trial.config.isReference() && isMeasured(trial) && trial.device == best.device &&
            (!nearest || distance(trial) < distance(*nearest)))
            nearest = &trial;
    return nearest;
}

/// The candidates of the latest confirmation with more than the reference in it (see Candidates); all candidates where
/// there was none.
/// REQUIRES: `candidates` is not empty.
std::vector<const Trial*> confirmedFirst(const std::vector<const Trial*>& candidates, const std::vector<Trial>& trials)
{
    std::int64_t latest = 0;
    for (const Trial* trial : candidates)
        if (const std::int64_t number = trial->measurement.confirmation;
            number > latest && trial != referenceFor(*trial, trials))
            latest = number;
    if (latest == 0)
        return candidates;
    // Trials of other confirmations were not interleaved with these.
    std::vector<const Trial*> contenders = candidates;
    std::erase_if(contenders, [latest](const Trial* trial) { return trial->measurement.confirmation != latest; });
    return contenders;
}

const std::string& machineOf(const Trial& trial)
{
    return trial.measurement.conditions.machine;
}

/// The machine classes of the measured trials: first that of the study's environment, then those of the others in
/// planned order.
std::vector<std::string> machinesOf(const std::vector<Trial>& trials)
{
    std::vector<std::string> machines;
    for (const Trial& trial : trials)
        if (isMeasured(trial) && std::find(machines.begin(), machines.end(), machineOf(trial)) == machines.end())
            machines.insert(machineOf(trial).empty() ? machines.begin() : machines.end(), machineOf(trial));
    return machines;
}

std::vector<Trial> measuredOn(const std::string& machine, const std::vector<Trial>& trials)
{
    std::vector<Trial> own;
    std::copy_if(trials.begin(), trials.end(), std::back_inserter(own),
                 [&](const Trial& trial) { return isMeasured(trial) && machineOf(trial) == machine; });
    return own;
}

/// The measured trials of the machine class on which the latest confirmation was made; empty where there was none.
std::vector<Trial> confirmedMachine(const std::vector<Trial>& trials)
{
    const auto latest = std::max_element(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
        return a.measurement.confirmation < b.measurement.confirmation;
    });
    return latest == trials.end() || latest->measurement.confirmation == 0 ? std::vector<Trial>()
                                                                           : measuredOn(machineOf(*latest), trials);
}

/// A trial with its gain over its reference.
model::Recommendation withGain(const Trial& trial, const std::vector<Trial>& trials, const Goal& goal,
                               double noiseFloor)
{
    model::Recommendation result;
    result.trial = trial.id;
    result.speedup = {1, 1, 1, 0};
    const Trial* reference = referenceFor(trial, trials);
    if (reference && reference != &trial) {
        const model::Margin gain = marginOver(*reference, trial, goal.objective, noiseFloor);
        result.speedup = gain.ratio;
        result.against = reference->id;
        result.verdict = gain.verdict;
    }
    return result;
}

/// Whether turns decided for the trial, or no measured trial can take turns with it and none is left to measure.
bool isDecided(const model::StudySnapshot& snapshot, const model::Recommendation& best)
{
    const Trial& chosen = *snapshot.find(best.trial);
    std::size_t measured = 0;
    bool hasRival = false;
    for (const Trial& other : snapshot.trials) {
        if (stats::wereInterleaved(chosen, other))
            return true;
        measured += other.state == model::TrialState::ok ? 1u : 0u;
        hasRival = hasRival || (other.id != chosen.id && other.device == chosen.device &&
                                (other.id == best.against || isEligible(other, snapshot.study.goal)));
    }
    // A study of two configurations compares just these, whatever the goal prefers.
    const bool isPair =
        measured == 2 && std::none_of(snapshot.trials.begin(), snapshot.trials.end(), [&](const Trial& t) {
            return t.state == model::TrialState::ok && t.device != chosen.device;
        });
    const bool isOpen = std::any_of(snapshot.trials.begin(), snapshot.trials.end(), [](const Trial& trial) {
        return !model::isFinal(trial.state) || model::isLeftOutForTime(trial);
    });
    return !hasRival && !isPair && !isOpen;
}

/// The candidates of a study without a recommendation, by the rules of addRecommendations().
std::vector<model::Recommendation> shortlistOf(const std::vector<Trial>& trials, const Goal& goal, double noiseFloor)
{
    if (machinesOf(trials).size() > 1)
        return shortlistOf(confirmedMachine(trials), goal, noiseFloor);
    const auto first = recommend(trials, goal, noiseFloor, Candidates::measured);
    if (!first)
        return {};
    std::vector<const Trial*> others;
    const Trial* leader = nullptr;
    for (const Trial& trial : trials)
        if (trial.id == first->trial)
            leader = &trial;
        else if (isEligible(trial, goal))
            others.push_back(&trial);
    std::vector<const Trial*> all = others;
    all.push_back(leader);
    const Ranking ranking(all);
    const auto cost = [&](const Trial* trial) { return ranking.cost(*trial, goal.objective); };
    std::sort(others.begin(), others.end(), [&](const Trial* a, const Trial* b) {
        // Trials with an interval come before those without.
        return std::tuple(cost(a).confidence <= 0, cost(a).value, simplicity(*a)) <
               std::tuple(cost(b).confidence <= 0, cost(b).value, simplicity(*b));
    });
    std::vector<model::Recommendation> list{withGain(*leader, trials, goal, noiseFloor)};
    for (const Trial* trial : others) {
        const bool overlaps = cost(trial).lo <= cost(leader).hi;
        const bool isNext = trial == others.front() && trial->id != first->against;
        if (list.size() < kShortlistMost && (overlaps || isNext))
            list.push_back(withGain(*trial, trials, goal, noiseFloor));
    }
    return list;
}

/// Objectives of the Pareto front.
std::vector<Objective> frontObjectives(const Goal& goal)
{
    if (goal.also.empty())
        return {Objective::latency, Objective::throughput};
    std::vector<Objective> all{goal.objective};
    all.insert(all.end(), goal.also.begin(), goal.also.end());
    return all;
}

/// Costs of a trial in each objective of the front.
struct Costs
{
    const Trial* trial = nullptr;
    std::array<Interval, 4> each{}; ///< one for each Objective at most
    std::size_t count = 0;

    bool dominates(const Costs& other) const
    {
        if (machineOf(*trial) != machineOf(*other.trial))
            return false;
        bool surely = false;
        for (std::size_t i = 0; i < count; ++i) {
            if (!(each[i].value <= other.each[i].value)) // A NaN does not dominate.
                return false;
            surely = surely || each[i].hi < other.each[i].lo;
        }
        return surely;
    }
    bool overlaps(const Costs& other) const
    {
        if (machineOf(*trial) != machineOf(*other.trial))
            return false;
        for (std::size_t i = 0; i < count; ++i)
            if (!(each[i].lo <= other.each[i].hi && other.each[i].lo <= each[i].hi))
                return false;
        return true;
    }
};

/// Eligible trials that no other dominates, sorted by latency.
std::vector<Costs> frontOf(const std::vector<Trial>& trials, const Goal& goal)
{
    const std::vector<Objective> objectives = frontObjectives(goal);
    std::vector<const Trial*> eligible;
    for (const Trial& trial : trials)
        if (isEligible(trial, goal))
            eligible.push_back(&trial);
    const Ranking ranking(eligible);
    std::vector<Costs> all;
    for (const Trial* trial : eligible) {
        Costs costs{trial, {}, 0};
        for (const Objective objective : objectives)
            costs.each[costs.count++] = ranking.cost(*trial, objective);
        all.push_back(costs);
    }
    // With the strongest first, a dominated trial is mostly found to be so by one of the first few. Views draw studies
    // of ten thousand trials again and again, so the usual case has to be fast.
    const auto product = [](const Costs& costs) {
        double value = 1;
        for (std::size_t i = 0; i < costs.count; ++i)
            value *= costs.each[i].value;
        return value;
    };
    std::sort(all.begin(), all.end(), [&](const Costs& a, const Costs& b) { return product(a) < product(b); });
    std::vector<Costs> front;
    for (const Costs& costs : all)
        if (std::none_of(all.begin(), all.end(), [&](const Costs& other) { return other.dominates(costs); }))
            front.push_back(costs);
    std::sort(front.begin(), front.end(), [](const Costs& a, const Costs& b) {
        return std::tuple(a.trial->measurement.latencyNs.value, a.trial->ordinal) <
               std::tuple(b.trial->measurement.latencyNs.value, b.trial->ordinal);
    });
    return front;
}

} // namespace

std::optional<bool> keepsPercentiles(const model::Measurement& measurement, const Goal& goal)
{
    bool known = true;
    for (const auto& [percent, most] : goal.maxPercentiles) {
        const auto bound = static_cast<double>(most.count);
        const auto& value = percent == 50   ? measurement.p50Ns
                            : percent == 90 ? measurement.p90Ns
                            : percent == 95 ? measurement.p95Ns
                                            : measurement.p99Ns;
        if (!(value.value_or(measurement.latencyNs.value) <= bound))
            return false;
        known = known && value.has_value();
    }
    return known ? std::optional(true) : std::nullopt;
}

bool isEligible(const Trial& trial, const Goal& goal)
{
    if (!isMeasured(trial))
        return false;
    const auto& quality = trial.measurement.quality;
    // The reference has no quality, as it is what the others are compared with.
    if (!quality && !trial.config.isReference())
        return false;
    if (quality && (quality->nanCount > 0 || !model::keepsQuality(goal, *quality)))
        return false;
    if (goal.maxLatency && !(trial.measurement.latencyNs.value <= static_cast<double>(goal.maxLatency->count)))
        return false;
    if (!keepsPercentiles(trial.measurement, goal).value_or(false))
        return false;
    if (goal.maxEnergy || goal.objective == Objective::energy) {
        const auto energy = stats::energyOfSample(trial.measurement.conditions);
        // A comparison with NaN is false, so an unknown energy breaks the bound.
        if (!energy || (goal.maxEnergy && !(energy->value <= *goal.maxEnergy)))
            return false;
    }
    if (goal.maxFirst) {
        const auto first = stats::firstAnswerNs(trial.measurement);
        if (!first || !(*first <= static_cast<double>(goal.maxFirst->count)))
            return false;
    }
    const auto peak = peakMemory(trial);
    if ((goal.maxMemory || goal.objective == Objective::memory) && !peak)
        return false;
    return !goal.maxMemory || *peak <= *goal.maxMemory;
}

std::optional<model::Recommendation> recommend(const std::vector<Trial>& trials, const Goal& goal, double noiseFloor,
                                               Candidates candidates)
{
    if (machinesOf(trials).size() > 1)
        return recommend(confirmedMachine(trials), goal, noiseFloor, candidates);
    const bool anyMeasured = candidates == Candidates::measured;
    std::vector<const Trial*> eligible;
    for (const Trial& trial : trials)
        if (isEligible(trial, goal) && (anyMeasured || trial.measurement.latencyNs.confidence > 0))
            eligible.push_back(&trial);
    if (eligible.empty())
        return std::nullopt;
    const std::vector<const Trial*> contenders = anyMeasured ? eligible : confirmedFirst(eligible, trials);

    const bool timed = model::isTime(goal.objective); // Interleaving compares times and nothing else.
    const Ranking ranking(eligible);
    const auto cost = [&](const Trial* trial) { return ranking.cost(*trial, goal.objective); };
    const auto wereInterleaved = [&](const Trial* a, const Trial* b) {
        return timed && stats::wereInterleaved(*a, *b);
    };
    const auto margin = [&](const Trial* other, const Trial* trial) {
        return marginOver(*other, *trial, goal.objective, noiseFloor);
    };
    const auto rank = [&](const Trial* trial) {
        const Interval own = cost(trial);
        // Trials with an interval come before those without.
        return std::tuple(own.confidence <= 0, own.value, simplicity(*trial));
    };
    const auto cheaper = [&](const Trial* a, const Trial* b) { return rank(a) < rank(b); };
    const Trial* best = *std::min_element(contenders.begin(), contenders.end(), cheaper);
    // Interleaved trials are compared by paired blocks, because medians over all blocks ignore which belong together.
    for (const Trial* trial : contenders)
        if (wereInterleaved(trial, best) && margin(best, trial).ratio.value > 1)
            best = trial;
    // Equal cost is not required: a simpler trial within the tie is preferred.
    const Interval bestCost = cost(best);
    const auto isTied = [&](const Trial* trial) {
        if (wereInterleaved(trial, best)) {
            const model::Margin ahead = margin(trial, best);
            return ahead.verdict != stats::Verdict::faster && ahead.ratio.value <= 1 + kTie;
        }
        const Interval own = cost(trial);
        // A trial without an interval cannot be called tied with one that has it.
        const bool known = own.confidence > 0 || bestCost.confidence <= 0;
        return known && own.lo <= bestCost.hi && own.value <= bestCost.value * (1 + kTie);
    };
    const Trial* chosen = best;
    for (const Trial* trial : contenders)
        if (simplicity(*trial) < simplicity(*chosen) && isTied(trial))
            chosen = trial;

    model::Recommendation result = withGain(*chosen, trials, goal, noiseFloor);
    std::erase(eligible, chosen);
    if (!timed || eligible.empty())
        return result;
    const Trial* next = *std::min_element(eligible.begin(), eligible.end(), [&](const Trial* a, const Trial* b) {
        const auto key = [&](const Trial* trial) {
            // The reference and trials that were not interleaved come last as runner-up.
            return std::pair(trial->id == result.against || !wereInterleaved(trial, chosen), rank(trial));
        };
        return key(a) < key(b);
    });
    result.runnerUp = margin(next, chosen);
    return result;
}

std::vector<model::Recommendation> bestOfMachines(const std::vector<Trial>& trials, const Goal& goal, double noiseFloor)
{
    std::vector<model::Recommendation> found;
    const std::vector<std::string> machines = machinesOf(trials);
    if (machines.size() < 2)
        return found;
    for (const std::string& machine : machines)
        if (const auto best = recommend(measuredOn(machine, trials), goal, noiseFloor, Candidates::measured))
            found.push_back(*best);
    return found;
}

void addRecommendations(model::StudySnapshot& snapshot)
{
    const std::vector<Goal> goals = model::singleObjectiveGoals(snapshot.study.goal);
    snapshot.recommended = recommend(snapshot.trials, goals.front(), snapshot.noiseFloor());
    snapshot.shortlist.clear();
    if (model::isTime(goals.front().objective)) {
        if (snapshot.recommended && !isDecided(snapshot, *snapshot.recommended))
            snapshot.recommended.reset();
        if (!snapshot.recommended)
            snapshot.shortlist = shortlistOf(snapshot.trials, goals.front(), snapshot.noiseFloor());
    }
    if (!snapshot.recommended && snapshot.shortlist.empty())
        snapshot.shortlist = bestOfMachines(snapshot.trials, goals.front(), snapshot.noiseFloor());
    snapshot.also.clear();
    const auto trialOf = [&](const std::optional<model::Recommendation>& recommended) {
        return recommended ? snapshot.find(recommended->trial) : nullptr;
    };
    for (std::size_t i = 1; i < goals.size(); ++i) {
        auto further = recommend(snapshot.trials, goals[i], snapshot.noiseFloor());
        auto bestMeasured = recommend(snapshot.trials, goals[i], snapshot.noiseFloor(), Candidates::measured);
        // The confirmation was for another objective. Another batch that looks better in this one was not part of it.
        const Trial* confirmed = trialOf(further);
        const Trial* best = trialOf(bestMeasured);
        if (confirmed && best->measurement.latencyNs.confidence > 0 && best->config.batch != confirmed->config.batch)
            further = std::move(bestMeasured);
        snapshot.also.push_back({goals[i].objective, std::move(further)});
    }
}

std::vector<model::TrialId> paretoFront(const std::vector<Trial>& trials, const Goal& goal)
{
    std::vector<model::TrialId> ids;
    for (const Costs& costs : frontOf(trials, goal))
        ids.push_back(costs.trial->id);
    return ids;
}

std::vector<std::vector<model::TrialId>> paretoGroups(const std::vector<Trial>& trials, const Goal& goal)
{
    std::vector<std::vector<model::TrialId>> groups;
    std::vector<Costs> firsts;
    for (const Costs& own : frontOf(trials, goal)) {
        const auto alike =
            std::find_if(firsts.begin(), firsts.end(), [&](const Costs& first) { return own.overlaps(first); });
        if (alike != firsts.end()) {
            groups[static_cast<std::size_t>(alike - firsts.begin())].push_back(own.trial->id);
        } else {
            groups.push_back({own.trial->id});
            firsts.push_back(own);
        }
    }
    return groups;
}

} // namespace apertune::search
