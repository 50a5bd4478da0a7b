// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/launches.h"

#include <algorithm>

namespace apertune::analysis {

LaunchStatistics launchStatistics(const TraceIndex& index, std::int64_t device, TimeRange window)
{
    LaunchStatistics s;
    const std::int32_t wanted = index.deviceIndex(device);
    std::vector<std::int64_t> calls;
    std::vector<std::int64_t> delays;
    std::vector<std::pair<std::int64_t, int>> queue; // pairs of time and +1 (launched) or −1 (started)
    for (const Work& w : index.work) {
        if (w.device != wanted || !window.contains(w.time.start))
            continue;
        const HostCall* call = w.call == kNone ? nullptr : &index.calls[static_cast<std::size_t>(w.call)];
        // Work that seems to start before its call (clocks differ) was never queued.
        if (call && call->time.start < w.time.start) {
            queue.emplace_back(std::max(call->time.start, window.start), 1);
            queue.emplace_back(w.time.start, -1);
        }
        if (!w.isKernel())
            continue;
        ++s.kernels;
        const std::int64_t time = w.time.length();
        s.graphs += w.kind == trace::EventKind::graphLaunch ? 1 : 0;
        if (time < kTinyKernel) {
            ++s.tiny;
            s.tinyTime += time;
        }
        // One call launches all kernels of a captured graph, so none of them is short against a launch of its own.
        const bool ofGraph = w.kind == trace::EventKind::kernel && ((call && call->kind == CallKind::graphLaunch) ||
                                                                    index.trace.details.kernels[w.detail].graph != 0);
        s.ofGraphs += ofGraph ? 1 : 0;
        const bool shorter = call && !ofGraph && time < call->time.length();
        if (index.kernelClass(w.name) != OpClass::communication) {
            ++s.computing;
            s.small += !ofGraph && (time < kTinyKernel || shorter) ? 1 : 0;
        }
        if (!call) {
            ++s.withoutCall;
            s.withoutCallTime += time;
            continue;
        }
        // A graph launch is one call. It counts once, with its first kernel.
        if (ofGraph && call->work != static_cast<std::int32_t>(&w - index.work.data()))
            continue;
        s.graphs += ofGraph ? 1 : 0;
        calls.push_back(call->time.length());
        delays.push_back(std::max<std::int64_t>(0, w.time.start - call->time.end));
        s.shorterThanCall += shorter ? 1 : 0;
        s.longCalls += call->time.length() > kLongCall ? 1 : 0;
        s.longDelays += delays.back() > kLongDelay ? 1 : 0;
    }
    s.call = summarize(calls);
    s.delay = summarize(delays);

    // At equal times −1 sorts before +1, so that the depth never counts work that has just started.
    std::sort(queue.begin(), queue.end());
    std::int64_t depth = 0;
    double weighted = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        depth += queue[i].second;
        s.deepestQueue = std::max(s.deepestQueue, depth);
        if (i + 1 < queue.size())
            weighted += static_cast<double>(depth) * static_cast<double>(queue[i + 1].first - queue[i].first);
    }
    if (queue.size() > 1 && queue.back().first > queue.front().first)
        s.meanQueue = weighted / static_cast<double>(queue.back().first - queue.front().first);
    return s;
}

std::vector<std::int64_t> enqueueTimes(const TraceIndex& index, std::int64_t device,
                                       const std::vector<TimeRange>& iterations)
{
    constexpr std::int64_t kApart = 1'000'000; // ns; launches.h
    const std::int32_t wanted = index.deviceIndex(device);
    std::vector<TimeRange> launching;
    std::vector<TimeRange> waiting;
    for (const HostCall& call : index.calls) {
        const bool blocks = call.kind == CallKind::synchronize || call.kind == CallKind::blockingCopy ||
                            (call.kind == CallKind::copy && call.time.length() > kLongCall);
        if (blocks || call.first)
            waiting.push_back(call.time);
        if (call.kind == CallKind::synchronize)
            continue;
        if (call.work != kNone && index.work[static_cast<std::size_t>(call.work)].device == wanted)
            launching.push_back(call.time);
    }
    const TimeRanges waits = unite(std::move(waiting));
    std::vector<std::int64_t> times;
    std::size_t at = 0;
    for (const TimeRange iteration : iterations) {
        while (at < launching.size() && launching[at].start < iteration.start)
            ++at;
        std::int64_t total = 0;
        std::int64_t reached = INT64_MIN;
        for (; at < launching.size() && launching[at].start < iteration.end; ++at) {
            const TimeRange call = launching[at];
            // A long pause between launches is the program's own work and not enqueuing.
            const bool apart = reached == INT64_MIN || call.start - reached > kApart;
            const TimeRange step{apart ? call.start : reached, std::max(call.end, apart ? call.start : reached)};
            total += step.length() - coveredLength(waits, step);
            reached = std::max(reached, call.end);
        }
        if (reached != INT64_MIN)
            times.push_back(total);
    }
    return times;
}

} // namespace apertune::analysis
