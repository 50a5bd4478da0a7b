// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/remeasure.h"

#include "core/base/clock.h"
#include "core/model/device.h"
#include "core/runs/errors.h"
#include "core/stats/block_stats.h"
#include "core/stats/summarize.h"
#include "core/stats/undisturbed_time.h"
#include "core/study/confirmation_plan.h"
#include "core/study/drift_monitor.h"
#include "core/study/loaded_configuration.h"
#include "core/study/schedule.h"
#include "core/study/trial_request.h"

#include <algorithm>

namespace apertune::runs {

using base::Error;
using base::ErrorCode;
using base::Nanoseconds;

namespace {

const model::Trial* referenceOf(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const model::Trial* found = nullptr;
    for (const model::Trial& other : snapshot.trials)
        if (other.device == trial.device && other.id != trial.id && other.state == model::TrialState::ok &&
            other.measurement.conditions.machine == trial.measurement.conditions.machine &&
            other.config.isReference() && (!found || other.config.batch < found->config.batch))
            found = &other;
    // The reference cannot be its own yardstick.
    return trial.config.isReference() ? nullptr : found;
}

/// Median clock of the blocks; nullopt when it was not measured.
std::optional<double> clockOf(const std::vector<model::Block>& blocks)
{
    std::vector<double> clocks;
    for (const model::Block& block : blocks)
        if (block.clock > 0)
            clocks.push_back(block.clock);
    return clocks.empty() ? std::nullopt : std::optional(stats::median(clocks));
}

model::Interval inverse(const model::Interval& ratio)
{
    return {1 / ratio.value, 1 / ratio.hi, 1 / ratio.lo, ratio.confidence};
}

} // namespace

base::Result<Remeasured> remeasureTrial(const study::RunContext& context, const model::StudySnapshot& snapshot,
                                        const model::Trial& trial, const study::PhaseSink& phase, std::stop_token stop)
{
    if (trial.state != model::TrialState::ok || trial.measurement.blocks.empty())
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNeverMeasured>(),
                     {},
                     base::message<errors::kNameOkTrial>()};
    const model::Study& study = snapshot.study;
    // The reference takes turns with the trial where the study has one.
    std::vector<const model::Trial*> measured{&trial};
    if (const model::Trial* reference = referenceOf(snapshot, trial))
        measured.push_back(reference);
    std::vector<study::LoadedConfiguration> configurations;
    for (const model::Trial* one : measured) {
        auto request = study::requestOf(context, study, *one, phase, stop);
        if (!request)
            return request.error();
        // The clock of another processor is no reference.
        if (const model::Device* then = snapshot.deviceOf(*one); then && then->name == request->device.name)
            request->clock = one->measurement.conditions.clockHigh;
        auto opened = study::openConfiguration(context.launcher, *request, context.limits, stop, phase);
        if (!opened)
            return study::toError(opened.error());
        configurations.push_back(std::move(*opened));
    }

    if (phase)
        phase(study::Phase::measure, {});
    std::vector<study::LoadedConfiguration*> interleaved;
    for (study::LoadedConfiguration& configuration : configurations)
        interleaved.push_back(&configuration);
    const auto converged = [&](const study::LoadedConfiguration& configuration) {
        return configuration.converged(study.target);
    };
    // The deadline counts from here, because loading is no part of the measurement.
    const Nanoseconds deadline = base::monotonicNow() + context.limits.trialMost;
    const auto most = static_cast<std::size_t>(context.limits.maxBlocks);
    for (std::size_t round = 0; round < most; ++round) {
        // Twice the blocks of a confirmation: there is one process only, and no later one can add to it.
        if (round >= 2 * study::kMinConfirmBlocks &&
            std::all_of(configurations.begin(), configurations.end(), converged))
            break;
        if (round > 0 && base::monotonicNow() >= deadline)
            break;
        if (const auto status = study::measureRound(interleaved, round, context.limits, stop); !status)
            return study::toError(status.error());
    }

    Remeasured result;
    model::Trial now = trial;
    now.id = {}; // With the same id, both would count as interleaved in one confirmation.
    now.measurement = {};
    now.measurement.blocks = std::move(configurations[0].taken.blocks);
    now.measurement.iterations = std::move(configurations[0].taken.iterations);
    now.measurement.conditions = configurations[0].taken.conditions;
    if (configurations.size() > 1) {
        result.reference = measured[1]->id;
        model::Trial other = *measured[1];
        other.measurement = {};
        other.measurement.blocks = configurations[1].taken.blocks;
        other.measurement.conditions = configurations[1].taken.conditions;
        result.byProcessorTime = stats::isEstimated(now) || stats::isEstimated(other);
        const std::vector<double> trialTimes = stats::undisturbedTimes(now);
        const std::vector<double> referenceTimes = stats::undisturbedTimes(other);
        const std::span<const double> configuration(trialTimes);
        const std::span<const double> reference(referenceTimes);
        stats::CompareOptions paired;
        paired.pairing = stats::Pairing::paired;
        // compare() gives the first over the second, and the trial's multiple of the reference is its inverse.
        result.toReference = inverse(stats::compare({reference}, {configuration}, paired).ratio);
        // A reading like those of the study, so that effectBetween() can take the drift since then out.
        const auto& then = trial.measurement.conditions.driftReading;
        const model::Interval median = stats::medianInterval(referenceTimes);
        const model::Device* device = model::findDevice(context.devices, trial.device);
        if (then)
            now.measurement.conditions.driftReading =
                model::DriftReading{study::driftIdentity(study, *device, measured[1]->config), median.value,
                                    // The change then and the change since multiply to the change of the whole time.
                                    median.relativeHalfWidth(), median.value / then->latencyNs * then->change};
    }
    stats::summarize(now.measurement, trial.config.batch, study.target);
    stats::CompareOptions options;
    options.noiseFloor = snapshot.noiseFloor();
    if (const auto effect = stats::effectBetween({trial}, {now}, true, options))
        result.effect = *effect;
    const auto clockThen = clockOf(trial.measurement.blocks);
    const auto clockNow = clockOf(now.measurement.blocks);
    if (clockThen && clockNow)
        result.clock = *clockNow / *clockThen;
    result.now = std::move(now.measurement);
    return result;
}

} // namespace apertune::runs
