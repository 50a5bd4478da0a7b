// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/mixed_precision.h"

#include "core/base/text.h"
#include "core/runs/reasons.h"
#include "core/runs/verification.h"
#include "core/search/algorithm.h"
#include "core/search/searcher.h"

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

base::Message qualityOf(const Trial& trial)
{
    return trial.measurement.quality ? base::message<reasons::kCosine>(trial.measurement.quality->cosine)
                                     : base::message<reasons::kQualityUnknown>();
}

base::Message againstFloat(const MixedPrecision& mixedPrecision, const Trial& plain)
{
    if (!mixedPrecision.gain || mixedPrecision.gain->ratio.confidence <= 0)
        return base::message<reasons::kFloatUndecided>(milliseconds(plain));
    const model::Interval& r = mixedPrecision.gain->ratio;
    const std::string ratio = base::formatSignificant(r.value, 3) + "× [" + base::formatSignificant(r.lo, 3) + ", " +
                              base::formatSignificant(r.hi, 3) + "]";
    switch (mixedPrecision.gain->verdict) {
    case stats::Verdict::faster:
        return base::message<reasons::kFasterThanFloat>(ratio);
    case stats::Verdict::slower:
        return base::message<reasons::kSlowerThanFloat>(ratio);
    case stats::Verdict::same:
        return base::message<reasons::kAsFastAsFloat>(ratio);
    case stats::Verdict::cannotTell:
        break;
    }
    return base::message<reasons::kFloatCannotTell>(ratio);
}

base::Message messageOf(const MixedPrecision& mixedPrecision, const Trial* best, const Trial* plain,
                        const Trial* nearest, double bound)
{
    if (best)
        return base::sentencesOf({base::message<reasons::kFastestMix>(mixedPrecision.kept.size(), mixedPrecision.layers,
                                                                      milliseconds(*best), qualityOf(*best), bound),
                                  plain ? againstFloat(mixedPrecision, *plain) : base::Message{}});
    if (!nearest)
        return base::message<reasons::kNoMix>();
    return base::message<reasons::kNoMixInBound>(mixedPrecision.steps, qualityOf(*nearest), bound,
                                                 nearest->config.quantization->floatLayers.size(),
                                                 mixedPrecision.layers);
}

} // namespace

study::StudyRequest mixedPrecisionStudyOf(const model::Study& study, const Trial& trial,
                                          const model::Sensitivity& sensitivity, const MixedPrecisionOptions& options)
{
    study::StudyRequest request;
    request.model = study.model;
    request.goal = study.goal;
    // A bound of this run replaces that of the study, which may have been set for other precisions.
    if (options.minQuality)
        request.goal.minQuality = *options.minQuality;
    request.commandLine = options.commandLine;
    request.budget = options.budget;
    // Conversions take most of the time of these steps, and they are no part of what is budgeted.
    request.budgetKind = model::BudgetKind::measuring;
    request.target = study.target;
    request.space = spaceOf(trial);
    // fp32 takes part because the answer has to say what int8 gains.
    request.space.precisions = {model::Precision::fp32, model::Precision::int8};
    for (const model::Sensitivity::Layer& layer : sensitivity.layers)
        request.space.sensitive.push_back(layer.name);
    request.space.search = search::Algorithm::bisect;
    return request;
}

MixedPrecision mixedPrecisionOf(const model::StudySnapshot& snapshot)
{
    MixedPrecision mixedPrecision;
    mixedPrecision.study = snapshot.study.id;
    mixedPrecision.layers = snapshot.study.space.sensitive.size();
    const double bound = snapshot.study.goal.minQuality;
    const Trial *best = nullptr, *plain = nullptr, *nearest = nullptr;
    // A trial without a quality can neither be the best nor the nearest.
    const auto cosine = [](const Trial& t) { return t.measurement.quality ? t.measurement.quality->cosine : -1.0; };
    for (const Trial& trial : snapshot.trials) {
        if (!isMeasured(trial))
            continue;
        // The trial without quantization is the float model.
        if (!trial.config.quantization) {
            plain = &trial;
            continue;
        }
        ++mixedPrecision.steps;
        if (!nearest || cosine(trial) > cosine(*nearest)) // It is reported when no trial keeps the bound.
            nearest = &trial;
        if (cosine(trial) >= bound && (!best || trial.measurement.latencyNs.value < best->measurement.latencyNs.value))
            best = &trial;
    }
    if (plain)
        mixedPrecision.plain = plain->id;
    if (best) {
        mixedPrecision.best = best->id;
        mixedPrecision.kept = best->config.quantization->floatLayers;
        stats::CompareOptions options;
        options.noiseFloor = snapshot.noiseFloor();
        if (plain)
            // `false`: the batches are equal, so passes are compared.
            if (auto effect = stats::effectBetween({*plain}, {*best}, false, options))
                mixedPrecision.gain = *effect;
    }
    mixedPrecision.message = messageOf(mixedPrecision, best, plain, nearest, bound);
    return mixedPrecision;
}

} // namespace apertune::runs
