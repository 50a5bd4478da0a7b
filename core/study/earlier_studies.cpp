// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/earlier_studies.h"

#include "core/search/algorithm.h"
#include "core/stats/block_stats.h"
#include "core/stats/reference_turns.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace apertune::study {

using model::Study;
using model::Trial;

namespace {

/// Whether a time of `trial`, which is of `earlier`, says something about the same configuration in `study`.
bool isComparable(const Study& study, const Study& earlier, const Trial& trial)
{
    const model::Device* now = model::findDevice(study.environment.devices, trial.device);
    const model::Device* then = model::findDevice(earlier.environment.devices, trial.device);
    const auto versionIn = [&](const model::Environment& environment) {
        const std::string* version = model::engineVersion(environment, trial.config.backend);
        return version ? *version : std::string();
    };
    return now && then && study.model.contentHash == earlier.model.contentHash &&
           model::machineKey(study.environment, *now) == model::machineKey(earlier.environment, *then) &&
           versionIn(study.environment) == versionIn(earlier.environment);
}

/// Time of a sample over that of the baseline: by turns of a common reference where there were some.
double costOf(const Trial& trial, const Trial& baseline)
{
    if (stats::haveCommonReference(trial, baseline))
        return stats::relativeToReference(trial, true)->value / stats::relativeToReference(baseline, true)->value;
    const auto sample = [](const Trial& t) { return t.measurement.latencyNs.value / t.config.batch; };
    return sample(trial) / sample(baseline);
}

/// Adds the groups of one study that `best` does not have yet.
void addBest(const Study& study, const Study& earlier, const std::vector<Trial>& trials,
             std::map<std::string, search::KnownBest>& best)
{
    std::map<std::string, search::KnownBest> found;
    for (const Trial& baseline : trials) {
        if (baseline.state != model::TrialState::ok || !baseline.config.isReference() ||
            !isComparable(study, earlier, baseline))
            continue;
        for (const Trial& trial : trials) {
            if (trial.state != model::TrialState::ok || trial.device != baseline.device ||
                !isComparable(study, earlier, trial))
                continue;
            const search::KnownBest own{costOf(trial, baseline), trial.config.batch};
            const auto [at, added] = found.emplace(model::groupKey(trial.config, trial.device), own);
            if (own.cost < at->second.cost)
                at->second = own;
        }
        break; // the first planned baseline is that of the study
    }
    best.merge(found);
}

} // namespace

EarlierStudies earlierStudies(const store::Store& store, const Study& study, const std::vector<Trial>& trials)
{
    EarlierStudies result;
    const auto any = [&](auto matches) {
        return std::any_of(trials.begin(), trials.end(),
                           [&](const Trial& trial) { return !model::isFinal(trial.state) && matches(trial); });
    };
    const bool compiles = any([](const Trial& trial) { return trial.config.isCompiled(); });
    const bool searches =
        study.space.search && *study.space.search != search::Algorithm::grid && any([](const Trial&) { return true; });
    if (!compiles && !searches)
        return result;
    const auto known = store.studies();
    if (!known)
        return result;
    // The newest studies tell enough, and reading all of a large workspace takes time.
    constexpr int kMostStudies = 4;
    int read = 0;
    std::vector<double> compilations;
    for (const store::StudySummary& summary : *known) {
        if (summary.id == study.id || summary.modelName != study.model.name ||
            summary.purpose != model::StudyPurpose::tuning)
            continue;
        if (read++ == kMostStudies)
            break;
        const auto earlier = store.study(summary.id);
        const auto measured = store.trials(summary.id);
        if (!earlier || !measured)
            continue;
        for (const Trial& trial : *measured)
            if (const auto& took = trial.measurement.compile; took && trial.config.isCompiled() && took->count > 0)
                compilations.push_back(static_cast<double>(took->count));
        if (searches)
            addBest(study, *earlier, *measured, result.best);
    }
    if (!compilations.empty())
        result.compile = {static_cast<std::int64_t>(stats::median(compilations))};
    return result;
}

} // namespace apertune::study
