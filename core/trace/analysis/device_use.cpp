// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/analysis/device_use.h"

#include <algorithm>

namespace apertune::trace::analysis {

namespace {

constexpr std::int64_t kLaunchLatency = 10'000;
constexpr std::int64_t kSmallCopy = 1024;
constexpr std::int64_t kClockSlack = 1'000; ///< files with whole microseconds

constexpr std::size_t at(IdleCause cause)
{
    return static_cast<std::size_t>(cause);
}

/// What a call makes of the idle time that it covers, and of what follows when it had drained the queue.
IdleCause causeOf(const TraceIndex& index, const HostCall& call)
{
    switch (call.kind) {
    case CallKind::synchronize:
        return IdleCause::synchronization;
    case CallKind::allocate:
    case CallKind::release:
        return IdleCause::allocation;
    case CallKind::copy:
    case CallKind::blockingCopy:
        if (call.work != kNone) {
            const Work& w = index.work[static_cast<std::size_t>(call.work)];
            const bool toHost = index.copy(w).direction == CopyDirection::deviceToHost;
            if (toHost && w.bytes > 0 && w.bytes <= kSmallCopy)
                return IdleCause::synchronization;
        }
        return IdleCause::copyWait;
    default:
        return IdleCause::launchGap;
    }
}

bool canDrain(const HostCall& call)
{
    switch (call.kind) {
    case CallKind::synchronize:
    case CallKind::allocate:
    case CallKind::release:
    case CallKind::copy:
    case CallKind::blockingCopy:
    case CallKind::blockingFill:
        return true;
    default:
        return false;
    }
}

/// Tells a gap apart that ends with `next`.
class GapSplitter
{
public:
    GapSplitter(const TraceIndex& index, const OperatorForest& forest) : m_index(index), m_forest(forest) {}

    void split(Gap& gap) const
    {
        const std::int64_t length = gap.time.length();
        const Work* next = gap.next == kNone ? nullptr : &m_index.work[static_cast<std::size_t>(gap.next)];
        if (!next || next->call == kNone) {
            gap.parts[at(IdleCause::unknown)] = length;
            return;
        }
        const HostCall& launch = m_index.calls[static_cast<std::size_t>(next->call)];
        const std::int64_t a = gap.time.start;
        if (launch.time.start <= a) {
            const std::int64_t latency = intersection({a, launch.time.end + kLaunchLatency}, gap.time).length();
            gap.parts[at(causeOf(m_index, launch))] += latency;
            gap.parts[at(IdleCause::deviceQueue)] += length - latency;
            return;
        }
        // The host came late. What was its thread doing?
        const std::int64_t called = std::min(launch.time.start, gap.time.end);
        const HostCall* drain = nullptr;
        std::int64_t from = a;
        for (std::int32_t i = m_index.firstCallEndingAfter(launch.track, a); i != kNone;) {
            const HostCall& call = m_index.calls[static_cast<std::size_t>(i)];
            if (call.time.start >= called || i == next->call)
                break;
            if (canDrain(call) && call.time.start <= a + kClockSlack)
                drain = &call;
            const Interval part = intersection({std::max(from, call.time.start), call.time.end}, {a, called});
            if (part.length() > 0 && (canDrain(call) || call.kind == CallKind::launch)) {
                gap.parts[at(causeOf(m_index, call))] += part.length();
                from = part.end;
            }
            i = call.next;
        }
        std::int64_t taken = 0;
        for (const std::int64_t part : gap.parts)
            taken += part;
        const std::int64_t calling = gap.time.end - called;
        std::int64_t rest = std::max<std::int64_t>(0, called - a - taken);
        const IdleCause launching = causeOf(m_index, launch);

        if (drain) {
            const IdleCause cause = causeOf(m_index, *drain);
            const std::int64_t restart = rest + calling;
            if (restart <= kLongPause) {
                gap.parts[at(cause)] += restart;
                return;
            }
        }
        gap.parts[at(launching)] += calling;
        if (rest <= kLongPause) {
            gap.parts[at(IdleCause::launchGap)] += rest;
            return;
        }
        if (const std::int32_t node = m_forest.innermost(launch.track, launch.time.start); node != kNone) {
            const Interval dispatch{m_forest.nodes[static_cast<std::size_t>(node)].time.start, launch.time.start};
            const std::int64_t inOperator = std::min(rest, intersection(dispatch, {from, called}).length());
            gap.parts[at(IdleCause::launchGap)] += inOperator;
            rest -= inOperator;
        }
        gap.parts[at(IdleCause::hostWait)] += rest;
    }

private:
    const TraceIndex& m_index;
    const OperatorForest& m_forest;
};

} // namespace

std::string_view toString(IdleCause cause)
{
    switch (cause) {
    case IdleCause::hostWait:
        return "host_wait";
    case IdleCause::launchGap:
        return "launch_gap";
    case IdleCause::synchronization:
        return "synchronization";
    case IdleCause::copyWait:
        return "copy_wait";
    case IdleCause::allocation:
        return "allocation";
    case IdleCause::deviceQueue:
        return "device_queue";
    case IdleCause::unknown:
        break;
    }
    return "unknown";
}

IdleCause Gap::main() const
{
    return static_cast<IdleCause>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

double DeviceUse::overlap() const
{
    const std::int64_t shorter = std::min(kernels, copies);
    return shorter > 0 ? static_cast<double>(overlapped) / static_cast<double>(shorter) : -1;
}

Interval deviceSpan(const TraceIndex& index, std::int64_t device)
{
    const std::int32_t wanted = index.deviceIndex(device);
    Interval span{INT64_MAX, INT64_MIN};
    for (const Work& w : index.work) {
        if (w.device != wanted)
            continue;
        span.start = std::min(span.start, w.time.start);
        span.end = std::max(span.end, w.time.end);
    }
    return span.end > span.start ? span : Interval{};
}

DeviceUse deviceUse(const TraceIndex& index, const OperatorForest& forest, std::int64_t device, Interval window)
{
    DeviceUse use;
    use.device = device;
    use.window = window;
    const std::int32_t wanted = index.deviceIndex(device);
    std::vector<Interval> kernels;
    std::vector<Interval> copies;
    std::vector<Interval> fills;
    const GapSplitter splitter(index, forest);
    std::int64_t reached = window.start;
    const auto close = [&](std::int64_t until, std::int32_t next) {
        const Interval idle = intersection({reached, until}, window);
        if (idle.length() == 0)
            return;
        Gap gap{idle, {}, next};
        splitter.split(gap);
        use.idle += idle.length();
        for (std::size_t i = 0; i < kIdleCauses; ++i)
            use.idleBy[i] += gap.parts[i];
        use.gaps.push_back(gap);
    };
    std::vector<Interval> busy;
    for (std::size_t i = 0; i < index.work.size(); ++i) {
        const Work& w = index.work[i];
        if (w.device != wanted)
            continue;
        if (w.time.start >= window.end) {
            close(window.end, static_cast<std::int32_t>(i));
            reached = window.end;
            break;
        }
        const Interval part = intersection(w.time, window);
        if (part.length() == 0)
            continue;
        if (part.start > reached)
            close(part.start, static_cast<std::int32_t>(i));
        reached = std::max(reached, part.end);
        busy.push_back(part);
        (w.kind == EventKind::copy ? copies : w.kind == EventKind::fill ? fills : kernels).push_back(part);
    }
    close(window.end, kNone);

    use.busyTimes = unite(std::move(busy));
    use.busy = totalLength(use.busyTimes);
    const Intervals computing = unite(std::move(kernels));
    const Intervals copying = unite(std::move(copies));
    use.kernels = totalLength(computing);
    use.copies = totalLength(copying);
    use.overlapped = totalLength(intersect(computing, copying));
    use.exposedCopies = use.copies - use.overlapped;
    use.fills = use.busy - use.kernels - use.exposedCopies;
    return use;
}

} // namespace apertune::trace::analysis
