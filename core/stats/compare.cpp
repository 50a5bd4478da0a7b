// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/compare.h"

#include "core/model/usable_interval.h"
#include "core/stats/bootstrap.h"
#include "core/stats/lost_time.h"
#include "core/stats/processes.h"
#include "core/stats/reference_turns.h"
#include "core/stats/summarize.h"
#include "core/stats/undisturbed_time.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace apertune::stats {

namespace {

constexpr std::size_t kFewestPairs = 6; ///< fewer pairs allow no 95 % interval
constexpr std::size_t kExact = 25;      ///< with more pairs, the normal approximation is used
constexpr std::size_t kHalfLeast = 6;   ///< fewest blocks of a half whose median has a 95 % interval

using Samples = std::span<const double>;

double upperTail(double z)
{
    return 0.5 * std::erfc(z / std::sqrt(2.0));
}

/// Returns the z with upperTail(z) = tail, by bisection, because the standard library has no such function.
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

/// Returns the largest C with P(T ≤ C − 1) ≤ tail for Wilcoxon's signed-rank sum T of n pairs under the null
/// hypothesis. The interval ranges from the C-th smallest to the C-th largest Walsh average.
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
    // ways[s] counts the sets of ranks with the sum s. Sums descend, so that no set contains a rank twice.
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

/// Returns the probability of a result at least this clear if the true effect were at the edge of the zone. The scale
/// is the half of the interval that points towards 1.
double pValue(const model::Interval& ratio, double zone, double samples, double least)
{
    if (!(ratio.confidence > 0) || !(ratio.lo > 0))
        return 1;
    least = std::max(least, 1e-12); // a smaller p is beyond the accuracy of the approximation
    const bool above = ratio.value > 1;
    const double edge = std::log(above ? 1 + zone : 1 - zone);
    const double distance = above ? std::log(ratio.value) - edge : edge - std::log(ratio.value);
    if (distance <= 0)
        return 1;
    const double side = above ? std::log(ratio.value / ratio.lo) : std::log(ratio.hi / ratio.value);
    if (!(side > 0))
        return least;
    // Wallace's (1959) normal equivalent of Student's t, applied in both directions.
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

/// Times of the blocks of a side: those of the wall clock, less a bound of the lost time (lostTime()), or estimates
/// without other programs (undisturbedNs()).
enum class Times { measured, lessLeastLoss, lessMostLoss, undisturbed };

/// Unit of the times of a comparison: nanoseconds, or multiples of the reference that took turns with the blocks.
enum class Unit { nanoseconds, reference };

/// Returns the times of a trial, grouped by process, in the order of the processes.
/// REQUIRES: for Unit::reference, hasReference(trial)
Processes byProcess(const model::Trial& trial, bool perSample, Times kind, Unit unit)
{
    constexpr double kLeftAtLeast = 1e-3; // share of a block that always remains: times must stay positive
    const int threads = computingThreads(trial);
    std::map<int, std::vector<double>> groups;
    for (const model::Block& block : trial.measurement.blocks) {
        if (block.iterations <= 0)
            continue;
        const LostTime lost = lostTime(trial, block);
        const double share = kind == Times::lessLeastLoss ? lost.least : kind == Times::lessMostLoss ? lost.most : 0;
        // The turns of the reference are such estimates, too.
        const double pass = kind == Times::undisturbed || unit == Unit::reference ? undisturbedNs(block, threads)
                                                                                  : block.nsPerIteration();
        groups[block.process].push_back(pass * std::max(kLeftAtLeast, 1 - share) /
                                        (unit == Unit::reference ? block.referenceNs : 1) /
                                        (perSample ? std::max(1, trial.config.batch) : 1));
    }
    Processes processes;
    for (auto& [process, values] : groups)
        processes.push_back(std::move(values));
    return processes;
}

/// Times of the two sides of a comparison, grouped by process.
struct Sides
{
    Processes baseline;
    Processes candidate;

    std::size_t most() const { return std::max(baseline.size(), candidate.size()); }
    std::size_t fewest() const { return std::min(baseline.size(), candidate.size()); }
};

Sides sidesOf(const model::Trial& baseline, const model::Trial& candidate, bool perSample, Unit unit, Times ofBaseline,
              Times ofCandidate)
{
    return {byProcess(baseline, perSample, ofBaseline, unit), byProcess(candidate, perSample, ofCandidate, unit)};
}

std::vector<double> joined(const Processes& processes)
{
    std::vector<double> all;
    for (const std::vector<double>& samples : processes)
        all.insert(all.end(), samples.begin(), samples.end());
    return all;
}

/// Whether the processes of a comparison count as one sample.
bool arePooled(const Sides& sides, const CompareOptions& options)
{
    return options.pairing == Pairing::paired && areProcessesAlike({sides.baseline}, {sides.candidate});
}

model::Interval ratioOf(const Sides& sides, const CompareOptions& options)
{
    if (sides.most() < 2 || arePooled(sides, options))
        return compare({joined(sides.baseline)}, {joined(sides.candidate)}, options).ratio;
    return ratioOfProcesses({sides.baseline}, {sides.candidate}, options.pairing, options.confidence);
}

bool hasLostTime(const model::Trial& trial)
{
    constexpr double kNegligibleLoss = 1e-3; // a share far below any effect that a verdict names
    const auto& blocks = trial.measurement.blocks;
    return std::any_of(blocks.begin(), blocks.end(), [&](const model::Block& block) {
        return block.iterations > 0 && lostTime(trial, block).most > kNegligibleLoss;
    });
}

/// Widens the interval of a ratio to the ratios that are possible without the time that the sides lost to other
/// programs.
void widenByLoss(model::Interval& ratio, const model::Trial& baseline, const model::Trial& candidate, bool perSample,
                 Unit unit, const CompareOptions& options)
{
    if (!hasLostTime(baseline) && !hasLostTime(candidate))
        return;
    for (const auto& [ofBaseline, ofCandidate] :
         {std::pair(Times::lessMostLoss, Times::lessLeastLoss), std::pair(Times::lessLeastLoss, Times::lessMostLoss)}) {
        const model::Interval other =
            ratioOf(sidesOf(baseline, candidate, perSample, unit, ofBaseline, ofCandidate), options);
        ratio.lo = std::min(ratio.lo, other.lo);
        ratio.hi = std::max(ratio.hi, other.hi);
        ratio.confidence = std::min(ratio.confidence, other.confidence);
    }
}

/// Returns the time of an undisturbed pass: the first decile of the single passes, or the shortest of fewer than ten.
/// Other programs make passes longer, hardly ever shorter. As a multiple of the reference it is that of its shortest
/// turn. Returns nullopt when no passes were kept.
std::optional<double> undisturbedPass(const model::Trial& trial, bool perSample, Unit unit)
{
    std::vector<double> passes;
    for (const base::Nanoseconds pass : trial.measurement.iterations)
        passes.push_back(static_cast<double>(pass.count));
    if (passes.empty())
        return std::nullopt;
    const auto rank = passes.begin() + static_cast<std::ptrdiff_t>(passes.size() / 10);
    std::nth_element(passes.begin(), rank, passes.end());
    if (!(*rank > 0))
        return std::nullopt;
    double one = perSample ? std::max(1, trial.config.batch) : 1;
    if (unit == Unit::reference) {
        const auto& blocks = trial.measurement.blocks;
        one *= std::min_element(blocks.begin(), blocks.end(), [](const model::Block& a, const model::Block& b) {
                   return a.referenceNs < b.referenceNs;
               })->referenceNs;
    }
    return *rank / one;
}

/// Widens the interval to the ratio of undisturbed passes, and chooses the ratio that is nearer to 1. While other
/// programs compete for the processors, medians show how two programs share them, not how fast they are.
void widenByContention(model::Interval& ratio, const model::Trial& baseline, const model::Trial& candidate,
                       bool perSample, Unit unit)
{
    const auto a = undisturbedPass(baseline, perSample, unit);
    const auto b = undisturbedPass(candidate, perSample, unit);
    if (!a || !b)
        return;
    const double undisturbed = *a / *b;
    ratio.lo = std::min(ratio.lo, undisturbed);
    ratio.hi = std::max(ratio.hi, undisturbed);
    if (std::abs(std::log(undisturbed)) < std::abs(std::log(ratio.value)))
        ratio.value = undisturbed;
}

/// Returns whether processor times can stand for the times of both sides, one of which was kept waiting.
bool areEstimated(const model::Trial& a, const model::Trial& b)
{
    return (wasKeptWaiting(a.measurement) || wasKeptWaiting(b.measurement)) && (isEstimated(a) || isEstimated(b)) &&
           computingThreads(a) > 0 && computingThreads(b) > 0;
}

/// Widens the interval of a ratio of estimates by what these may be off: threads share the work unevenly, and other
/// programs take cache and memory bandwidth from one side more than from the other.
void widenByEstimate(model::Interval& ratio)
{
    constexpr double kOff = 1.4;
    ratio.lo /= kOff;
    ratio.hi *= kOff;
}

/// Returns whether interleaved blocks agree: every process, and three quarters of all pairs of blocks, have the sign of
/// the ratio. The interval of a few processes can be narrow by chance, for example with one fast and one slow state.
bool blocksAgree(const Sides& sides, double ratio)
{
    constexpr double kAgreeingShare = 0.75;
    const bool up = ratio > 1;
    std::size_t alike = 0;
    std::size_t blocks = 0;
    for (std::size_t k = 0; k < sides.baseline.size(); ++k) {
        std::vector<double> logs;
        for (std::size_t i = 0; i < sides.baseline[k].size(); ++i)
            logs.push_back(std::log(sides.baseline[k][i] / sides.candidate[k][i]));
        if ((median(logs) > 0) != up)
            return false;
        blocks += logs.size();
        alike += static_cast<std::size_t>(
            std::count_if(logs.begin(), logs.end(), [up](double log) { return (log > 0) == up; }));
    }
    return static_cast<double>(alike) >= kAgreeingShare * static_cast<double>(blocks);
}

/// Returns the quantile of the effects seen; with few of them, that is the largest.
NoiseFloor seen(std::span<const double> ratios, double quantile)
{
    if (ratios.empty())
        return {};
    std::vector<double> sizes;
    for (const double ratio : ratios)
        // Which side was the baseline is arbitrary here, so r and 1 / r are equally large effects.
        sizes.push_back(std::abs(ratio > 1 ? ratio - 1 : 1 / ratio - 1));
    std::sort(sizes.begin(), sizes.end());
    const double rank = std::ceil(quantile * static_cast<double>(sizes.size()));
    return {sizes[static_cast<std::size_t>(rank) - 1], sizes.size()};
}

/// The noise floor of single processes, for the mean over some of them.
double floorOfMean(double noiseFloor, std::size_t processes)
{
    return noiseFloor / std::sqrt(static_cast<double>(std::max<std::size_t>(1, processes)));
}

bool haveSameSizes(const Processes& a, const Processes& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& left, const auto& right) { return left.size() == right.size(); });
}

/// Returns how much a ratio through the reference differs from that of the times themselves; 1 within `zone`.
double changeByReference(double ratio, const model::Trial& a, const model::Trial& b, bool perSample, double zone)
{
    const auto time = [&](const model::Trial& trial) {
        return trial.measurement.latencyNs.value / (perSample ? std::max(1, trial.config.batch) : 1);
    };
    const double change = ratio * time(b) / time(a);
    return std::isfinite(change) && change > 0 && std::abs(std::log(change)) > std::log1p(zone) ? change : 1;
}

} // namespace

bool wereInterleaved(const model::Trial& a, const model::Trial& b)
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

model::Interval withNoiseFloor(const Effect& effect, double noiseFloor)
{
    model::Interval ratio = effect.ratio;
    const bool showsIt = effect.processes > 0 && !effect.pooled;
    if (showsIt || !(noiseFloor > 0) || !(ratio.confidence > 0))
        return ratio;
    const double floor = std::log1p(floorOfMean(noiseFloor, effect.processes));
    ratio.lo = ratio.value * std::exp(-std::hypot(std::log(ratio.value / ratio.lo), floor));
    ratio.hi = ratio.value * std::exp(std::hypot(std::log(ratio.hi / ratio.value), floor));
    return ratio;
}

Effect effectOf(const model::Interval& ratio, std::size_t samples, const CompareOptions& options, std::size_t processes,
                bool pooled)
{
    Effect effect;
    effect.ratio = ratio;
    effect.samples = samples;
    effect.paired = options.pairing == Pairing::paired;
    effect.processes = processes;
    effect.pooled = pooled;
    effect.zone = std::max(options.indifference, floorOfMean(options.noiseFloor, processes));
    effect.verdict = verdictOf(ratio, effect.zone);
    if (effect.verdict == Verdict::same && verdictOf(ratio, options.indifference) != Verdict::same)
        effect.verdict = Verdict::cannotTell;
    const bool byProcess = processes > 0 && !pooled;
    const auto n = static_cast<double>(byProcess ? processes : samples);
    effect.p = pValue(ratio, effect.zone, n, effect.paired && !byProcess ? std::pow(2.0, 1 - n) : 0);
    return effect;
}

model::Interval machineChange(const model::Measurement& baseline, const model::Measurement& candidate, double zone)
{
    const auto& before = baseline.conditions.driftReading;
    const auto& after = candidate.conditions.driftReading;
    const model::Interval none{1, 1, 1, 0.95};
    if (!before || !after || before->identity != after->identity || !(before->latencyNs > 0) || !(after->latencyNs > 0))
        return none;
    const double change = after->latencyNs / before->latencyNs;
    const double unsure = std::hypot(before->uncertainty, after->uncertainty);
    if (!(std::abs(std::log(change)) > std::max(unsure, std::log1p(zone))))
        return none;
    return {change, change / (1 + unsure), change * (1 + unsure), 0.95};
}

std::optional<Effect> effectBetween(base::Baseline<model::Trial> baseline, base::Candidate<model::Trial> candidate,
                                    bool perSample, const CompareOptions& options)
{
    const model::Trial& a = baseline.value;
    const model::Trial& b = candidate.value;
    const bool interleaved = wereInterleaved(a, b);
    const Unit unit = !interleaved && haveCommonReference(a, b) ? Unit::reference : Unit::nanoseconds;
    const bool estimated = areEstimated(a, b);
    const Times kind = estimated ? Times::undisturbed : Times::measured;
    const Sides sides = sidesOf(a, b, perSample, unit, kind, kind);
    if (sides.baseline.empty() || sides.candidate.empty())
        return std::nullopt;
    const std::size_t processes = sides.most() > 1 ? sides.fewest() : 0;
    const std::size_t samples = std::min(times(a, perSample).size(), times(b, perSample).size());
    CompareOptions own = options;
    if (interleaved && haveSameSizes(sides.baseline, sides.candidate))
        own.pairing = Pairing::paired;
    const bool paired = own.pairing == Pairing::paired;
    model::Interval ratio = ratioOf(sides, own);
    if (estimated)
        widenByEstimate(ratio);
    else
        widenByLoss(ratio, a, b, perSample, unit, own);
    // In a paired comparison, and in one through a reference, a change of the machine hits both sides and cancels.
    const model::Interval machine =
        paired || estimated || unit == Unit::reference
            ? model::Interval{1, 1, 1, 0.95}
            : machineChange(a.measurement, b.measurement, std::max(options.indifference, options.noiseFloor));
    ratio = {ratio.value * machine.value, ratio.lo * machine.lo, ratio.hi * machine.hi, ratio.confidence};
    if (!estimated && (wasKeptWaiting(a.measurement) || wasKeptWaiting(b.measurement)))
        widenByContention(ratio, a, b, perSample, unit);
    if (model::isTooWide(ratio))
        ratio.confidence = 0;
    Effect effect = effectOf(ratio, samples, own, processes, arePooled(sides, own));
    effect.machine = unit == Unit::reference
                         ? changeByReference(ratio.value, a, b, perSample, std::max(own.indifference, own.noiseFloor))
                         : machine.value;
    if (isNamed(effect) && (estimated || (paired && !blocksAgree(sides, effect.ratio.value))))
        effect.verdict = Verdict::cannotTell;
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
        // After the first hypothesis that is kept, all with a larger p are kept as well.
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
