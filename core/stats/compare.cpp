// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/compare.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace apertune::stats {

namespace {

constexpr std::size_t kFewestPairs = 6; ///< fewer pairs allow no 95 % interval
constexpr std::size_t kExact = 25;
constexpr std::size_t kHalfLeast = 6;

using Samples = std::span<const double>;

double upperTail(double z)
{
    return 0.5 * std::erfc(z / std::sqrt(2.0));
}

/// z with upperTail(z) = tail, by bisection: called once a comparison, and no library function exists.
double quantileOfTail(double tail)
{
    double low = 0;
    double high = 40;
    for (int i = 0; i < 80; ++i) {
        const double middle = (low + high) / 2;
        (upperTail(middle) > tail ? low : high) = middle;
    }
    return low;
}

/// Largest C with P(T ≤ C − 1) ≤ tail for Wilcoxon's signed-rank sum T of n pairs under the hypothesis: the interval
/// runs from the C-th smallest to the C-th largest Walsh average.
std::size_t walshRank(std::size_t n, double tail)
{
    const std::size_t most = n * (n + 1) / 2;
    if (n > kExact) {
        const double mean = static_cast<double>(most) / 2;
        const auto d = static_cast<double>(n);
        const double spread = std::sqrt(d * (d + 1) * (2 * d + 1) / 24);
        return static_cast<std::size_t>(std::max(1.0, std::floor(mean - quantileOfTail(tail) * spread + 0.5)));
    }
    std::vector<double> ways(most + 1);
    ways[0] = 1;
    for (std::size_t rank = 1; rank <= n; ++rank)
        for (std::size_t sum = most; sum >= rank; --sum)
            ways[sum] += ways[sum - rank];
    double below = 0;
    const double all = std::pow(2.0, static_cast<double>(n));
    std::size_t c = 0;
    while (c <= most && (below + ways[c]) / all <= tail)
        below += ways[c++];
    return c;
}

model::Interval hodgesLehmann(Samples baseline, Samples candidate, double confidence)
{
    const std::size_t n = std::min(baseline.size(), candidate.size());
    std::vector<double> logs(n);
    for (std::size_t i = 0; i < n; ++i)
        logs[i] = std::log(baseline[i] / candidate[i]);
    if (!std::all_of(logs.begin(), logs.end(), [](double v) { return std::isfinite(v); }))
        return {median(baseline) / median(candidate), 0, 0, 0};
    std::vector<double> walsh;
    walsh.reserve(n * (n + 1) / 2);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = i; k < n; ++k)
            walsh.push_back((logs[i] + logs[k]) / 2);
    std::sort(walsh.begin(), walsh.end());
    const double value = std::exp(median(walsh));
    const std::size_t rank = n < kFewestPairs ? 0 : walshRank(n, (1 - confidence) / 2);
    if (rank == 0)
        return {value, std::exp(walsh.front()), std::exp(walsh.back()), 0};
    return {value, std::exp(walsh[rank - 1]), std::exp(walsh[walsh.size() - rank]), confidence};
}

/// Chance of as clear a result when the effect just filled the zone. The interval's side towards 1 is the yardstick.
double pValue(const model::Interval& ratio, double zone, double samples, double least)
{
    if (!(ratio.confidence > 0) || !(ratio.lo > 0))
        return 1;
    least = std::max(least, 1e-12); // a smaller one would say more about the formula than about the samples
    const bool above = ratio.value > 1;
    const double edge = std::log(above ? 1 + zone : 1 - zone);
    const double distance = above ? std::log(ratio.value) - edge : edge - std::log(ratio.value);
    if (distance <= 0)
        return 1;
    const double side = above ? std::log(ratio.value / ratio.lo) : std::log(ratio.hi / ratio.value);
    if (!(side > 0))
        return least;
    // Wallace's (1959) normal equivalent of Student's t, there and back.
    const double freedom = std::max(1.0, samples - 1);
    const double shrink = (8 * freedom + 1) / (8 * freedom + 3);
    const double atEnd = quantileOfTail((1 - ratio.confidence) / 2) / shrink;
    const double t = distance / side * std::sqrt(freedom * std::expm1(atEnd * atEnd / freedom));
    return std::clamp(2 * upperTail(shrink * std::sqrt(freedom * std::log1p(t * t / freedom))), least, 1.0);
}

bool isNamed(const Effect& effect)
{
    return effect.verdict == Verdict::faster || effect.verdict == Verdict::slower;
}

std::vector<double> times(const model::Trial& trial, bool perSample)
{
    std::vector<double> values;
    for (const model::Block& block : trial.measurement.blocks)
        if (block.iterations > 0)
            values.push_back(block.nsPerIteration() / (perSample ? std::max(1, trial.config.batch) : 1));
    return values;
}

Processes byProcess(const model::Trial& trial, bool perSample)
{
    std::map<int, std::vector<double>> groups;
    for (const model::Block& block : trial.measurement.blocks)
        if (block.iterations > 0)
            groups[block.process].push_back(block.nsPerIteration() / (perSample ? std::max(1, trial.config.batch) : 1));
    Processes processes;
    for (auto& [process, values] : groups)
        processes.push_back(std::move(values));
    return processes;
}

/// The quantile of what was seen: of few, the largest.
NoiseFloor seen(std::span<const double> ratios, double quantile)
{
    if (ratios.empty())
        return {};
    std::vector<double> sizes;
    for (const double ratio : ratios)
        sizes.push_back(std::abs(ratio > 1 ? ratio - 1 : 1 / ratio - 1));
    std::sort(sizes.begin(), sizes.end());
    const double rank = std::ceil(quantile * static_cast<double>(sizes.size()));
    return {sizes[static_cast<std::size_t>(rank) - 1], sizes.size()};
}

bool haveSameSizes(const Processes& a, const Processes& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& left, const auto& right) { return left.size() == right.size(); });
}

} // namespace

bool tookTurns(const model::Trial& a, const model::Trial& b)
{
    return a.measurement.confirmation > 0 && a.measurement.confirmation == b.measurement.confirmation &&
           a.study == b.study && a.id != b.id;
}

Effect compare(base::Baseline<Samples> baseline, base::Candidate<Samples> candidate, const CompareOptions& options)
{
    assert(!baseline.value.empty() && !candidate.value.empty());
    const std::size_t fewest = std::min(baseline.value.size(), candidate.value.size());
    return effectOf(options.pairing == Pairing::paired
                        ? hodgesLehmann(baseline.value, candidate.value, options.confidence)
                        : ratioOfMedians(baseline, candidate, options.confidence),
                    fewest, options);
}

Effect effectOf(const model::Interval& ratio, std::size_t samples, const CompareOptions& options, std::size_t processes)
{
    Effect effect;
    effect.ratio = ratio;
    effect.samples = samples;
    effect.paired = options.pairing == Pairing::paired;
    effect.processes = processes;
    effect.zone = std::max(options.indifference,
                           options.noiseFloor / std::sqrt(static_cast<double>(std::max<std::size_t>(1, processes))));
    effect.verdict = verdictOf(ratio, effect.zone);
    if (effect.verdict == Verdict::same && verdictOf(ratio, options.indifference) != Verdict::same)
        effect.verdict = Verdict::cannotTell;
    const auto n = static_cast<double>(processes > 0 ? processes : samples);
    effect.p = pValue(ratio, effect.zone, n, effect.paired && processes == 0 ? std::pow(2.0, 1 - n) : 0);
    return effect;
}

model::Interval machineChange(const model::Measurement& baseline, const model::Measurement& candidate, double zone)
{
    const auto& before = baseline.conditions.sentinel;
    const auto& after = candidate.conditions.sentinel;
    const model::Interval none{1, 1, 1, 0.95};
    if (!before || !after || before->identity != after->identity || !(before->latencyNs > 0) || !(after->latencyNs > 0))
        return none;
    const double change = after->latencyNs / before->latencyNs;
    const double unsure = std::hypot(before->uncertainty, after->uncertainty);
    if (!(std::abs(std::log(change)) > std::max(unsure, std::log1p(zone))))
        return none;
    return {change, change / (1 + unsure), change * (1 + unsure), 0.95};
}

std::optional<Effect> compareTrials(base::Baseline<model::Trial> baseline, base::Candidate<model::Trial> candidate,
                                    bool perSample, const CompareOptions& options)
{
    const model::Trial& a = baseline.value;
    const model::Trial& b = candidate.value;
    const std::vector<double> before = times(a, perSample);
    const std::vector<double> after = times(b, perSample);
    if (before.empty() || after.empty())
        return std::nullopt;
    const Processes beforeEach = byProcess(a, perSample);
    const Processes afterEach = byProcess(b, perSample);
    const bool several = std::max(beforeEach.size(), afterEach.size()) > 1;
    const std::size_t processes = several ? std::min(beforeEach.size(), afterEach.size()) : 0;
    const std::size_t fewest = std::min(before.size(), after.size());
    CompareOptions own = options;
    if (tookTurns(a, b) && haveSameSizes(beforeEach, afterEach))
        own.pairing = Pairing::paired;
    const Samples left(before);
    const Samples right(after);
    if (own.pairing == Pairing::paired)
        return several ? effectOf(ratioOfProcesses({beforeEach}, {afterEach}, own.pairing, own.confidence), fewest, own,
                                  processes)
                       : compare({left}, {right}, own);
    const model::Interval machine =
        machineChange(a.measurement, b.measurement, std::max(options.indifference, options.noiseFloor));
    model::Interval ratio = several ? ratioOfProcesses({beforeEach}, {afterEach}, own.pairing, own.confidence)
                                    : ratioOfMedians({left}, {right}, own.confidence);
    ratio = {ratio.value * machine.value, ratio.lo * machine.lo, ratio.hi * machine.hi, ratio.confidence};
    Effect effect = effectOf(ratio, fewest, own, processes);
    effect.machine = machine.value;
    return effect;
}

void correctForMany(std::span<Effect> effects, double confidence)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < effects.size(); ++i)
        if (effects[i].ratio.confidence > 0)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return effects[a].p < effects[b].p; });
    bool rejecting = true;
    for (std::size_t k = 0; k < order.size(); ++k) {
        Effect& effect = effects[order[k]];
        rejecting = rejecting && effect.p <= (1 - confidence) / static_cast<double>(order.size() - k);
        if (!rejecting && isNamed(effect))
            effect.verdict = Verdict::cannotTell;
    }
}

NoiseFloor noiseFloor(std::span<const double> ratios)
{
    NoiseFloor floor = seen(ratios, 1);
    if (ratios.empty())
        return floor;
    double squares = 0;
    for (const double ratio : ratios)
        squares += std::log(ratio) * std::log(ratio);
    const double spread = std::sqrt(squares / static_cast<double>(ratios.size()));
    const double tail = ratios.size() < kEnoughRatios ? 0.025 : 0.005;
    floor.effect = std::max(floor.effect, std::expm1(studentQuantile(tail, ratios.size()) * spread));
    return floor;
}

NoiseFloor noiseFloorWithin(std::span<const model::Trial* const> trials)
{
    std::vector<double> ratios;
    for (const model::Trial* trial : trials) {
        const std::vector<double> all = times(*trial, false);
        const std::size_t half = all.size() / 2;
        if (half < kHalfLeast)
            continue;
        const Samples samples(all);
        const double ratio = median(samples.first(half)) / median(samples.last(half));
        if (std::isfinite(ratio) && ratio > 0)
            ratios.push_back(ratio);
    }
    return seen(ratios, 0.95);
}

} // namespace apertune::stats
