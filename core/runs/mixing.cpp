// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/mixing.h"

#include "core/base/text.h"
#include "core/runs/experiment.h"

#include <algorithm>

namespace apertune::runs {

using model::Trial;

namespace {

bool isMeasured(const Trial& trial)
{
    return trial.state == model::TrialState::ok;
}

std::string milliseconds(const Trial& trial)
{
    return base::formatSignificant(trial.measurement.latencyNs.value * 1e-6) + " ms";
}

std::string cosineText(const Trial& trial)
{
    return trial.measurement.quality ? "cosine " + base::formatSignificant(trial.measurement.quality->cosine)
                                     : "quality unknown";
}

std::string againstFloat(const Mix& mix, const Trial& plain)
{
    if (!mix.gain || mix.gain->ratio.confidence <= 0)
        return " fp32 takes " + milliseconds(plain) + "; too few blocks to tell them apart.";
    const model::Interval& r = mix.gain->ratio;
    const std::string ratio = base::formatSignificant(r.value, 3) + "× [" + base::formatSignificant(r.lo, 3) + ", " +
                              base::formatSignificant(r.hi, 3) + "]";
    switch (mix.gain->verdict) {
    case stats::Verdict::faster:
        return " It is faster than fp32: " + ratio + ".";
    case stats::Verdict::slower:
        return " But fp32 is faster on this machine: int8 reaches " + ratio + " of its speed.";
    case stats::Verdict::same:
        return " It is as fast as fp32: " + ratio + ".";
    case stats::Verdict::cannotTell:
        break;
    }
    return " Whether it is faster than fp32 cannot be told: " + ratio + ".";
}

std::string sentenceOf(const Mix& mix, const Trial* best, const Trial* plain, const Trial* nearest, double bound)
{
    const std::string asked = " (asked: " + base::formatSignificant(bound) + ")";
    if (!best) {
        if (!nearest)
            return "None: no int8 mix could be measured.";
        return "None: no int8 mix of the " + std::to_string(mix.steps) +
               " that were measured keeps the bound. Nearest is " + cosineText(*nearest) + asked + " with " +
               std::to_string(nearest->config.quantization->floatLayers.size()) + " of " + std::to_string(mix.layers) +
               " layers in float.";
    }
    std::string text = "The fastest int8 inside the bound leaves " + std::to_string(mix.kept.size()) + " of " +
                       std::to_string(mix.layers) + " layers in float: " + milliseconds(*best) + ", " +
                       cosineText(*best) + asked + ".";
    return plain ? text + againstFloat(mix, *plain) : text;
}

} // namespace

study::StudyRequest mixOn(const model::Study& study, const Trial& trial, const model::Sensitivity& sensitivity,
                          const MixOptions& options)
{
    study::StudyRequest request;
    request.model = study.model;
    request.goal = study.goal;
    if (options.minQuality)
        request.goal.minQuality = *options.minQuality;
    request.commandLine = options.commandLine;
    request.budget = options.budget;
    request.target = study.target;
    request.space = spaceOf(trial);
    request.space.precisions = {model::Precision::fp32, model::Precision::int8};
    for (const model::Sensitivity::Layer& layer : sensitivity.layers)
        request.space.sensitive.push_back(layer.name);
    request.space.search = "bisect";
    return request;
}

Mix mixOf(const model::StudySnapshot& snapshot)
{
    Mix mix;
    mix.study = snapshot.study.id;
    mix.layers = snapshot.study.space.sensitive.size();
    const double bound = snapshot.study.goal.minQuality;
    const Trial *best = nullptr, *plain = nullptr, *nearest = nullptr;
    const auto cosine = [](const Trial& t) { return t.measurement.quality ? t.measurement.quality->cosine : -1.0; };
    for (const Trial& trial : snapshot.trials) {
        if (!isMeasured(trial))
            continue;
        if (!trial.config.quantization) {
            plain = &trial;
            continue;
        }
        ++mix.steps;
        if (!nearest || cosine(trial) > cosine(*nearest))
            nearest = &trial;
        if (cosine(trial) >= bound && (!best || trial.measurement.latencyNs.value < best->measurement.latencyNs.value))
            best = &trial;
    }
    if (plain)
        mix.plain = plain->id;
    if (best) {
        mix.best = best->id;
        mix.kept = best->config.quantization->floatLayers;
        stats::CompareOptions options;
        options.noiseFloor = snapshot.noiseFloor();
        if (plain)
            if (auto effect = stats::compareTrials({*plain}, {*best}, false, options))
                mix.gain = *effect;
    }
    mix.sentence = sentenceOf(mix, best, plain, nearest, bound);
    return mix;
}

} // namespace apertune::runs
