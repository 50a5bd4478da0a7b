// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/verification.h"

#include "core/base/text.h"
#include "core/runs/errors.h"
#include "core/runs/reasons.h"

#include <algorithm>

namespace apertune::runs {

using advice::Finding;
using advice::Knob;
using base::Error;
using base::ErrorCode;
using model::Trial;
using model::VerificationOutcome;

namespace {

std::string percent(double share)
{
    return base::formatSignificant(share * 100, 2);
}

base::Message predictedText(const advice::Gain& gain)
{
    const std::string lo = percent(gain.lo);
    const std::string hi = percent(gain.hi);
    return lo == hi ? base::message<reasons::kOnePredicted>(hi) : base::message<reasons::kRangePredicted>(lo, hi);
}

/// The change as a user types it.
base::Message changeText(const Knob& knob)
{
    return knob.threads > 0 ? base::message<reasons::kThreadsChange>(knob.threads)
                            : base::message<reasons::kSwitchChange>(knob.switchName, knob.value ? "on" : "off");
}

bool isOk(const Trial* trial)
{
    return trial && trial->state == model::TrialState::ok;
}

base::Message whyNotRun(const Trial* trial)
{
    if (!trial)
        return base::message<reasons::kNotOfThisMachine>();
    base::Message why =
        !trial->reason.message.empty() ? trial->reason.message : base::foreignText(std::string(toString(trial->state)));
    return trial->state == model::TrialState::pruned ? base::message<reasons::kPrunedForBudget>(std::move(why)) : why;
}

/// Whether the backend reports that the change took effect; true where it reports nothing. `how` gets its evidence.
bool inEffect(const Trial& trial, const Knob& knob, std::string& how)
{
    for (const model::Applied& applied : trial.measurement.applied)
        if (applied.name == knob.switchName) {
            how = applied.evidence;
            return (applied.state == model::AppliedState::on) == knob.value;
        }
    return true;
}

base::Message provedMessage(const Verification& verification)
{
    const std::string saved = percent(verification.saved.value);
    const std::string lo = percent(verification.saved.lo);
    const std::string hi = percent(verification.saved.hi);
    const base::Message predicted = predictedText(verification.predicted);
    if (verification.saved.lo > verification.predicted.hi)
        return base::message<reasons::kProvedMore>(saved, lo, hi, predicted);
    if (verification.saved.hi < verification.predicted.lo)
        return base::message<reasons::kProvedLess>(saved, lo, hi, predicted);
    return base::message<reasons::kProved>(saved, lo, hi, predicted);
}

base::Message messageOf(const Verification& verification)
{
    const std::string lo = percent(verification.saved.lo);
    const std::string hi = percent(verification.saved.hi);
    const base::Message predicted = predictedText(verification.predicted);
    if (verification.outcome == VerificationOutcome::proved)
        return provedMessage(verification);
    if (verification.outcome == VerificationOutcome::refuted &&
        verification.effect.verdict == stats::Verdict::cannotTell)
        return base::message<reasons::kRefutedFarLess>(lo, hi, predicted);
    if (verification.outcome == VerificationOutcome::refuted && verification.effect.verdict == stats::Verdict::slower)
        return base::message<reasons::kRefutedSlower>(lo, hi, predicted);
    if (verification.outcome == VerificationOutcome::refuted)
        return base::message<reasons::kRefutedNothing>(lo, hi, predicted);
    if (verification.effect.ratio.confidence <= 0)
        return base::message<reasons::kTooFewBlocks>(verification.effect.samples);
    return base::message<reasons::kCannotTell>(lo, hi, predicted);
}

} // namespace

bool canApply(const Knob& knob)
{
    return !knob.switchName.empty() || knob.threads > 0;
}

model::SearchSpace spaceOf(const Trial& trial)
{
    const model::Config& config = trial.config;
    model::SearchSpace space;
    space.backends = {config.backend};
    space.levels = {config.level};
    space.precisions = {config.precision};
    space.batches = {config.batch};
    space.devices = {trial.device};
    space.emulated = true; // The trial ran before, so an emulated precision is no obstacle.
    if (config.threads > 0)
        space.threads = {config.threads};
    // Every switch is named, so that the configuration stays the same even if another version changes the levels.
    for (const auto& [name, on] : config.switches)
        space.switches[name] = {on};
    if (config.quantization) {
        space.calibration = config.quantization->images;
        space.calibrationSamples = config.quantization->samples;
    }
    return space;
}

base::Result<study::StudyRequest> verificationStudyOf(const model::Study& study, const Trial& trial, const Knob& knob,
                                                      base::Nanoseconds budget)
{
    if (!canApply(knob))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoSwitchDoesThat>(knob.text),
                     {},
                     base::message<errors::kChangeAndCompare>(trial.id.value)};
    const model::Config& config = trial.config;
    const auto now = config.switches.find(knob.switchName);
    if (knob.threads > 0 ? knob.threads == config.threads : now != config.switches.end() && now->second == knob.value)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kRunsWithIt>(changeText(knob)),
                     {},
                     base::message<errors::kTryOtherFinding>()};

    study::StudyRequest request;
    request.model = study.model;
    request.goal.objective = model::Objective::latency;
    request.budget = budget;
    request.budgetKind = model::BudgetKind::measuring;
    request.purpose = model::StudyPurpose::verification;
    request.target = study.target;
    request.space = spaceOf(trial);
    model::SearchSpace& space = request.space;
    // Both configurations must be measured, which no other search guarantees.
    space.search = model::SearchAlgorithm::grid;
    if (knob.threads > 0)
        space.threads.push_back(knob.threads);
    else
        space.switches[knob.switchName] = {!knob.value, knob.value};
    return request;
}

worker::RunLimits verificationLimits()
{
    worker::RunLimits limits;
    limits.everyTrial = true; // With one trial alone there is nothing to compare.
    limits.trialMost = base::fromSeconds(3);
    limits.confirmMost = base::fromSeconds(60);
    limits.confirmShare = 0.7;
    limits.noisePairs = 0;
    return limits;
}

namespace {

/// The verification without its English sentence.
Verification verificationWithoutSentence(const model::StudySnapshot& snapshot, const model::Config& before,
                                         const Finding& finding)
{
    Verification verification;
    verification.predicted = finding.gain;
    verification.study = snapshot.study.id;
    const Trial* first = nullptr;
    const Trial* second = nullptr;
    for (const Trial& trial : snapshot.trials)
        (trial.config == before ? first : second) = &trial;
    if (first)
        verification.before = first->id;
    if (second)
        verification.after = second->id;
    verification.outcome = VerificationOutcome::notRun;
    if (!isOk(second)) {
        verification.message = base::message<reasons::kChangedNotRun>(changeText(finding.knob), whyNotRun(second));
        return verification;
    }
    if (!isOk(first)) {
        verification.message = base::message<reasons::kUnchangedNotRun>(whyNotRun(first));
        return verification;
    }
    stats::CompareOptions options;
    options.noiseFloor = snapshot.noiseFloor();
    if (const auto effect = stats::effectBetween({*first}, {*second}, true, options))
        verification.effect = *effect;
    const model::Interval& ratio = verification.effect.ratio;
    if (ratio.lo > 0)
        // The share grows with the ratio, so lo stays lo.
        verification.saved = {1 - 1 / ratio.value, 1 - 1 / ratio.lo, 1 - 1 / ratio.hi, ratio.confidence};
    if (std::string how; !inEffect(*second, finding.knob, how)) {
        verification.outcome = VerificationOutcome::notInEffect;
        verification.message = how.empty() ? base::message<reasons::kNotInEffect>(changeText(finding.knob))
                                           : base::message<reasons::kNotInEffectBecause>(changeText(finding.knob), how);
        return verification;
    }
    switch (verification.effect.verdict) {
    case stats::Verdict::faster:
        verification.outcome = VerificationOutcome::proved;
        break;
    case stats::Verdict::slower:
    case stats::Verdict::same:
        verification.outcome = VerificationOutcome::refuted;
        break;
    case stats::Verdict::cannotTell:
        // A small gain is possible, but the predicted one is excluded.
        verification.outcome = ratio.confidence > 0 && verification.saved.hi < verification.predicted.lo
                                   ? VerificationOutcome::refuted
                                   : VerificationOutcome::cannotTell;
        break;
    }
    verification.message = messageOf(verification);
    return verification;
}

} // namespace

Verification verificationOf(const model::StudySnapshot& snapshot, const model::Config& before, const Finding& finding)
{
    Verification verification = verificationWithoutSentence(snapshot, before, finding);
    return verification;
}

} // namespace apertune::runs
