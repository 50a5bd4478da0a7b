// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/pipeline_axes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace apertune::workload {

namespace {

/// The values of an axis; where it has none, the one that the sweep begins with.
template <typename T>
std::vector<T> valuesOf(const std::vector<T>& axis, const T& otherwise)
{
    std::vector<T> values;
    for (const T& value : axis)
        if (std::find(values.begin(), values.end(), value) == values.end())
            values.push_back(value);
    return values.empty() ? std::vector<T>{otherwise} : values;
}

/// One, half of the cores and all cores, without repetitions.
std::vector<int> shares(int cores)
{
    std::vector<int> values{1};
    for (const int value : {cores / 2, cores})
        if (value > values.back())
            values.push_back(value);
    return values;
}

/// Replaces each setting of the list by copies with every value of an axis. Counts the axes in which a setting differs
/// from the first value.
template <typename T, typename Set>
void combine(std::vector<std::pair<int, PipelineSetting>>& all, const std::vector<T>& values, Set set)
{
    std::vector<std::pair<int, PipelineSetting>> more;
    for (const auto& [distance, setting] : all)
        for (std::size_t i = 0; i < values.size(); ++i) {
            more.emplace_back(distance + (i > 0 ? 1 : 0), setting);
            set(more.back().second, values[i]);
        }
    all = std::move(more);
}

} // namespace

bool PipelineAxes::varies() const
{
    return threads.size() > 1 || decodeThreads.size() > 1 || prefetch.size() > 1 || queueBatch.size() > 1 ||
           queueWait.size() > 1 || normalize.size() > 1 || memory.size() > 1 || suppression.size() > 1;
}

PipelineAxes withUsualValues(PipelineAxes axes, const PipelineMachine& machine)
{
    const auto fill = [](auto& axis, auto values) {
        if (axis.empty())
            axis = std::move(values);
    };
    if (machine.onCpu) {
        std::vector<int> threads = shares(machine.cores);
        threads.insert(threads.begin(), 0); // The trial as it is comes first.
        fill(axes.threads, std::move(threads));
    }
    fill(axes.decodeThreads, shares(machine.cores));
    fill(axes.prefetch, std::vector<int>{2, 0});
    fill(axes.queueBatch, std::vector<int>{0, 1});
    if (!machine.onCpu) {
        fill(axes.normalize, std::vector<Place>{Place::host, Place::device});
        fill(axes.memory, std::vector<HostMemory>{HostMemory::pageable, HostMemory::pinned});
    }
    return axes;
}

std::vector<PipelineSetting> settingsOf(const PipelineAxes& axes, const PipelinePlan& plan,
                                        const std::vector<PipelineTrial>& trials)
{
    // 0 stands for the trial's own value, so an equal number is written as 0, too.
    const auto own = [](int value, int ofTrial) { return value == ofTrial ? 0 : value; };
    std::vector<std::pair<int, PipelineSetting>> all{{0, {0, 0, plan}}};
    std::vector<std::size_t> positions(trials.size());
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    combine(all, positions, [](PipelineSetting& s, std::size_t value) { s.trial = value; });
    combine(all, valuesOf(axes.threads, 0),
            [&](PipelineSetting& s, int value) { s.threads = own(value, trials[s.trial].threads); });
    combine(all, valuesOf(axes.decodeThreads, plan.decodeThreads),
            [](PipelineSetting& s, int value) { s.plan.decodeThreads = value; });
    combine(all, valuesOf(axes.prefetch, plan.prefetch),
            [](PipelineSetting& s, int value) { s.plan.prefetch = value; });
    combine(all, valuesOf(axes.queueBatch, plan.queueBatch),
            [&](PipelineSetting& s, int value) { s.plan.queueBatch = own(value, trials[s.trial].batch); });
    combine(all, valuesOf(axes.queueWait, plan.queueWait),
            [](PipelineSetting& s, const std::optional<base::Nanoseconds>& value) { s.plan.queueWait = value; });
    combine(all, valuesOf(axes.normalize, plan.normalize),
            [](PipelineSetting& s, Place value) { s.plan.normalize = value; });
    combine(all, valuesOf(axes.memory, plan.memory),
            [](PipelineSetting& s, HostMemory value) { s.plan.memory = value; });
    combine(all, valuesOf(axes.suppression, plan.suppression),
            [](PipelineSetting& s, Suppression value) { s.plan.suppression = value; });
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<PipelineSetting> settings;
    for (const auto& [distance, s] : all) {
        const int batch = trials[s.trial].batch;
        const bool runs = check(s.plan, batch).ok() && s.plan.decodeThreads <= s.plan.slots(batch);
        if (settings.empty() || (runs && std::find(settings.begin(), settings.end(), s) == settings.end()))
            settings.push_back(s);
    }
    return settings;
}

} // namespace apertune::workload
