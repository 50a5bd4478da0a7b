// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/rest_of_budget.h"

#include "core/model/device.h"
#include "core/model/left_out.h"
#include "core/search/recommend.h"
#include "core/study/confirmation.h"
#include "core/study/reasons.h"
#include "core/study/trial_runner.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace apertune::study {

using base::Nanoseconds;
using model::Trial;

namespace {

/// In how many settings two configurations differ; a doubled batch is one, another engine two.
int distance(const model::Config& a, const model::Config& b)
{
    constexpr int kEngine = 2; // Another engine changes more than any setting.
    int count = (a.backend != b.backend ? kEngine : 0) + (a.level != b.level ? 1 : 0) +
                (a.precision != b.precision ? 1 : 0) + (a.threads != b.threads ? 1 : 0);
    // A level stands for its own switches, and each engine has others.
    if (a.level == b.level && a.backend == b.backend)
        for (const auto& [name, on] : a.switches)
            if (const auto other = b.switches.find(name); other != b.switches.end() && other->second != on)
                ++count;
    const double octaves = std::log2(static_cast<double>(a.batch)) - std::log2(static_cast<double>(b.batch));
    return count + static_cast<int>(std::ceil(std::abs(octaves)));
}

/// The untried neighbours of the winner, the nearest first; the planned order decides between equals.
std::vector<std::size_t> neighboursOf(const Trial& winner, const std::vector<Trial>& trials)
{
    std::vector<std::pair<int, std::size_t>> found;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const Trial& trial = trials[i];
        const int far = distance(winner.config, trial.config);
        const bool gaveUp =
            trial.state == model::TrialState::pruned && trial.reason.kind == model::ReasonKind::dominated && far <= 1;
        if (trial.device == winner.device && (gaveUp || model::isLeftOutForTime(trial)))
            found.emplace_back(far, i);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::size_t> order;
    for (const auto& [far, i] : found)
        order.push_back(i);
    return order;
}

std::optional<Trial> recommendedTrial(const SweepContext& context)
{
    return context.tracker.read([&](const std::vector<Trial>& trials) -> std::optional<Trial> {
        const auto best = search::recommend(trials, context.study.goal, context.noiseFloor);
        const Trial* trial = best ? model::findTrial(trials, best->trial) : nullptr;
        return trial ? std::optional(*trial) : std::nullopt;
    });
}

} // namespace

void useRestOfBudget(const SweepContext& context, DriftMonitors& monitors)
{
    TrialTracker& tracker = context.tracker;
    const std::optional<Trial> winner = recommendedTrial(context);
    const model::Device* device = winner ? model::findDevice(context.run.devices, winner->device) : nullptr;
    if (!device || !tracker.budget() || tracker.budgetKind() != model::BudgetKind::wall ||
        context.run.limits.everyTrial || context.run.limits.confirmMost.count <= 0 || !context.run.limits.usesRest)
        return;
    const std::vector<std::size_t> neighbours =
        tracker.read([&](const std::vector<Trial>& trials) { return neighboursOf(*winner, trials); });
    if (neighbours.empty())
        return;
    // Its share of the budget may be over. The devices have all been swept, so the rest is for this one.
    // What was kept for the first confirmation is part of the rest.
    tracker.reserve(device->id, {});
    tracker.beginDeviceGroup(device->id, 1);
    constexpr int kProcesses = 2;
    constexpr int kArms = 3; // the neighbour, the winner and the baseline
    tracker.reserve(device->id, confirmationTime(context, device->id, kProcesses, kArms, {}));
    TrialRunner runner(context, *device, monitors.at(device->id));
    runner.goOn();
    bool measured = false;
    for (const std::size_t i : neighbours) {
        if (context.stop.stop_requested())
            return;
        if (!runner.hasTimeFor(tracker.trial(i).config))
            continue;
        if (!measured)
            tracker.message(base::message<reasons::kUsingRest>(*tracker.wholeBudgetLeft()));
        if (!tracker.reopen(i))
            return;
        constexpr Nanoseconds kLook = base::fromSeconds(2);
        runner.run(i, MeasuringTime{kLook});
        runner.closeWorker();
        measured = true;
    }
    if (const auto left = tracker.wholeBudgetLeft(); measured && left && left->count > 0)
        confirmWinner(context, monitors, *left);
}

} // namespace apertune::study
