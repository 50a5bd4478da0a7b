// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/verification.h"

#include "core/base/text.h"

#include <algorithm>

namespace apertune::runs {

using advice::Finding;
using advice::Knob;
using base::Error;
using base::ErrorCode;
using model::Trial;

namespace {

std::string percent(double share)
{
    return base::formatSignificant(share * 100, 2);
}

std::string predictedText(const advice::Gain& gain)
{
    return percent(gain.lo) == percent(gain.hi) ? percent(gain.hi) + " %"
                                                : percent(gain.lo) + " to " + percent(gain.hi) + " %";
}

/// The change as people type it.
std::string changeText(const Knob& knob)
{
    return knob.threads > 0 ? std::to_string(knob.threads) + " threads"
                            : knob.switchName + "=" + (knob.value ? "on" : "off");
}

bool isOk(const Trial* trial)
{
    return trial && trial->state == model::TrialState::ok;
}

std::string whyNotRun(const Trial* trial, const std::string& which)
{
    if (!trial)
        return which + " is no configuration of this machine.";
    const std::string why = trial->reason.text.empty() ? std::string(toString(trial->state)) : trial->reason.text;
    return which + ": " + why + (trial->state == model::TrialState::pruned ? " Give more --budget." : "");
}

/// Whether the backend says that it did what the knob asks for; true where it says nothing.
bool inEffect(const Trial& trial, const Knob& knob, std::string& how)
{
    for (const model::Applied& applied : trial.measurement.applied)
        if (applied.name == knob.switchName) {
            how = applied.evidence;
            return (applied.state == model::AppliedState::on) == knob.value;
        }
    return true;
}

std::string provedSentence(const Verification& verification)
{
    const auto interval = " [" + percent(verification.saved.lo) + ", " + percent(verification.saved.hi) + "]";
    std::string text = "Proved: " + percent(verification.saved.value) + " % of the time saved" + interval +
                       ", predicted " + predictedText(verification.predicted);
    if (verification.saved.lo > verification.predicted.hi)
        return text + ": more than the trace let expect.";
    if (verification.saved.hi < verification.predicted.lo)
        return text + ": less than the trace let expect.";
    return text + ".";
}

std::string sentenceOf(const Verification& verification)
{
    const auto range = " [" + percent(verification.saved.lo) + ", " + percent(verification.saved.hi) + "] %";
    if (verification.outcome == VerificationOutcome::proved)
        return provedSentence(verification);
    if (verification.outcome == VerificationOutcome::refuted &&
        verification.effect.verdict == stats::Verdict::cannotTell)
        return "Refuted: far less is saved than predicted, time saved" + range + ", predicted " +
               predictedText(verification.predicted) + ".";
    if (verification.outcome == VerificationOutcome::refuted)
        return (verification.effect.verdict == stats::Verdict::slower ? "Refuted: it makes the pass slower, time saved"
                                                                      : "Refuted: it changes nothing, time saved") +
               range + ", predicted " + predictedText(verification.predicted) + ".";
    if (verification.effect.ratio.confidence <= 0)
        return "Cannot tell: " + std::to_string(verification.effect.samples) +
               " blocks are too few. Give more --budget, or try on a quieter machine.";
    return "Cannot tell: time saved" + range + ", predicted " + predictedText(verification.predicted) +
           ". Give more --budget, or try on a quieter machine.";
}

} // namespace

std::string_view toString(VerificationOutcome word)
{
    switch (word) {
    case VerificationOutcome::proved:
        return "proved";
    case VerificationOutcome::refuted:
        return "refuted";
    case VerificationOutcome::notInEffect:
        return "not in effect";
    case VerificationOutcome::notRun:
        return "not run";
    case VerificationOutcome::cannotTell:
        break;
    }
    return "cannot tell";
}

bool canTry(const Knob& knob)
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
    space.emulated = true; // the trial ran
    if (config.threads > 0)
        space.threads = {config.threads};
    // All switches by name: the configuration stays the trial's own whatever the levels of another version hold.
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
    if (!canTry(knob))
        return Error{
            ErrorCode::invalidArgument,
            "No switch does what this finding asks for: " + knob.text,
            {},
            "Change the program, measure it again with `apertune tune`, and hold the new trial against this one: "
            "`apertune compare t" +
                std::to_string(trial.id.value) + " NEW`."};
    const model::Config& config = trial.config;
    const auto now = config.switches.find(knob.switchName);
    if (knob.threads > 0 ? knob.threads == config.threads : now != config.switches.end() && now->second == knob.value)
        return Error{ErrorCode::invalidArgument,
                     "The trial runs with " + changeText(knob) + " already.",
                     {},
                     "Try another finding."};

    study::StudyRequest request;
    request.model = study.model;
    request.goal.objective = model::Objective::latency;
    request.budget = budget;
    request.target = study.target;
    request.space = spaceOf(trial);
    model::SearchSpace& space = request.space;
    space.search = "grid"; // both configurations are measured: neither may lose before it ran
    if (knob.threads > 0)
        space.threads.push_back(knob.threads);
    else
        space.switches[knob.switchName] = {!knob.value, knob.value};
    return request;
}

worker::RunLimits verificationLimits()
{
    worker::RunLimits limits;
    limits.everyTrial = true; // one side alone is no verification
    limits.trialMost = base::fromSeconds(3);
    limits.confirmMost = base::fromSeconds(60);
    limits.confirmShare = 0.7;
    limits.noisePairs = 0;
    return limits;
}

Verification verificationOf(const model::StudySnapshot& snapshot, const model::Config& before, const Finding& finding)
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
        verification.sentence =
            "Not run with " + changeText(finding.knob) + ". " + whyNotRun(second, "The changed configuration");
        return verification;
    }
    if (!isOk(first)) {
        verification.sentence = "Not run. " + whyNotRun(first, "The configuration as it was");
        return verification;
    }
    stats::CompareOptions options;
    options.noiseFloor = snapshot.noiseFloor();
    if (const auto effect = stats::compareTrials({*first}, {*second}, true, options))
        verification.effect = *effect;
    const model::Interval& ratio = verification.effect.ratio;
    if (ratio.lo > 0)
        verification.saved = {1 - 1 / ratio.value, 1 - 1 / ratio.lo, 1 - 1 / ratio.hi, ratio.confidence};
    if (std::string how; !inEffect(*second, finding.knob, how)) {
        verification.outcome = VerificationOutcome::notInEffect;
        verification.sentence =
            changeText(finding.knob) + " was asked for and is not in effect" + (how.empty() ? "." : ": " + how + ".");
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
        // What was promised is excluded, whether or not a little was saved.
        verification.outcome = ratio.confidence > 0 && verification.saved.hi < verification.predicted.lo
                                   ? VerificationOutcome::refuted
                                   : VerificationOutcome::cannotTell;
        break;
    }
    verification.sentence = sentenceOf(verification);
    return verification;
}

} // namespace apertune::runs
