// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/search/live.h"

#include "core/search/recommend.h"
#include "core/stats/energy.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace apertune::search::bench {

namespace {

using model::StudySnapshot;
using model::Trial;

base::Error refused(const std::string& what)
{
    return base::plainError(
        base::ErrorCode::invalidArgument, what, {},
        "Run `apertune tune` twice with the same axes and goal, once with --search grid --budget 0.");
}

double measuringSeconds(const StudySnapshot& study)
{
    double sum = 0;
    for (const Trial& trial : study.trials) {
        sum += trial.measurement.warmup.seconds();
        for (const model::Block& block : trial.measurement.blocks)
            sum += block.wall.seconds();
    }
    return sum;
}

/// "2026-11-22T03:04:05Z" in seconds.
double secondsOf(const std::string& utc)
{
    std::tm time{};
    return ::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%S", &time) ? static_cast<double>(::timegm(&time)) : NAN;
}

double wallSeconds(const StudySnapshot& study)
{
    return std::max(1.0, secondsOf(study.study.finishedUtc) - secondsOf(study.study.createdUtc));
}

const Trial* sameConfiguration(const StudySnapshot& study, const Trial& wanted)
{
    const std::string group = model::groupKey(wanted.config, wanted.device);
    const auto at = std::find_if(study.trials.begin(), study.trials.end(), [&](const Trial& trial) {
        return trial.config.batch == wanted.config.batch && model::groupKey(trial.config, trial.device) == group;
    });
    return at == study.trials.end() ? nullptr : &*at;
}

double costOf(const Trial& trial, const model::Goal& goal)
{
    const model::Measurement& m = trial.measurement;
    switch (goal.objective) {
    case model::Objective::latency:
        return m.latencyNs.value;
    case model::Objective::memory: {
        const auto& peak = m.memory.peakOn(model::typeOfDevice(trial.device));
        return peak ? static_cast<double>(peak->count) : INFINITY;
    }
    case model::Objective::energy:
        return stats::energyOfSample(m.conditions).value_or(model::Interval{INFINITY, 0, 0, 0}).value;
    case model::Objective::throughput:
        break;
    }
    return m.latencyNs.value / trial.config.batch;
}

std::string nameOf(const Trial& trial)
{
    const model::DeviceType type = model::typeOfDevice(trial.device);
    return model::groupName(trial.config, type) + ", batch " + std::to_string(trial.config.batch);
}

} // namespace

base::Result<LiveComparison> compareLive(const StudySnapshot& brute, const StudySnapshot& searched)
{
    if (brute.trials.size() != searched.trials.size())
        return refused("The two studies have not the same configurations.");
    LiveComparison result;
    result.configurations = brute.trials.size();
    const model::Goal& goal = brute.study.goal;
    const Trial* best = nullptr;
    for (const Trial& trial : brute.trials)
        if (isEligible(trial, goal) && (!best || costOf(trial, goal) < costOf(*best, goal)))
            best = &trial;
    const auto recommended = recommend(searched.trials, searched.study.goal, searched.noiseFloor());
    if (!best || !recommended)
        return refused("One of the two studies has nothing to recommend.");
    for (const Trial& trial : searched.trials) {
        if (!sameConfiguration(brute, trial))
            return refused("The two studies have not the same configurations.");
        result.measured += trial.state == model::TrialState::ok;
    }
    const Trial& chosen = *std::find_if(searched.trials.begin(), searched.trials.end(),
                                        [&](const Trial& t) { return t.id == recommended->trial; });
    const Trial& truth = *sameConfiguration(brute, chosen);
    if (!isEligible(truth, goal))
        return refused("What the search recommends is nothing that brute force could measure.");
    result.best = nameOf(*best);
    result.winner = nameOf(chosen);
    result.regret = 1 - costOf(*best, goal) / costOf(truth, goal);
    result.measuring = measuringSeconds(searched) / measuringSeconds(brute);
    result.wall = wallSeconds(searched) / wallSeconds(brute);
    return result;
}

} // namespace apertune::search::bench
