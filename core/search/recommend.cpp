// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/recommend.h"

#include "core/base/text.h"
#include "core/stats/compare.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace apertune::search {

using model::Goal;
using model::Interval;
using model::Objective;
using model::Trial;

namespace {

bool isGpu(const Trial& trial)
{
    return trial.device.starts_with("cuda");
}

long switchesOn(const model::Config& config)
{
    return std::count_if(config.switches.begin(), config.switches.end(),
                         [](const auto& entry) { return entry.second; });
}

bool isReference(const Trial& trial)
{
    return trial.config.level == model::OptLevel::o0 && trial.config.precision == model::Precision::fp32 &&
           switchesOn(trial.config) == 0;
}

std::optional<base::Bytes> peakMemory(const Trial& trial)
{
    const model::MemoryUse& memory = trial.measurement.memory;
    if (!isGpu(trial))
        return memory.processPeak;
    return memory.devicePeak ? memory.devicePeak : memory.allocatorPeak;
}

bool isMeasured(const Trial& trial)
{
    const double latency = trial.measurement.latencyNs.value;
    return trial.state == model::TrialState::ok && std::isfinite(latency) && latency > 0 &&
           std::isfinite(trial.measurement.throughput.value) && trial.measurement.throughput.value > 0;
}

/// The objective as a cost: smaller is better, lo ≤ value ≤ hi.
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
    case Objective::throughput:
        break;
    }
    const Interval& t = trial.measurement.throughput;
    return {1 / t.value, 1 / t.hi, 1 / t.lo, t.confidence};
}

auto simplicity(const Trial& trial)
{
    return std::tuple(trial.config.level, switchesOn(trial.config), trial.config.batch, trial.ordinal);
}

Interval speedup(const Trial& baseline, const Trial& candidate, Objective objective)
{
    const bool perSample = objective != Objective::latency;
    if (const auto effect = stats::compareTrials({baseline}, {candidate}, perSample))
        return effect->ratio;
    const Interval& b = baseline.measurement.latencyNs;
    const Interval& c = candidate.measurement.latencyNs;
    const double samples =
        perSample ? static_cast<double>(candidate.config.batch) / static_cast<double>(baseline.config.batch) : 1;
    return {samples * b.value / c.value, samples * b.lo / c.hi, samples * b.hi / c.lo,
            std::min(b.confidence, c.confidence)};
}

/// What a trial is measured against, see recommend().
const Trial* referenceFor(const Trial& best, const std::vector<Trial>& trials)
{
    // The engine that is planned first is the one that the model came for; what another gains is told against it.
    const auto first = std::min_element(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
        return std::pair(!isReference(a), a.ordinal) < std::pair(!isReference(b), b.ordinal);
    });
    const auto distance = [&](const Trial& trial) {
        const double octaves =
            std::log2(static_cast<double>(trial.config.batch)) - std::log2(static_cast<double>(best.config.batch));
        return std::tuple(trial.config.backend != first->config.backend,
                          std::abs(trial.config.threads - best.config.threads), std::abs(octaves), trial.ordinal);
    };
    const Trial* nearest = nullptr;
    for (const Trial& trial : trials)
        if (isReference(trial) && isMeasured(trial) && trial.device == best.device &&
            (!nearest || distance(trial) < distance(*nearest)))
            nearest = &trial;
    return nearest;
}

std::string reasonFor(const Trial& chosen, const Trial& best, Objective objective, std::size_t eligible)
{
    const std::string what = objective == Objective::throughput ? "the highest throughput"
                             : objective == Objective::latency  ? "the lowest latency"
                                                                : "the smallest memory";
    const std::string among =
        eligible == 1 ? "the only eligible trial" : "the " + std::to_string(eligible) + " eligible trials";
    if (&chosen == &best)
        return "It has " + what + " of " + among + ".";
    const auto kind = isGpu(best) ? model::DeviceKind::cuda : model::DeviceKind::cpu;
    return "It cannot be told from " + what + " of " + among + " (" + model::shortName(best.config, kind) +
           ") and is simpler.";
}

} // namespace

bool isEligible(const Trial& trial, const Goal& goal)
{
    if (!isMeasured(trial))
        return false;
    const auto& quality = trial.measurement.quality;
    if (!quality && !isReference(trial))
        return false;
    // Written so that a NaN fails.
    if (quality && (quality->nanCount > 0 || !(quality->cosine >= goal.minQuality)))
        return false;
    if (goal.maxLatency && !(trial.measurement.latencyNs.value <= static_cast<double>(goal.maxLatency->count)))
        return false;
    const auto peak = peakMemory(trial);
    if ((goal.maxMemory || goal.objective == Objective::memory) && !peak)
        return false;
    return !goal.maxMemory || *peak <= *goal.maxMemory;
}

std::optional<model::Recommendation> recommend(const std::vector<Trial>& trials, const Goal& goal)
{
    std::vector<const Trial*> eligible;
    for (const Trial& trial : trials)
        if (isEligible(trial, goal))
            eligible.push_back(&trial);
    if (eligible.empty())
        return std::nullopt;

    const auto cost = [&](const Trial* trial) { return costOf(*trial, goal.objective); };
    const Trial* best = *std::min_element(eligible.begin(), eligible.end(), [&](const Trial* a, const Trial* b) {
        return std::tuple(cost(a).value, simplicity(*a)) < std::tuple(cost(b).value, simplicity(*b));
    });
    const Interval bestCost = cost(best);
    const Trial* chosen = best;
    for (const Trial* trial : eligible) {
        const Interval own = cost(trial);
        const bool tied = own.lo <= bestCost.hi && own.value <= bestCost.value * (1 + kTie);
        if (tied && simplicity(*trial) < simplicity(*chosen))
            chosen = trial;
    }

    model::Recommendation result;
    result.trial = chosen->id;
    result.speedup = {1, 1, 1, 0};
    result.reason = reasonFor(*chosen, *best, goal.objective, eligible.size());
    if (const Trial* reference = referenceFor(*chosen, trials); reference && reference != chosen) {
        result.speedup = speedup(*reference, *chosen, goal.objective);
        result.against = reference->id;
    }
    return result;
}

std::vector<model::TrialId> paretoFront(const std::vector<Trial>& trials, const Goal& goal)
{
    std::vector<const Trial*> front;
    for (const Trial& trial : trials)
        if (isEligible(trial, goal))
            front.push_back(&trial);
    const std::vector<const Trial*> eligible = front;
    std::erase_if(front, [&](const Trial* a) {
        return std::any_of(eligible.begin(), eligible.end(), [a](const Trial* b) {
            const Interval& latencyA = a->measurement.latencyNs;
            const Interval& latencyB = b->measurement.latencyNs;
            const Interval& throughputA = a->measurement.throughput;
            const Interval& throughputB = b->measurement.throughput;
            return (latencyB.hi < latencyA.lo && throughputB.value >= throughputA.value) ||
                   (throughputB.lo > throughputA.hi && latencyB.value <= latencyA.value);
        });
    });
    std::sort(front.begin(), front.end(), [](const Trial* a, const Trial* b) {
        return std::tuple(a->measurement.latencyNs.value, a->ordinal) <
               std::tuple(b->measurement.latencyNs.value, b->ordinal);
    });
    std::vector<model::TrialId> ids;
    for (const Trial* trial : front)
        ids.push_back(trial->id);
    return ids;
}

std::vector<std::vector<model::TrialId>> paretoGroups(const std::vector<Trial>& trials, const Goal& goal)
{
    const auto find = [&](model::TrialId id) -> const model::Measurement& {
        return std::find_if(trials.begin(), trials.end(), [id](const Trial& t) { return t.id == id; })->measurement;
    };
    const auto overlap = [](const Interval& a, const Interval& b) { return a.lo <= b.hi && b.lo <= a.hi; };
    std::vector<std::vector<model::TrialId>> groups;
    for (const model::TrialId id : paretoFront(trials, goal)) {
        const model::Measurement& own = find(id);
        const auto alike = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            const model::Measurement& first = find(group.front());
            return overlap(own.latencyNs, first.latencyNs) && overlap(own.throughput, first.throughput);
        });
        if (alike != groups.end())
            alike->push_back(id);
        else
            groups.push_back({id});
    }
    return groups;
}

} // namespace apertune::search
