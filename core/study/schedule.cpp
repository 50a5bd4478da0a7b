// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/schedule.h"

#include "core/search/automatic_batches.h"

#include <algorithm>
#include <limits>
#include <map>

namespace apertune::study {

using base::Nanoseconds;
using model::Trial;
using model::TrialState;

namespace {

/// Position of the plain sibling of a compiled group, see searchSpace(); nullopt where there is none.
std::optional<std::size_t> plainOf(const model::Config& compiled, const std::vector<const model::Config*>& groups)
{
    std::optional<std::size_t> plain;
    for (std::size_t f = 0; f < groups.size(); ++f) {
        const model::Config& other = *groups[f];
        if (!other.isCompiled() && other.backend == compiled.backend && other.precision == compiled.precision &&
            other.threads == compiled.threads && other.quantization == compiled.quantization &&
            // Of several siblings, the one of the highest level is the closest to the compiled one.
            (!plain || other.level > groups[*plain]->level))
            plain = f;
    }
    return plain;
}

/// Open trials of a device by group, groups in planned order.
std::vector<WorkerRun> openGroups(const std::vector<Trial>& trials, const std::string& device)
{
    std::vector<WorkerRun> runs;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (trials[i].device != device || trials[i].state != TrialState::queued)
            continue;
        std::string group = model::groupKey(trials[i].config, device);
        auto it = std::find_if(runs.begin(), runs.end(), [&](const WorkerRun& r) { return r.group == group; });
        if (it == runs.end())
            it = runs.insert(runs.end(), {std::move(group), {}});
        it->trials.push_back(i);
    }
    return runs;
}

/// Best time per sample of each group's finished trials.
std::map<std::string, double> bestTimes(const std::vector<Trial>& trials, const std::string& device)
{
    std::map<std::string, double> best;
    for (const Trial& trial : trials) {
        if (trial.device != device || trial.state != TrialState::ok)
            continue;
        // Time per sample compares groups of different batches.
        const double perSample = trial.measurement.latencyNs.value / trial.config.batch;
        const auto [it, fresh] = best.emplace(model::groupKey(trial.config, device), perSample);
        if (!fresh)
            it->second = std::min(it->second, perSample);
    }
    return best;
}

Nanoseconds quantile(std::vector<Nanoseconds>& sorted, double p)
{
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1))];
}

Nanoseconds repeated(Nanoseconds each, int count)
{
    return {each.count * count};
}

} // namespace

std::vector<WorkerRun> breadthFirstPass(const std::vector<Trial>& trials, const std::string& device)
{
    // In a resumed study some groups have a result already.
    const auto finished = bestTimes(trials, device);
    std::vector<WorkerRun> runs = openGroups(trials, device);
    std::erase_if(runs, [&](const WorkerRun& run) { return finished.contains(run.group); });
    for (WorkerRun& run : runs)
        // One trial of each group is enough for a first ranking.
        run.trials.resize(1);
    const auto config = [&](const WorkerRun& run) -> const model::Config& { return trials[run.trials[0]].config; };
    if (!runs.empty())
        // The reference leads. The rest is reversed, because the groups that were planned last promise most.
        std::reverse(runs.begin() + (config(runs[0]).isReference() ? 1 : 0), runs.end());
    // Compiled groups come last, so that a short budget is not spent on a compilation before anything else was seen.
    std::stable_partition(runs.begin(), runs.end(), [&](const WorkerRun& run) { return !config(run).isCompiled(); });
    return runs;
}

std::vector<WorkerRun> refinementPass(const std::vector<Trial>& trials, const std::string& device)
{
    const auto finished = bestTimes(trials, device);
    std::vector<WorkerRun> runs = openGroups(trials, device);
    const auto rank = [&](const WorkerRun& run) {
        const auto it = finished.find(run.group);
        // A group without a result comes after all that have one.
        return std::pair(!trials[run.trials.front()].config.isReference(),
                         it == finished.end() ? std::numeric_limits<double>::infinity() : it->second);
    };
    // The planned order decides between equal groups.
    std::stable_sort(runs.begin(), runs.end(),
                     [&](const WorkerRun& a, const WorkerRun& b) { return rank(a) < rank(b); });
    return runs;
}

Nanoseconds measuringTime(std::optional<Nanoseconds> budgetLeft, int open, Nanoseconds overhead, Nanoseconds least,
                          Nanoseconds most)
{
    if (!budgetLeft)
        return most;
    // The share of an open trial, without its loading and warm-up.
    const Nanoseconds share{budgetLeft->count / std::max(1, open) - overhead.count};
    return std::clamp(share, least, std::max(least, most));
}

Eta estimateRemaining(TrialTimes times, std::optional<Nanoseconds> budgetLeft, model::BudgetKind kind)
{
    constexpr std::size_t kEnough = 3;
    Eta eta = times.planned;
    // The last trial may begin just before the budget ends.
    Nanoseconds last = eta.low;
    // Quartiles of the finished trials are used only when there are enough of them.
    if (times.trials.size() >= kEnough) {
        last = times.trials.back();
        eta = {quantile(times.trials, 0.25), quantile(times.trials, 0.75)};
    }
    eta = {repeated(eta.low, times.open), repeated(eta.high, times.open)};
    const Nanoseconds left = std::max(budgetLeft.value_or(eta.high), Nanoseconds{});
    if (budgetLeft)
        // The upper bound adds one trial: the last may begin just before the end.
        eta = {std::min(eta.low, left), std::min(eta.high, left + last)};
    if (times.compiles.empty())
        times.compiles.push_back(kTypicalCompile);
    // Compilations are not part of a budget of measuring time.
    eta.low += repeated(quantile(times.compiles, 0.25), times.openCompiles);
    eta.high += repeated(quantile(times.compiles, 0.75), times.openCompiles);
    // In a budget of wall time they are, so it bounds the sum.
    if (budgetLeft && kind == model::BudgetKind::wall)
        eta = {std::min(eta.low, left), std::min(eta.high, left + last)};
    return eta;
}

SearchSpace searchSpace(const std::vector<Trial>& trials, const model::Device& device, const model::Goal& goal,
                        std::optional<double> memoryShare)
{
    SearchSpace space;
    space.task.goal = goal;
    space.task.memory = search::memoryLimit(device, goal.maxMemory, memoryShare);
    std::map<std::string, std::size_t> groups;
    std::vector<const model::Config*> configs; // one configuration by group
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const Trial& trial = trials[i];
        // A trial that failed cannot be chosen again.
        if (trial.device != device.id || (model::isFinal(trial.state) && trial.state != TrialState::ok))
            continue;
        const auto [at, added] = groups.emplace(model::groupKey(trial.config, device.id), space.task.groups.size());
        if (added) {
            configs.push_back(&trial.config);
            space.task.groups.push_back({model::groupName(trial.config, device.type), {}, {}, {}});
            space.task.groups.back().engine = trial.config.backend;
            if (trial.config.isCompiled()) {
                space.task.groups.back().compile = kTypicalCompile;
                // A graph has no launches to wait for, so compiling may gain more than elsewhere.
                if (trial.config.isOn("cuda_graph"))
                    space.task.groups.back().compileGain = kCompileGainWithGraph;
            }
            if (trial.config.quantization)
                // Groups of the mixed-precision search differ by the number of layers that stay in floating point.
                space.task.groups.back().floatLayerCount = trial.config.quantization->floatLayers.size();
        }
        space.task.configurations.push_back({at->second, trial.config.batch});
        space.trials.push_back(i);
    }
    for (std::size_t f = 0; f < configs.size(); ++f)
        if (space.task.groups[f].compile.count > 0)
            space.task.groups[f].plain = plainOf(*configs[f], configs);
    return space;
}

} // namespace apertune::study
