// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/robustness_run.h"

#include "core/base/clock.h"
#include "core/runs/errors.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"
#include "core/study/loaded_configuration.h"
#include "core/study/trial_request.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

namespace apertune::runs {

using base::Nanoseconds;

namespace {

/// Threads that compute while the object exists.
class CompetingProgram
{
public:
    explicit CompetingProgram(int threads)
    {
        for (int i = 0; i < threads; ++i)
            m_threads.emplace_back([](const std::stop_token& stop) {
                // volatile keeps the compiler from removing the loop.
                volatile std::uint64_t counted = 0;
                while (!stop.stop_requested())
                    counted = counted + 1;
            });
    }

private:
    std::vector<std::jthread> m_threads;
};

/// One configuration of the comparison with its blocks, in ns a pass.
struct Arm
{
    model::Trial trial; ///< without an id where the study has no such trial
    study::LoadedConfiguration loaded{};
    std::vector<double> alone{};
    std::vector<double> beside{};
};

/// The leading trial first, then its rivals on its device, then its variants with one thread and with `halfOfTheCores`
/// where `isCpu` says so of the device.
std::vector<Arm> armsOf(const model::StudySnapshot& snapshot, bool isCpu, int halfOfTheCores)
{
    const model::Recommendation& leading = *snapshot.leading();
    const std::string device = snapshot.leadingTrial()->device;
    std::vector<Arm> arms;
    std::set<model::TrialId> added;
    // A rival may stand in several places, and a device of its own cannot be compared here.
    const auto add = [&](model::TrialId id) {
        const model::Trial* trial = snapshot.find(id);
        if (trial && trial->device == device && added.insert(id).second)
            arms.push_back({*trial});
    };
    add(leading.trial);
    if (leading.runnerUp)
        add(leading.runnerUp->over);
    for (const model::Recommendation& candidate : snapshot.shortlist)
        add(candidate.trial);
    add(leading.against);
    if (!isCpu)
        return arms;
    const int ofTheBest = arms.front().trial.config.threads;
    // Fewer threads leave processors free for others, so they may be faster beside them.
    for (const int threads : std::set<int>{1, halfOfTheCores}) {
        if (threads >= ofTheBest)
            continue;
        model::Trial variant = arms.front().trial;
        variant.config.threads = threads;
        // A trial that the study has already gets its id, so that a reader finds it.
        const auto known = std::find_if(snapshot.trials.begin(), snapshot.trials.end(), [&](const model::Trial& trial) {
            return trial.device == device && trial.state == model::TrialState::ok && trial.config == variant.config;
        });
        variant.id = known == snapshot.trials.end() ? model::TrialId{} : known->id;
        if (!variant.id || added.insert(variant.id).second)
            arms.push_back({std::move(variant)});
    }
    return arms;
}

/// Adds one block of each arm to `values` (Arm::alone or Arm::beside).
worker::WorkerStatus measureAll(std::vector<Arm>& arms, std::vector<double> Arm::*values, std::size_t round,
                                const worker::RunLimits& limits, const std::stop_token& stop)
{
    std::vector<study::LoadedConfiguration*> loaded;
    for (Arm& arm : arms)
        loaded.push_back(&arm.loaded);
    if (auto status = study::measureRound(loaded, round, limits, stop); !status)
        return status;
    for (Arm& arm : arms)
        (arm.*values).push_back(arm.loaded.taken.blocks.back().nsPerIteration());
    return {};
}

model::Interval pairedRatio(const std::vector<double>& above, const std::vector<double>& below)
{
    stats::CompareOptions options;
    options.pairing = stats::Pairing::paired;
    return stats::compare({std::span<const double>(above)}, {std::span<const double>(below)}, options).ratio;
}

std::vector<double> aSample(const Arm& arm)
{
    std::vector<double> values = arm.beside;
    for (double& value : values)
        value /= arm.trial.config.batch;
    return values;
}

} // namespace

base::Result<model::Robustness> measureRobustness(const study::RunContext& context,
                                                  const model::StudySnapshot& snapshot, const study::PhaseSink& phase,
                                                  std::stop_token stop)
{
    const model::Trial* best = snapshot.leadingTrial();
    if (!best)
        return base::Error{base::ErrorCode::invalidArgument,
                           base::message<errors::kNothingLeads>(),
                           {},
                           base::message<errors::kTuneLonger>()};
    const auto processor = std::find_if(context.devices.begin(), context.devices.end(),
                                        [](const model::Device& d) { return d.type.isCpu(); });
    const bool known = processor != context.devices.end();
    const int cores =
        known && processor->cores > 0 ? processor->cores : static_cast<int>(std::thread::hardware_concurrency());
    model::Robustness result;
    result.competingThreads = std::max(1, cores / 2);
    std::vector<Arm> arms = armsOf(snapshot, known && processor->id == best->device, result.competingThreads);
    for (Arm& arm : arms) {
        const auto request = study::requestOf(context, snapshot.study, arm.trial, phase, stop);
        if (!request)
            return request.error();
        auto opened = study::openConfiguration(context.launcher, *request, context.limits, stop, phase);
        if (!opened)
            return study::toError(opened.error());
        arm.loaded = std::move(*opened);
    }

    const Nanoseconds deadline = base::monotonicNow() + context.limits.trialMost;
    for (std::size_t round = 0; round < kRobustnessRounds; ++round) {
        // The fewest rounds of an interval are made in any case.
        if (round >= stats::kIntervalSamples && base::monotonicNow() >= deadline)
            break;
        if (phase)
            phase(study::Phase::measure, base::foreignText(std::to_string(round + 1)));
        if (const auto status = measureAll(arms, &Arm::alone, round, context.limits, stop); !status)
            return study::toError(status.error());
        // The competing program begins after the quiet block and ends with the round, so both see the same state of the
        // machine.
        const CompetingProgram competing(result.competingThreads);
        if (const auto status = measureAll(arms, &Arm::beside, round, context.limits, stop); !status)
            return study::toError(status.error());
    }

    const std::vector<double> leading = aSample(arms.front());
    for (const Arm& arm : arms)
        result.rows.push_back({arm.trial.config, arm.trial.id, stats::medianInterval(arm.alone),
                               stats::medianInterval(arm.beside), pairedRatio(arm.beside, arm.alone),
                               pairedRatio(leading, aSample(arm))});
    // The leading configuration stays first.
    std::stable_sort(result.rows.begin() + 1, result.rows.end(),
                     [](const auto& a, const auto& b) { return a.gain.value > b.gain.value; });
    return result;
}

} // namespace apertune::runs
