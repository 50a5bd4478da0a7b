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

/// How much more a runner-up may cost that was confirmed, than one that was not.
constexpr double kNearlyAsGood = 0.05;

auto simplicity(const Trial& trial)
{
    return std::tuple(trial.config.level, switchesOn(trial.config), trial.config.batch, trial.ordinal);
}

model::Margin marginOver(const Trial& other, const Trial& trial, Objective objective, double noiseFloor)
{
    const bool perSample = objective != Objective::latency;
    stats::CompareOptions options;
    options.noiseFloor = noiseFloor;
    if (const auto effect = stats::compareTrials({other}, {trial}, perSample, options)) {
        Interval ratio = effect->ratio;
        if (effect->processes == 0 && noiseFloor > 0) {
            const double floor = std::log1p(noiseFloor);
            ratio.lo = ratio.value * std::exp(-std::hypot(std::log(ratio.value / ratio.lo), floor));
            ratio.hi = ratio.value * std::exp(std::hypot(std::log(ratio.hi / ratio.value), floor));
        }
        return {other.id, ratio, effect->verdict};
    }
    const Interval& b = other.measurement.latencyNs;
    const Interval& c = trial.measurement.latencyNs;
    const double samples =
        perSample ? static_cast<double>(trial.config.batch) / static_cast<double>(other.config.batch) : 1;
    const Interval ratio{samples * b.value / c.value, samples * b.lo / c.hi, samples * b.hi / c.lo,
                         std::min(b.confidence, c.confidence)};
    return {other.id, ratio, stats::verdictOf(ratio, std::max(options.indifference, noiseFloor))};
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

/// The best second value among all whose first one lies below a limit.
class BestBelow
{
public:
    void add(double first, double second)
    {
        if (!std::isnan(first) && !std::isnan(second))
            m_points.emplace_back(first, second);
    }
    void close()
    {
        std::sort(m_points.begin(), m_points.end());
        for (std::size_t i = 1; i < m_points.size(); ++i)
            m_points[i].second = std::max(m_points[i].second, m_points[i - 1].second);
    }
    /// −∞ when there is none. `limit` itself counts where `orEqual`.
    double at(double limit, bool orEqual) const
    {
        const auto after = std::partition_point(m_points.begin(), m_points.end(), [&](const auto& point) {
            return orEqual ? point.first <= limit : point.first < limit;
        });
        return after == m_points.begin() ? -INFINITY : std::prev(after)->second;
    }

private:
    std::vector<std::pair<double, double>> m_points;
};

/// Eligible trials that nothing dominates, by latency. O(n log n): studies of ten thousand trials are redrawn.
std::vector<const Trial*> frontOf(const std::vector<Trial>& trials, const Goal& goal)
{
    std::vector<const Trial*> front;
    BestBelow surelyFaster; // upper end of latency -> median throughput
    BestBelow surelyMore;   // median latency -> lower end of throughput
    for (const Trial& trial : trials) {
        if (!isEligible(trial, goal))
            continue;
        front.push_back(&trial);
        const Interval& latency = trial.measurement.latencyNs;
        const Interval& throughput = trial.measurement.throughput;
        surelyFaster.add(latency.hi, throughput.value);
        surelyMore.add(latency.value, throughput.lo);
    }
    surelyFaster.close();
    surelyMore.close();
    std::erase_if(front, [&](const Trial* trial) {
        const Interval& latency = trial->measurement.latencyNs;
        const Interval& throughput = trial->measurement.throughput;
        return surelyFaster.at(latency.lo, false) >= throughput.value ||
               surelyMore.at(latency.value, true) > throughput.hi;
    });
    std::sort(front.begin(), front.end(), [](const Trial* a, const Trial* b) {
        return std::tuple(a->measurement.latencyNs.value, a->ordinal) <
               std::tuple(b->measurement.latencyNs.value, b->ordinal);
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
    if (!quality && !isReference(trial))
        return false;
    // Written so that a NaN fails.
    if (quality && (quality->nanCount > 0 || !(quality->cosine >= goal.minQuality)))
        return false;
    if (goal.maxLatency && !(trial.measurement.latencyNs.value <= static_cast<double>(goal.maxLatency->count)))
        return false;
    if (!keepsPercentiles(trial.measurement, goal).value_or(false))
        return false;
    const auto peak = peakMemory(trial);
    if ((goal.maxMemory || goal.objective == Objective::memory) && !peak)
        return false;
    return !goal.maxMemory || *peak <= *goal.maxMemory;
}

std::optional<model::Recommendation> recommend(const std::vector<Trial>& trials, const Goal& goal, double noiseFloor)
{
    std::vector<const Trial*> eligible;
    for (const Trial& trial : trials)
        if (isEligible(trial, goal))
            eligible.push_back(&trial);
    if (eligible.empty())
        return std::nullopt;

    const bool timed = goal.objective != Objective::memory;
    const auto cost = [&](const Trial* trial) { return costOf(*trial, goal.objective); };
    const auto tookTurns = [&](const Trial* a, const Trial* b) { return timed && stats::tookTurns(*a, *b); };
    const auto margin = [&](const Trial* other, const Trial* trial) {
        return marginOver(*other, *trial, goal.objective, noiseFloor);
    };
    const auto rank = [&](const Trial* trial) {
        const Interval own = cost(trial);
        return std::tuple(own.confidence <= 0, own.value, simplicity(*trial));
    };
    const auto cheaper = [&](const Trial* a, const Trial* b) { return rank(a) < rank(b); };
    const Trial* best = *std::min_element(eligible.begin(), eligible.end(), cheaper);
    // What took turns is told apart by its turns: medians over all blocks do not know what belongs together.
    for (const Trial* trial : eligible)
        if (tookTurns(trial, best) && margin(best, trial).ratio.value > 1)
            best = trial;
    const Interval bestCost = cost(best);
    const auto isTied = [&](const Trial* trial) {
        if (tookTurns(trial, best)) {
            const model::Margin ahead = margin(trial, best);
            return ahead.verdict != stats::Verdict::faster && ahead.ratio.value <= 1 + kTie;
        }
        const Interval own = cost(trial);
        const bool known = own.confidence > 0 || bestCost.confidence <= 0;
        return known && own.lo <= bestCost.hi && own.value <= bestCost.value * (1 + kTie);
    };
    const Trial* chosen = best;
    for (const Trial* trial : eligible)
        if (simplicity(*trial) < simplicity(*chosen) && isTied(trial))
            chosen = trial;

    model::Recommendation result;
    result.trial = chosen->id;
    result.speedup = {1, 1, 1, 0};
    result.reason = reasonFor(*chosen, *best, goal.objective, eligible.size());
    const Trial* reference = referenceFor(*chosen, trials);
    if (reference && reference != chosen) {
        const model::Margin gain = margin(reference, chosen);
        result.speedup = gain.ratio;
        result.against = reference->id;
        result.verdict = gain.verdict;
    }
    std::erase(eligible, chosen);
    if (!timed || eligible.empty())
        return result;
    const Trial* next = *std::min_element(eligible.begin(), eligible.end(), cheaper);
    // One that took turns with it says more than one that looked a little better when it was measured alone.
    for (const Trial* trial : eligible)
        if (trial != reference && tookTurns(trial, chosen) && !tookTurns(next, chosen) &&
            cost(trial).value <= cost(next).value * (1 + kNearlyAsGood))
            next = trial;
    result.runnerUp = margin(next, chosen);
    return result;
}

std::vector<model::TrialId> paretoFront(const std::vector<Trial>& trials, const Goal& goal)
{
    std::vector<model::TrialId> ids;
    for (const Trial* trial : frontOf(trials, goal))
        ids.push_back(trial->id);
    return ids;
}

std::vector<std::vector<model::TrialId>> paretoGroups(const std::vector<Trial>& trials, const Goal& goal)
{
    const auto overlap = [](const Interval& a, const Interval& b) { return a.lo <= b.hi && b.lo <= a.hi; };
    std::vector<std::vector<model::TrialId>> groups;
    std::vector<const model::Measurement*> firsts;
    for (const Trial* trial : frontOf(trials, goal)) {
        const model::Measurement& own = trial->measurement;
        const auto alike = std::find_if(firsts.begin(), firsts.end(), [&](const model::Measurement* first) {
            return overlap(own.latencyNs, first->latencyNs) && overlap(own.throughput, first->throughput);
        });
        if (alike != firsts.end()) {
            groups[static_cast<std::size_t>(alike - firsts.begin())].push_back(trial->id);
        } else {
            groups.push_back({trial->id});
            firsts.push_back(&own);
        }
    }
    return groups;
}

} // namespace apertune::search
