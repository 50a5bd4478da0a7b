// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/experiment.h"

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
        return which + " is no cell of this machine.";
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

std::string provedSentence(const Proof& proof)
{
    const auto interval = " [" + percent(proof.saved.lo) + ", " + percent(proof.saved.hi) + "]";
    std::string text = "Proved: " + percent(proof.saved.value) + " % of the time saved" + interval + ", predicted " +
                       predictedText(proof.predicted);
    if (proof.saved.lo > proof.predicted.hi)
        return text + ": more than the trace let expect.";
    if (proof.saved.hi < proof.predicted.lo)
        return text + ": less than the trace let expect.";
    return text + ".";
}

std::string sentenceOf(const Proof& proof)
{
    const auto range = " [" + percent(proof.saved.lo) + ", " + percent(proof.saved.hi) + "] %";
    if (proof.word == ProofWord::proved)
        return provedSentence(proof);
    if (proof.word == ProofWord::refuted && proof.effect.verdict == stats::Verdict::cannotTell)
        return "Refuted: far less is saved than predicted, time saved" + range + ", predicted " +
               predictedText(proof.predicted) + ".";
    if (proof.word == ProofWord::refuted)
        return (proof.effect.verdict == stats::Verdict::slower ? "Refuted: it makes the pass slower, time saved"
                                                               : "Refuted: it changes nothing, time saved") +
               range + ", predicted " + predictedText(proof.predicted) + ".";
    if (proof.effect.ratio.confidence <= 0)
        return "Cannot tell: " + std::to_string(proof.effect.samples) +
               " blocks are too few. Give more --budget, or try on a quieter machine.";
    return "Cannot tell: time saved" + range + ", predicted " + predictedText(proof.predicted) +
           ". Give more --budget, or try on a quieter machine.";
}

} // namespace

std::string_view toString(ProofWord word)
{
    switch (word) {
    case ProofWord::proved:
        return "proved";
    case ProofWord::refuted:
        return "refuted";
    case ProofWord::notInEffect:
        return "not in effect";
    case ProofWord::notRun:
        return "not run";
    case ProofWord::cannotTell:
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
    // All switches by name: the cell stays the trial's own whatever the levels of another version hold.
    for (const auto& [name, on] : config.switches)
        space.switches[name] = {on};
    if (config.quantization) {
        space.calibration = config.quantization->images;
        space.calibrationSamples = config.quantization->samples;
    }
    return space;
}

base::Result<study::StudyRequest> experimentOn(const model::Study& study, const Trial& trial, const Knob& knob,
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
    space.search = "grid"; // both cells are measured: neither may lose before it ran
    if (knob.threads > 0)
        space.threads.push_back(knob.threads);
    else
        space.switches[knob.switchName] = {!knob.value, knob.value};
    return request;
}

worker::RunLimits experimentLimits()
{
    worker::RunLimits limits;
    limits.everyTrial = true; // one side alone is no experiment
    limits.trialMost = base::fromSeconds(3);
    limits.confirmMost = base::fromSeconds(60);
    limits.confirmShare = 0.7;
    limits.noisePairs = 0;
    return limits;
}

Proof proofOf(const model::StudySnapshot& experiment, const model::Config& before, const Finding& finding)
{
    Proof proof;
    proof.predicted = finding.gain;
    proof.study = experiment.study.id;
    const Trial* first = nullptr;
    const Trial* second = nullptr;
    for (const Trial& trial : experiment.trials)
        (trial.config == before ? first : second) = &trial;
    if (first)
        proof.before = first->id;
    if (second)
        proof.after = second->id;
    proof.word = ProofWord::notRun;
    if (!isOk(second)) {
        proof.sentence = "Not run with " + changeText(finding.knob) + ". " + whyNotRun(second, "The changed cell");
        return proof;
    }
    if (!isOk(first)) {
        proof.sentence = "Not run. " + whyNotRun(first, "The cell as it was");
        return proof;
    }
    stats::CompareOptions options;
    options.noiseFloor = experiment.noiseFloor();
    if (const auto effect = stats::compareTrials({*first}, {*second}, true, options))
        proof.effect = *effect;
    const model::Interval& ratio = proof.effect.ratio;
    if (ratio.lo > 0)
        proof.saved = {1 - 1 / ratio.value, 1 - 1 / ratio.lo, 1 - 1 / ratio.hi, ratio.confidence};
    if (std::string how; !inEffect(*second, finding.knob, how)) {
        proof.word = ProofWord::notInEffect;
        proof.sentence =
            changeText(finding.knob) + " was asked for and is not in effect" + (how.empty() ? "." : ": " + how + ".");
        return proof;
    }
    switch (proof.effect.verdict) {
    case stats::Verdict::faster:
        proof.word = ProofWord::proved;
        break;
    case stats::Verdict::slower:
    case stats::Verdict::same:
        proof.word = ProofWord::refuted;
        break;
    case stats::Verdict::cannotTell:
        // What was promised is excluded, whether or not a little was saved.
        proof.word =
            ratio.confidence > 0 && proof.saved.hi < proof.predicted.lo ? ProofWord::refuted : ProofWord::cannotTell;
        break;
    }
    proof.sentence = sentenceOf(proof);
    return proof;
}

} // namespace apertune::runs
