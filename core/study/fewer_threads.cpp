// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/fewer_threads.h"

#include "core/search/recommend.h"
#include "core/stats/undisturbed_time.h"
#include "core/study/quiet_wait.h"
#include "core/study/reasons.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace apertune::study {

using base::Nanoseconds;
using model::Trial;

namespace {

constexpr Nanoseconds kVariantTime = base::fromSeconds(2);   ///< measuring time of a variant
constexpr Nanoseconds kVariantsMost = base::fromSeconds(10); ///< most time that a search leaves to the variants
constexpr double kVariantShare = 0.1;                        ///< most of the budget that it leaves to them
constexpr double kNearBest = 1.2; ///< time over that of the best up to which a variant is nominated

bool isWanted(const SweepContext& context, const model::Device& device)
{
    return context.run.limits.fewerThreads && device.type.isCpu() && context.study.space.threads.empty() &&
           model::isTime(model::singleObjectiveGoals(context.study.goal).front().objective);
}

/// The best measured trial of the device among those that `matches` accepts.
template <typename Matches>
std::optional<Trial> bestOf(const SweepContext& context, const std::string& device, Matches matches)
{
    std::vector<Trial> trials = context.tracker.read([](const std::vector<Trial>& all) { return all; });
    std::erase_if(trials, [&](const Trial& trial) { return trial.device != device || !matches(trial); });
    const auto best = search::recommend(trials, model::singleObjectiveGoals(context.study.goal).front(),
                                        context.noiseFloor, search::Candidates::measured);
    const Trial* trial = best ? model::findTrial(trials, best->trial) : nullptr;
    return trial ? std::optional(*trial) : std::nullopt;
}

/// The best trial of the device, and beside other programs the best one of each further engine.
std::vector<Trial> leadersOf(const SweepContext& context, const std::string& device)
{
    std::vector<Trial> leaders;
    std::set<std::string> engines; // engines that have a leader
    const auto next = [&] {
        return bestOf(context, device, [&](const Trial& trial) { return !engines.contains(trial.config.backend); });
    };
    for (auto best = next(); best; best = next()) {
        engines.insert(best->config.backend);
        leaders.push_back(std::move(*best));
        if (leaders.size() == 1 && !othersCompute())
            break;
    }
    return leaders;
}

/// The trial of `config`, which is added where the study has none; nullopt when it is measured or was left out, and
/// when the store refuses.
std::optional<std::size_t> openTrialOf(TrialTracker& tracker, const std::string& device, const model::Config& config)
{
    const bool known = tracker.read([&](const std::vector<Trial>& trials) {
        return std::any_of(trials.begin(), trials.end(),
                           [&](const Trial& trial) { return trial.device == device && trial.config == config; });
    });
    return known ? std::nullopt : tracker.add(device, config);
}

} // namespace

Nanoseconds timeForFewerThreads(const SweepContext& context, const model::Device& device)
{
    const auto left = context.tracker.budgetLeft(device.id);
    if (!left || !isWanted(context, device))
        return {};
    return std::clamp(Nanoseconds{static_cast<std::int64_t>(kVariantShare * static_cast<double>(left->count))},
                      Nanoseconds{}, kVariantsMost);
}

void tryFewerThreads(const SweepContext& context, TrialRunner& runner)
{
    TrialTracker& tracker = context.tracker;
    const model::Device& device = runner.device();
    if (!isWanted(context, device) || context.stop.stop_requested())
        return;
    for (const Trial& leader : leadersOf(context, device.id))
        for (const int threads : std::set<int>{1, leader.config.threads / 2}) {
            model::Config config = leader.config;
            config.threads = threads;
            if (threads < 1 || threads >= leader.config.threads || !runner.hasTimeFor(config))
                continue;
            const auto i = openTrialOf(tracker, device.id, config);
            if (!i)
                continue;
            tracker.message(base::message<reasons::kFewerThreads>(tracker.names().of(leader), threads));
            runner.run(*i, MeasuringTime{kVariantTime});
            runner.closeWorker();
            if (context.stop.stop_requested())
                return;
            const Trial trial = tracker.trial(*i);
            const auto best = bestOf(context, device.id, [](const Trial&) { return true; });
            if (trial.state == model::TrialState::ok && best &&
                stats::undisturbedNs(trial) / trial.config.batch <
                    kNearBest * stats::undisturbedNs(*best) / best->config.batch)
                tracker.nominate(trial.id);
        }
}

} // namespace apertune::study
