// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory_timeline.h"

#include "core/trace/counter_unit.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace apertune::analysis {

namespace {

struct Change
{
    std::int64_t time = 0;
    std::int64_t bytes = 0;
    std::uint64_t address = 0;
    std::uint32_t detail = 0;
    trace::TrackId track;
};

struct Block
{
    std::int64_t bytes = 0;
    std::uint32_t owner = 0; ///< index into the names
};

bool isMemory(trace::EventKind kind)
{
    return kind == trace::EventKind::tensorMemory || kind == trace::EventKind::deviceMemory;
}

std::string ownerOf(const TraceIndex& index, const OperatorForest& forest, const Change& change)
{
    std::int32_t node = forest.innermost(change.track, change.time);
    // An allocation event may stand on the device's track. Then the operator of the busiest thread is the best guess.
    // On a host thread, an allocation between operators has no owner.
    if (node == kNone && index.trace.tracks[change.track.value].type != trace::TrackType::hostThread) {
        const auto [first, end] = forest.busiestThread();
        if (first < end)
            node = forest.innermost(forest.nodes[static_cast<std::size_t>(first)].track, change.time);
    }
    // aten::empty allocates on behalf of its caller.
    while (node != kNone && forest.nodes[static_cast<std::size_t>(node)].parent != kNone &&
           index.operatorClass(forest.nodes[static_cast<std::size_t>(node)].name) == OpClass::allocation)
        node = forest.nodes[static_cast<std::size_t>(node)].parent;
    if (node != kNone)
        return std::string(index.text(forest.nodes[static_cast<std::size_t>(node)].name));
    return std::string(index.trace.text(index.trace.details.memory[change.detail].owner));
}

void count(MemoryUse& use, const Change& c)
{
    ++(c.bytes > 0 ? use.allocations : use.releases);
    use.allocatedBytes += std::max<std::int64_t>(0, c.bytes);
}

/// Finds the peak of the window in the curve.
void findPeak(MemoryUse& use, TimeRange window)
{
    const auto first = std::partition_point(use.curve.begin(), use.curve.end(),
                                            [&](const MemoryPoint& p) { return p.time < window.start; });
    if (first != use.curve.begin()) { // memory in use when the window begins
        use.peak = std::max<std::int64_t>(0, std::prev(first)->bytes);
        use.peakTime = window.start;
    }
    for (auto point = first; point != use.curve.end() && point->time < window.end; ++point)
        if (point->bytes > use.peak) {
            use.peak = point->bytes;
            use.peakTime = point->time;
        }
}

/// Returns the samples of an allocator's total on a device; empty when the recorder did not report it.
std::vector<MemoryPoint> totals(const trace::Trace& trace, std::string_view label, std::int64_t device)
{
    std::vector<MemoryPoint> points;
    for (const trace::Series& series : trace.series) {
        const trace::Track& track = trace.track(series);
        if (series.kind != trace::EventKind::counter || track.label != label || track.device != device)
            continue;
        for (std::size_t i = 0; i < series.events.size(); ++i)
            points.push_back({series.events.start[i], trace::valueAt(series.events.value, i)});
    }
    return points;
}

/// Returns the bytes that were allocated before the first change.
std::int64_t allocatedBefore(const trace::Trace& trace, std::int64_t device, const std::vector<Change>& changes)
{
    const std::vector<MemoryPoint> points = totals(trace, trace::kAllocatedMemory, device);
    if (points.empty())
        return 0;
    std::int64_t sum = 0;
    for (const Change& c : changes) {
        if (c.time > points.front().time)
            break;
        sum += c.bytes;
        if (c.time == points.front().time)
            break; // the sample belongs to the first event at its time
    }
    return std::max<std::int64_t>(0, points.front().bytes - sum);
}

/// Returns the bytes that the framework reserves from the driver. They replace the driver's own allocations when those
/// were not recorded.
MemoryUse reserved(const std::vector<MemoryPoint>& points, std::int64_t device, TimeRange window)
{
    MemoryUse use;
    use.device = device;
    use.kind = trace::EventKind::deviceMemory;
    use.curve = points;
    use.leftOver = points.back().bytes;
    findPeak(use, window);
    return use;
}

/// Computes the balance of changes without addresses, which cannot be matched block by block.
MemoryUse balance(const std::vector<Change>& changes, std::int64_t before, TimeRange window)
{
    MemoryUse use;
    std::int64_t inUse = before;
    std::int64_t least = 0;
    for (const Change& c : changes) {
        if (window.contains(c.time))
            count(use, c);
        inUse += c.bytes;
        least = std::min(least, inUse);
        use.curve.push_back({c.time, inUse});
    }
    for (MemoryPoint& point : use.curve)
        point.bytes -= least; // memory from before the recording that was released since
    findPeak(use, window);
    use.leftOver = inUse - least;
    return use;
}

/// Replays the changes of one place, block by block.
MemoryUse replay(const TraceIndex& index, const OperatorForest& forest, const std::vector<Change>& changes,
                 std::int64_t before, TimeRange window)
{
    MemoryUse use;
    std::unordered_map<std::uint64_t, std::int64_t> live;
    std::int64_t inUse = before;
    std::int64_t old = before; // bytes from before the recording that are still in use
    std::int64_t oldAtPeak = before;
    std::vector<std::int64_t> oldAt; // the same for each point of the curve
    for (const Change& c : changes) {
        const bool inside = window.contains(c.time);
        if (inside)
            count(use, c);
        if (c.bytes > 0) {
            live[c.address] += c.bytes;
            inUse += c.bytes;
        } else {
            const auto found = live.find(c.address);
            if (found == live.end()) {
                use.foreignReleases += inside ? 1 : 0;
                const std::int64_t bytes = std::min(old, -c.bytes);
                if (bytes <= 0)
                    continue;
                old -= bytes;
                inUse -= bytes;
            } else {
                // A driver's free does not report a size. The allocation does.
                inUse -= found->second;
                live.erase(found);
            }
        }
        use.curve.push_back({c.time, inUse});
        oldAt.push_back(old);
    }
    use.leftOver = inUse;
    findPeak(use, window);
    for (std::size_t i = 0; i < use.curve.size() && use.curve[i].time <= use.peakTime; ++i) {
        oldAtPeak = oldAt[i];
        if (use.curve[i].time == use.peakTime && use.curve[i].bytes == use.peak)
            break;
    }

    std::unordered_map<std::uint64_t, std::pair<std::int64_t, const Change*>> atPeak;
    std::int64_t sum = 0;
    for (const Change& c : changes) {
        if (c.time > use.peakTime)
            break;
        if (c.bytes > 0) {
            auto& [bytes, change] = atPeak[c.address];
            bytes += c.bytes;
            change = &c;
            sum += c.bytes;
        } else if (const auto found = atPeak.find(c.address); found != atPeak.end()) {
            sum -= found->second.first;
            atPeak.erase(found);
        }
        if (sum + oldAtPeak == use.peak && c.time == use.peakTime && c.time != window.start)
            break;
    }
    std::map<std::string, MemoryOwner> owners;
    if (oldAtPeak > 0)
        owners["before the recording"] = {"before the recording", oldAtPeak, 0};
    for (const auto& [address, block] : atPeak) {
        const std::string name = ownerOf(index, forest, *block.second);
        MemoryOwner& owner = owners[name];
        owner.name = name;
        owner.bytes += block.first;
        ++owner.blocks;
    }
    for (auto& [name, owner] : owners)
        use.owners.push_back(std::move(owner));
    std::stable_sort(use.owners.begin(), use.owners.end(),
                     [](const MemoryOwner& a, const MemoryOwner& b) { return a.bytes > b.bytes; });
    return use;
}

std::int64_t inUseAt(const MemoryUse& use, std::int64_t time)
{
    const auto after = std::partition_point(use.curve.begin(), use.curve.end(),
                                            [time](const MemoryPoint& p) { return p.time <= time; });
    return after == use.curve.begin() ? 0 : std::prev(after)->bytes;
}

/// Returns the earliest time at which the framework's allocations on a device can have been recorded.
std::int64_t recordedFrom(const MemoryUse& tensors, const OperatorForest& forest)
{
    std::int64_t from = tensors.curve.empty() ? tensors.peakTime : tensors.curve.front().time;
    for (const OperatorNode& node : forest.nodes)
        from = std::min(from, node.time.start);
    return from;
}

/// Marks the use of tensors on devices where the driver had handed out memory before tensors were recorded.
void markPartial(const trace::Trace& trace, const OperatorForest& forest, std::vector<MemoryUse>& uses)
{
    for (MemoryUse& tensors : uses) {
        if (tensors.kind != trace::EventKind::tensorMemory ||
            !totals(trace, trace::kAllocatedMemory, tensors.device).empty())
            continue;
        const std::int64_t from = recordedFrom(tensors, forest);
        tensors.partial = std::any_of(uses.begin(), uses.end(), [&](const MemoryUse& driver) {
            return driver.kind == trace::EventKind::deviceMemory && driver.device == tensors.device &&
                   inUseAt(driver, from - 1) > 0;
        });
    }
}

} // namespace

std::vector<MemoryUse> memoryTimeline(const TraceIndex& index, const OperatorForest& forest, TimeRange window)
{
    const trace::Trace& trace = index.trace;
    std::map<std::pair<std::int64_t, trace::EventKind>, std::vector<Change>> places;
    for (const trace::Series& series : trace.series) {
        if (!isMemory(series.kind))
            continue;
        const trace::EventColumns& e = series.events;
        for (std::size_t i = 0; i < e.size(); ++i) {
            const std::uint32_t detail = trace::valueAt(e.detail, i);
            places[{trace.details.memory[detail].device, series.kind}].push_back(
                {e.start[i], trace::valueAt(e.value, i), trace::valueAt(e.address, i), detail, series.track});
        }
    }
    std::vector<MemoryUse> uses;
    for (auto& [place, changes] : places) {
        std::stable_sort(changes.begin(), changes.end(),
                         [](const Change& a, const Change& b) { return a.time < b.time; });
        const bool anonymous =
            std::all_of(changes.begin(), changes.end(), [](const Change& c) { return c.address == 0; });
        const std::int64_t before =
            place.second == trace::EventKind::tensorMemory ? allocatedBefore(trace, place.first, changes) : 0;
        MemoryUse use = anonymous ? balance(changes, before, window) : replay(index, forest, changes, before, window);
        use.device = place.first;
        use.kind = place.second;
        uses.push_back(std::move(use));
        if (place.second == trace::EventKind::tensorMemory &&
            !places.contains({place.first, trace::EventKind::deviceMemory}))
            if (const auto points = totals(trace, trace::kReservedMemory, place.first); !points.empty())
                uses.push_back(reserved(points, place.first, window));
    }
    markPartial(trace, forest, uses);
    return uses;
}

double fragmentation(const std::vector<MemoryUse>& uses, std::int64_t device)
{
    const MemoryUse* tensors = nullptr;
    const MemoryUse* driver = nullptr;
    for (const MemoryUse& use : uses)
        if (use.device == device)
            (use.kind == trace::EventKind::tensorMemory ? tensors : driver) = &use;
    if (!tensors || !driver || tensors->peak <= 0 || tensors->partial)
        return -1;
    const std::int64_t reserved = inUseAt(*driver, tensors->peakTime);
    // Less reserved than used means that memory was reserved before the recording began, so the ratio is unknown.
    return reserved < tensors->peak ? -1 : static_cast<double>(reserved) / static_cast<double>(tensors->peak);
}

AllocationLoad allocationLoad(const trace::Trace& trace, trace::EventKind kind, std::int64_t device, TimeRange window)
{
    AllocationLoad load;
    for (const trace::Series& series : trace.series) {
        if (series.kind != kind || series.events.value.empty())
            continue;
        const trace::EventColumns& e = series.events;
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (e.value[i] <= 0 || !window.contains(e.start[i]) ||
                trace.details.memory[trace::valueAt(e.detail, i)].device != device)
                continue;
            ++load.count;
            load.bytes += e.value[i];
            if (e.value[i] >= kLargeAllocation) {
                ++load.largeCount;
                load.largeBytes += e.value[i];
            }
        }
    }
    return load;
}

} // namespace apertune::analysis
