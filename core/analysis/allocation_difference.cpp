// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/allocation_difference.h"

#include "core/analysis/memory_timeline.h"
#include "core/analysis/work_sequence.h"

#include <algorithm>
#include <cmath>

namespace apertune::analysis {

namespace {

std::string allocationOwner(const TraceIndex& index, const OperatorForest& forest, trace::TrackId track,
                            std::int64_t time)
{
    std::int32_t node = forest.innermost(track, time);
    // A recorder may put allocations on the device's track. The busiest thread is then the best guess.
    if (node == kNone && index.trace.tracks[track.value].type != trace::TrackType::hostThread) {
        const auto [first, end] = forest.busiestThread();
        if (first < end)
            node = forest.innermost(forest.nodes[static_cast<std::size_t>(first)].track, time);
    }
    if (node == kNone)
        return {};
    return std::string(index.text(forest.nodes[static_cast<std::size_t>(outermostUnit(index, forest, node))].name));
}

} // namespace

AllocationUse allocationUse(const TraceIndex& index, const OperatorForest& forest, const Iterations& iterations,
                            std::int64_t device, double samples)
{
    AllocationUse use;
    const TimeRange window = iterations.found() ? iterations.window() : kAlways;
    // Counts and bytes are those of one iteration and one sample.
    const double divisor = samples * (iterations.found() ? static_cast<double>(iterations.steadyCount()) : 1.0);
    for (const MemoryUse& memory : memoryTimeline(index, forest, window))
        if (memory.device == device && memory.kind == trace::EventKind::tensorMemory) {
            use.peak = memory.peak;
            use.partial = memory.partial;
            use.recorded = true;
        }
    for (const trace::Series& series : index.trace.series) {
        const trace::EventColumns& e = series.events;
        if (series.kind != trace::EventKind::tensorMemory || e.value.empty())
            continue;
        for (std::size_t i = 0; i < e.size(); ++i) {
            // Negative sizes are releases.
            if (e.value[i] <= 0 || !window.contains(e.start[i]) ||
                index.trace.details.memory[trace::valueAt(e.detail, i)].device != device)
                continue;
            const auto bytes = static_cast<double>(e.value[i]);
            AllocatedAmount& owner = use.owners[allocationOwner(index, forest, series.track, e.start[i])];
            for (AllocatedAmount* amount : {&use.amount, &owner}) {
                // Each allocation adds its part of an iteration.
                amount->count += 1 / divisor;
                amount->bytes += bytes / divisor;
            }
        }
    }
    return use;
}

std::vector<AllocationChange> AllocationDifference::changes() const
{
    std::map<std::string, AllocationChange> byOwner;
    for (const auto& [owner, amount] : a.owners)
        byOwner[owner].a = amount;
    for (const auto& [owner, amount] : b.owners)
        byOwner[owner].b = amount;
    std::vector<AllocationChange> changes;
    for (auto& [owner, change] : byOwner) {
        change.owner = owner;
        changes.push_back(std::move(change));
    }
    // The largest change stands first.
    std::stable_sort(changes.begin(), changes.end(), [](const AllocationChange& x, const AllocationChange& y) {
        const auto size = [](const AllocationChange& c) {
            return std::pair(std::abs(c.b.bytes - c.a.bytes), std::abs(c.b.count - c.a.count));
        };
        return size(x) > size(y);
    });
    return changes;
}

} // namespace apertune::analysis
