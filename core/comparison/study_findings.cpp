// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/study_findings.h"

#include "core/base/text.h"
#include "core/comparison/break_even.h"
#include "core/comparison/effects.h"
#include "core/comparison/reasons.h"
#include "core/comparison/trial_flags.h"
#include "core/stats/compare.h"
#include "core/stats/energy.h"
#include "core/text/format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace apertune::comparison {

using advice::Threshold;
using advice::Thresholds;
using model::Trial;
using model::TrialFlag;

namespace {

/// The input of the rules: the measured trials of one device of one machine class.
struct DeviceTrials
{
    const model::StudySnapshot& snapshot;
    const Thresholds& thresholds;
    const text::ConfigurationNames& names;
    std::string id;
    std::string machine;                   ///< model::Conditions::machine of its trials
    const model::Device* device = nullptr; ///< nullptr: the environment does not hold it
    std::vector<const Trial*> measured;

    bool isHere(const Trial& trial) const
    {
        return trial.device == id && trial.measurement.conditions.machine == machine;
    }

    double limit(Threshold threshold) const { return thresholds.of(threshold); }
    std::string name(const Trial& trial) const { return names.shortName(trial); }
};

using Findings = std::vector<StudyFinding>;

/// Time of a sample of `a` over that of `b`; above 1, `b` is faster. Nothing without an interval.
std::optional<model::Interval> speedup(const DeviceTrials& of, const Trial& a, const Trial& b)
{
    stats::CompareOptions options;
    options.noiseFloor = of.snapshot.noiseFloor();
    const auto effect = stats::effectBetween({a}, {b}, true, options);
    if (!effect || effect->ratio.confidence <= 0 || !(effect->ratio.lo > 0))
        return std::nullopt;
    return effect->ratio;
}

double throughputOf(const Trial& trial)
{
    return trial.measurement.throughput.value;
}

const Trial* fastestOf(const std::vector<const Trial*>& trials)
{
    const auto fastest = std::max_element(trials.begin(), trials.end(), [](const Trial* a, const Trial* b) {
        return throughputOf(*a) < throughputOf(*b);
    });
    return fastest == trials.end() ? nullptr : *fastest;
}

bool isUsable(const DeviceTrials& of, const Trial& trial)
{
    const auto& quality = trial.measurement.quality;
    return !quality || (quality->nanCount == 0 && model::keepsQuality(of.snapshot.study.goal, *quality));
}

// --- precision-does-not-pay ---

/// "20 of 53 …" at the beginning of an engine's evidence, as a share; nothing for other texts.
std::optional<double> coverageIn(const std::string& evidence)
{
    int part = 0, whole = 0;
    if (std::sscanf(evidence.c_str(), "%d of %d ", &part, &whole) != 2 || whole <= 0)
        return std::nullopt;
    return static_cast<double>(part) / whole;
}

/// Whether the processor lacks arithmetic for a precision. Only a CPU whose instructions are known can lack it.
bool lacksArithmetic(const model::Device* device, model::Precision precision)
{
    if (!device || !device->type.isCpu() || device->isa.empty())
        return false;
    switch (precision) {
    case model::Precision::int8:
        return !device->vnni();
    case model::Precision::bf16:
        return !device->nativeBf16();
    case model::Precision::fp16:
        return !device->nativeFp16();
    default:
        return false;
    }
}

/// The reasons that the trials show, the surest first. `paying`: a pair of the same change that does pay.
std::vector<base::Message> whyItDoesNotPay(const DeviceTrials& of, const Trial& trial, const EffectPair* paying)
{
    std::vector<base::Message> why;
    const std::string precision(toString(trial.config.precision));
    const model::Applied* const readBack = model::precisionReadBack(trial.measurement.applied);
    const bool refused = hasFlag(trial, TrialFlag::precisionNotInEffect) ||
                         (readBack && readBack->state == model::AppliedState::requestedNotInEffect);
    if (refused) {
        why.push_back(readBack && !readBack->evidence.empty()
                          ? base::message<reasons::kPrecisionNotTakenBecause>(precision, readBack->evidence)
                          : base::message<reasons::kPrecisionNotTaken>(precision));
        return why;
    }
    if (lacksArithmetic(of.device, trial.config.precision))
        why.push_back(base::message<reasons::kNoArithmeticFor>(of.device->name, precision));
    constexpr double kAll = 0.9;
    if (const auto coverage = readBack ? coverageIn(readBack->evidence) : std::nullopt; coverage && *coverage < kAll)
        why.push_back(base::message<reasons::kPartlyInPrecision>(precision, readBack->evidence));
    if (paying)
        why.push_back(base::message<reasons::kPaysElsewhere>(of.name(*paying->from), of.name(*paying->to),
                                                             text::formatRatio(paying->effect.ratio)));
    return why;
}

void precisionDoesNotPay(const DeviceTrials& of, Findings& into)
{
    const double least = of.limit(Threshold::precisionSpeedup);
    for (const SettingEffect& effect : settingEffects(of.snapshot)) {
        if (effect.setting.kind() != model::Setting::Kind::precision || effect.from != "fp32" || effect.device != of.id)
            continue;
        // Each engine has kernels of its own for a precision, so each engine is looked at by itself.
        std::map<std::string, std::vector<const EffectPair*>> byEngine;
        for (const EffectPair& pair : effect.pairs)
            if (pair.effect.ratio.confidence > 0 && of.isHere(*pair.to))
                byEngine[pair.to->config.backend].push_back(&pair);
        for (const auto& [engine, pairs] : byEngine) {
            std::vector<const EffectPair*> failing;
            const EffectPair* paying = nullptr;
            for (const EffectPair* pair : pairs) {
                if (pair->effect.ratio.hi < least)
                    failing.push_back(pair);
                else if (pair->effect.ratio.lo >= least && (!paying || pair->effect.ratio.lo > paying->effect.ratio.lo))
                    paying = pair;
            }
            if (failing.empty() || 2 * failing.size() < pairs.size())
                continue;
            const EffectPair& worst =
                **std::min_element(failing.begin(), failing.end(), [](const EffectPair* a, const EffectPair* b) {
                    return a->effect.ratio.value < b->effect.ratio.value;
                });
            StudyFinding finding{"precision-does-not-pay", of.id, {}};
            finding.text = base::message<reasons::kPrecisionDoesNotPay>(
                of.name(*worst.to), text::formatRatio(worst.effect.ratio), of.name(*worst.from),
                static_cast<std::int64_t>(failing.size()), static_cast<std::int64_t>(pairs.size()));
            finding.why = whyItDoesNotPay(of, *worst.to, paying);
            finding.change = finding.why.empty() ? base::message<reasons::kRecordBoth>(text::toText(worst.from->id),
                                                                                       text::toText(worst.to->id))
                                                 : base::message<reasons::kStayWithFp32>();
            for (const EffectPair* pair : failing) {
                finding.trials.push_back(pair->to->id);
                finding.trials.push_back(pair->from->id);
            }
            into.push_back(std::move(finding));
        }
    }
}

// --- batches ---

/// A step between two batches of one configuration group.
struct BatchStep
{
    const Trial* from = nullptr;
    const Trial* to = nullptr;
    model::Interval gain; ///< throughput after over before, of a doubling
    double slower = 1;    ///< time of a pass after over before, of a doubling
};

/// The trials of the group with the highest throughput, by batch.
std::vector<const Trial*> fastestGroup(const DeviceTrials& of)
{
    const Trial* const fastest = fastestOf(of.measured);
    std::vector<const Trial*> group;
    const std::string key = fastest ? model::groupKey(fastest->config, of.id) : std::string();
    for (const Trial* trial : of.measured)
        if (model::groupKey(trial->config, of.id) == key)
            group.push_back(trial);
    std::stable_sort(group.begin(), group.end(),
                     [](const Trial* a, const Trial* b) { return a->config.batch < b->config.batch; });
    return group;
}

/// The steps of a group; a step without an interval ends them.
std::vector<BatchStep> stepsOf(const DeviceTrials& of, const std::vector<const Trial*>& group)
{
    std::vector<BatchStep> steps;
    for (std::size_t i = 1; i < group.size(); ++i) {
        const Trial &from = *group[i - 1], &to = *group[i];
        const auto ratio = speedup(of, from, to);
        if (!ratio || to.config.batch <= from.config.batch)
            break;
        // Batches need not double from one to the next, and thresholds are for a doubling.
        const double doublings = std::log2(static_cast<double>(to.config.batch) / from.config.batch);
        const auto each = [doublings](double value) { return std::pow(value, 1 / doublings); };
        steps.push_back({&from,
                         &to,
                         {each(ratio->value), each(ratio->lo), each(ratio->hi), ratio->confidence},
                         each(to.measurement.latencyNs.value / from.measurement.latencyNs.value)});
    }
    return steps;
}

void batchPastKnee(const DeviceTrials& of, Findings& into)
{
    const std::vector<BatchStep> steps = stepsOf(of, fastestGroup(of));
    // The knee is the batch from which on no step surely gains enough.
    std::size_t knee = steps.size();
    while (knee > 0 && steps[knee - 1].gain.hi < 1 + of.limit(Threshold::pastKneeGain) &&
           steps[knee - 1].slower >= of.limit(Threshold::pastKneeLatency))
        --knee;
    if (knee == steps.size())
        return;
    const Trial& at = *steps[knee].from;
    const Trial& last = *steps.back().to;
    const auto ratio = speedup(of, at, last);
    if (!ratio)
        return;
    StudyFinding finding{"batch-past-knee", of.id, {}};
    finding.text = base::message<reasons::kBatchPastKnee>(
        of.name(last), text::formatRatio(*ratio), of.name(at),
        base::formatSignificant(last.measurement.latencyNs.value / at.measurement.latencyNs.value, 3));
    finding.change = base::message<reasons::kUseTheSmallerBatch>(at.config.batch);
    finding.trials = {at.id, last.id};
    into.push_back(std::move(finding));
}

void batchTooSmall(const DeviceTrials& of, Findings& into)
{
    const model::Objective objective = of.snapshot.study.goal.objective;
    if (objective != model::Objective::throughput && objective != model::Objective::energy)
        return;
    const std::vector<BatchStep> steps = stepsOf(of, fastestGroup(of));
    if (steps.empty() || steps.back().gain.lo < 1 + of.limit(Threshold::smallBatchGain))
        return;
    const Trial& last = *steps.back().to;
    const std::string key = model::groupKey(last.config, of.id);
    for (const Trial& trial : of.snapshot.trials)
        if (trial.device == of.id && trial.config.batch > last.config.batch &&
            model::groupKey(trial.config, of.id) == key)
            return; // it was tried, or left out for a reason
    StudyFinding finding{"batch-too-small", of.id, {}};
    finding.text = base::message<reasons::kBatchTooSmall>(of.name(last), text::formatRatio(steps.back().gain),
                                                          steps.back().from->config.batch);
    finding.change = base::message<reasons::kTryLargerBatches>();
    finding.trials = {last.id, steps.back().from->id};
    into.push_back(std::move(finding));
}

// --- energy, threads, compiling ---

void energyKnee(const DeviceTrials& of, Findings& into)
{
    std::vector<const Trial*> known;
    for (const Trial* trial : of.measured) {
        const auto energy = stats::energyOfSample(trial->measurement.conditions);
        if (energy && energy->confidence > 0 && energy->lo > 0 && isUsable(of, *trial))
            known.push_back(trial);
    }
    const Trial* const fastest = fastestOf(known);
    if (!fastest)
        return;
    const model::Interval most = *stats::energyOfSample(fastest->measurement.conditions);
    const Trial* best = nullptr;
    double least = (1 - of.limit(Threshold::energyKneeSaved)) * most.lo;
    for (const Trial* trial : known) {
        const model::Interval energy = *stats::energyOfSample(trial->measurement.conditions);
        const auto ratio = trial == fastest ? std::nullopt : speedup(of, *fastest, *trial);
        if (!ratio || ratio->lo < 1 - of.limit(Threshold::energyKneeSlower) || energy.hi >= least)
            continue;
        best = trial;
        least = energy.hi;
    }
    if (!best)
        return;
    const model::Interval energy = *stats::energyOfSample(best->measurement.conditions);
    StudyFinding finding{"energy-knee", of.id, {}};
    finding.text = base::message<reasons::kEnergyKnee>(
        of.name(*best), text::formatPlusMinus(energy, text::kMillijoulesPerJoule) + " mJ", of.name(*fastest),
        text::formatPlusMinus(most, text::kMillijoulesPerJoule) + " mJ",
        text::formatRatio(*speedup(of, *fastest, *best)));
    finding.change = base::message<reasons::kUseTheOneThatTakesLess>(of.name(*best));
    finding.trials = {best->id, fastest->id};
    into.push_back(std::move(finding));
}

void tooManyThreads(const DeviceTrials& of, Findings& into)
{
    std::map<std::string, std::vector<const Trial*>> alike;
    for (const Trial* trial : of.measured) {
        model::Config config = trial->config;
        config.threads = 0;
        if (trial->config.threads > 0)
            alike[model::configHash(config, of.id)].push_back(trial);
    }
    struct Pair
    {
        const Trial* fewer = nullptr;
        const Trial* more = nullptr;
        model::Interval ratio; ///< time of a sample with more threads over that with fewer
    } worst;
    for (const auto& [key, trials] : alike)
        for (const Trial* fewer : trials)
            for (const Trial* more : trials) {
                if (more->config.threads <= fewer->config.threads)
                    continue;
                const auto ratio = speedup(of, *more, *fewer);
                if (ratio && ratio->lo > 1 + of.limit(Threshold::manyThreadsFaster) && ratio->value > worst.ratio.value)
                    worst = {fewer, more, *ratio};
            }
    if (!worst.fewer)
        return;
    StudyFinding finding{"too-many-threads", of.id, {}};
    finding.text = base::message<reasons::kTooManyThreads>(of.name(*worst.more), worst.more->config.threads,
                                                           worst.fewer->config.threads, text::formatRatio(worst.ratio));
    if (of.device && of.device->cores > 0 && worst.more->config.threads > of.device->cores)
        finding.why.push_back(base::message<reasons::kMoreThreadsThanCores>(of.device->cores));
    if (hasFlag(*worst.more, TrialFlag::contended))
        finding.why.push_back(base::message<reasons::kCoresWereTaken>());
    finding.change = base::message<reasons::kUseFewerThreads>(worst.fewer->config.threads);
    finding.trials = {worst.more->id, worst.fewer->id};
    into.push_back(std::move(finding));
}

void compilingDoesNotPay(const DeviceTrials& of, Findings& into)
{
    std::map<int, const Trial*> fastest; // compiled trials by batch
    for (const Trial* trial : of.measured)
        if (trial->measurement.compile) {
            const Trial*& best = fastest[trial->config.batch];
            if (!best || trial->measurement.latencyNs.value < best->measurement.latencyNs.value)
                best = trial;
        }
    for (const auto& [batch, trial] : fastest) {
        const auto even = breakEven(of.snapshot, *trial);
        if (!even || (!even->neverPays() && even->lo <= of.limit(Threshold::compilePasses)))
            continue;
        StudyFinding finding{"compiling-does-not-pay", of.id, {}};
        finding.text = base::message<reasons::kCompilingDoesNotPay>(of.name(*trial), *trial->measurement.compile,
                                                                    breakEvenMessage(of.snapshot, *trial));
        finding.change = base::message<reasons::kUseTheUncompiled>(of.name(*of.snapshot.find(even->against)));
        finding.trials = {trial->id, even->against};
        into.push_back(std::move(finding));
    }
}

// --- numbers, devices ---

void numberOverflow(const DeviceTrials& of, Findings& into)
{
    const bool fp32IsSound = std::any_of(of.measured.begin(), of.measured.end(), [](const Trial* trial) {
        const auto& quality = trial->measurement.quality;
        return trial->config.precision == model::Precision::fp32 && (!quality || quality->nanCount == 0);
    });
    StudyFinding finding{"number-overflow", of.id, {}};
    const Trial* bf16 = nullptr;
    for (const Trial& trial : of.snapshot.trials) {
        if (!of.isHere(trial))
            continue;
        const auto& quality = trial.measurement.quality;
        const bool ran = trial.state == model::TrialState::ok;
        if (trial.config.precision == model::Precision::bf16 && ran && quality && quality->nanCount == 0)
            bf16 = &trial;
        if (trial.config.precision == model::Precision::fp16 &&
            ((ran && quality && quality->nanCount > 0) || trial.reason.kind == model::ReasonKind::notANumber))
            finding.trials.push_back(trial.id);
    }
    if (finding.trials.empty() || !fp32IsSound)
        return;
    finding.text = base::message<reasons::kNumberOverflow>(static_cast<std::int64_t>(finding.trials.size()),
                                                           of.name(*of.snapshot.find(finding.trials.front())));
    finding.change = bf16 ? base::message<reasons::kBf16IsSound>(of.name(*bf16)) : base::message<reasons::kTryBf16>();
    if (bf16)
        finding.trials.push_back(bf16->id);
    into.push_back(std::move(finding));
}

void devicesDiffer(const DeviceTrials& of, Findings& into)
{
    if (!of.device || of.device->name.empty())
        return;
    // A pair is reported with its slower device.
    const Trial* slower = nullptr;
    const Trial* faster = nullptr;
    double most = of.limit(Threshold::devicesRatio);
    for (const Trial* mine : of.measured)
        for (const Trial& other : of.snapshot.trials) {
            const model::Device* const device = of.snapshot.deviceOf(other);
            if (other.state != model::TrialState::ok || other.device == of.id || !device ||
                other.measurement.conditions.machine != of.machine || device->name != of.device->name ||
                !(other.config == mine->config))
                continue;
            const model::Interval &a = mine->measurement.latencyNs, &b = other.measurement.latencyNs;
            if (a.confidence > 0 && b.confidence > 0 && b.hi > 0 && a.lo / b.hi > most) {
                most = a.lo / b.hi;
                slower = mine;
                faster = &other;
            }
        }
    if (!slower)
        return;
    StudyFinding finding{"devices-differ", of.id, {}};
    finding.text = base::message<reasons::kDevicesDiffer>(
        of.id, base::formatSignificant(slower->measurement.latencyNs.value / faster->measurement.latencyNs.value, 3),
        faster->device, of.name(*slower));
    if (const auto& gpu = slower->measurement.conditions.gpu) {
        if (gpu->heatTime.count > 0 || gpu->cappedTime.count > 0)
            finding.why.push_back(base::message<reasons::kItsClockWasHeld>());
        if (gpu->isShared())
            finding.why.push_back(base::message<reasons::kOthersUsedIt>());
    }
    finding.change = base::message<reasons::kCompareTheDevices>();
    finding.trials = {slower->id, faster->id};
    into.push_back(std::move(finding));
}

// --- shares of disturbed trials ---

template <typename IsSo>
void disturbedTrials(const DeviceTrials& of, std::string_view rule, Threshold threshold, const base::MessageKind& text,
                     const base::MessageKind& change, IsSo isSo, Findings& into)
{
    StudyFinding finding{rule, of.id, {}};
    for (const Trial* trial : of.measured)
        if (isSo(*trial))
            finding.trials.push_back(trial->id);
    const auto count = static_cast<double>(finding.trials.size());
    const double share = of.measured.empty() ? 0 : count / static_cast<double>(of.measured.size());
    constexpr std::size_t kFewest = 2; // one trial is an accident
    if (finding.trials.size() < kFewest || share < of.limit(threshold))
        return;
    finding.text = {std::string(text.id),
                    {{"count", static_cast<std::int64_t>(finding.trials.size())},
                     {"all", static_cast<std::int64_t>(of.measured.size())}}};
    finding.change = {std::string(change.id)};
    into.push_back(std::move(finding));
}

// Other programs make a processor slower and times uncertain as well, so trials that they disturbed count only there.

void throttledTrials(const DeviceTrials& of, Findings& into)
{
    constexpr double kHeld = 0.05; // share of the time of the blocks
    const auto isThrottled = [](const Trial& trial) {
        const model::Conditions& c = trial.measurement.conditions;
        const auto heat = static_cast<double>(c.gpu ? c.gpu->heatTime.count : 0);
        const bool held = heat > 0 && heat > kHeld * static_cast<double>(c.wall.count);
        return !wasDisturbed(trial) && (held || hasFlag(trial, TrialFlag::throttled));
    };
    disturbedTrials(of, "throttled-trials", Threshold::throttledTrials, reasons::kThrottledTrials,
                    reasons::kCoolAndMeasureAgain, isThrottled, into);
}

void noisyTrials(const DeviceTrials& of, Findings& into)
{
    const auto isNoisy = [](const Trial& trial) {
        return !wasDisturbed(trial) && (hasFlag(trial, TrialFlag::notConverged) || hasFlag(trial, TrialFlag::bimodal));
    };
    disturbedTrials(of, "noisy-trials", Threshold::noisyTrials, reasons::kNoisyTrials, reasons::kMeasureLongerOrQuieter,
                    isNoisy, into);
}

void sharedMachine(const DeviceTrials& of, Findings& into)
{
    disturbedTrials(of, "shared-machine", Threshold::sharedTrials, reasons::kSharedMachine, reasons::kMeasureAlone,
                    wasDisturbed, into);
}

} // namespace

std::vector<StudyFinding> studyFindings(const model::StudySnapshot& snapshot, const Thresholds& thresholds)
{
    const text::ConfigurationNames names(snapshot);
    std::map<std::pair<std::string, std::string>, std::vector<const Trial*>> byDevice; // and machine class
    for (const Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok)
            byDevice[{trial.device, trial.measurement.conditions.machine}].push_back(&trial);
    Findings all;
    for (auto& [place, measured] : byDevice) {
        const model::Device* const device = snapshot.deviceOf(*measured.front());
        const DeviceTrials of{snapshot, thresholds, names, place.first, place.second, device, std::move(measured)};
        for (const auto rule :
             {throttledTrials, noisyTrials, batchPastKnee, batchTooSmall, numberOverflow, devicesDiffer, sharedMachine,
              energyKnee, tooManyThreads, compilingDoesNotPay, precisionDoesNotPay})
            rule(of, all);
    }
    return all;
}

} // namespace apertune::comparison
