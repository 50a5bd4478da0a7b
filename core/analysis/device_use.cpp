// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device_use.h"

#include <algorithm>
#include <unordered_map>

namespace apertune::analysis {

namespace {

constexpr std::int64_t kLaunchLatency = 10'000;
constexpr std::int64_t kSmallCopy = 1024;
constexpr std::int64_t kClockSlack = 1'000; ///< files with whole microseconds

constexpr std::size_t at(IdleCause cause)
{
    return static_cast<std::size_t>(cause);
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

/// True for calls whose time counts for their own cause. During others the host might as well do something else.
bool takesTime(const HostCall& call)
{
    return canDrain(call) || call.kind == CallKind::launch || call.first;
}

/// A pause of a host thread while a device waited for it.
struct Pause
{
    trace::TrackId track;
    Interval time; ///< ends with the launch
};

/// Finds the activities that fill the pauses. An interval that continues while the thread launches again (a step of the
/// program, its main function) explains nothing, so only intervals that end in a pause count. Each ends in at most one
/// pause.
std::vector<HostBusy> activitiesDuring(const trace::Trace& trace, std::vector<Pause> pauses)
{
    struct Piece
    {
        std::size_t pause;
        Interval time;
        std::uint32_t name;
    };
    std::sort(pauses.begin(), pauses.end(), [](const Pause& a, const Pause& b) {
        return a.track != b.track ? a.track < b.track : a.time.end < b.time.end;
    });
    std::vector<Piece> pieces;
    for (const trace::Series& series : trace.series) {
        if (series.kind != trace::EventKind::operatorCall && series.kind != trace::EventKind::range &&
            series.kind != trace::EventKind::scriptCall)
            continue;
        const auto [first, last] = std::equal_range(pauses.begin(), pauses.end(), Pause{series.track, {}},
                                                    [](const Pause& a, const Pause& b) { return a.track < b.track; });
        const trace::EventColumns& e = series.events;
        for (std::size_t i = 0; first != last && i < e.size(); ++i) {
            const std::int64_t end = e.end(i) - kClockSlack;
            const auto pause = std::partition_point(first, last, [end](const Pause& p) { return p.time.end < end; });
            if (pause == last || end <= pause->time.start)
                continue;
            const Interval part = intersection({e.start[i], e.end(i)}, pause->time);
            if (part.length() > 0)
                pieces.push_back({static_cast<std::size_t>(pause - pauses.begin()), part, e.name[i]});
        }
    }
    // Outermost first: an activity inside another one counts for the outer one.
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
        if (a.pause != b.pause)
            return a.pause < b.pause;
        return a.time.start != b.time.start ? a.time.start < b.time.start : a.time.end > b.time.end;
    });
    std::unordered_map<std::uint32_t, std::int64_t> byName;
    std::size_t pause = pauses.size();
    std::int64_t reached = 0;
    for (const Piece& piece : pieces) {
        if (piece.pause != pause)
            reached = piece.time.start;
        pause = piece.pause;
        byName[piece.name] += std::max<std::int64_t>(0, piece.time.end - std::max(reached, piece.time.start));
        reached = std::max(reached, piece.time.end);
    }
    std::vector<HostBusy> busy;
    for (const auto& [name, time] : byName)
        if (time > 0)
            busy.push_back({name, time});
    std::sort(busy.begin(), busy.end(), [](const HostBusy& a, const HostBusy& b) {
        return a.time != b.time ? a.time > b.time : a.name < b.name;
    });
    return busy;
}

/// Splits a gap by cause. The work `Gap::next` ends it.
class GapSplitter
{
public:
    GapSplitter(const TraceIndex& index, const OperatorForest& forest) : m_index(index), m_forest(forest) {}

    const std::vector<Pause>& pauses() const { return m_pauses; }

    void split(Gap& gap)
    {
        const std::int64_t length = gap.time.length();
        const Work* next = gap.next == kNone ? nullptr : &m_index.work[static_cast<std::size_t>(gap.next)];
        if (!next || next->call == kNone) {
            gap.parts[at(IdleCause::unknown)] = length;
            return;
        }
        const HostCall& launch = m_index.calls[static_cast<std::size_t>(next->call)];
        const std::int64_t a = gap.time.start;
        // The work had been launched before the gap began: the launch's latency comes first, the rest is the device's.
        if (launch.time.start <= a) {
            const std::int64_t latency = intersection({a, launch.time.end + kLaunchLatency}, gap.time).length();
            gap.parts[at(causeOf(launch))] += latency;
            gap.parts[at(IdleCause::deviceQueue)] += length - latency;
            return;
        }
        // The host launched late. The calls of its thread before the launch show why.
        const std::int64_t called = std::min(launch.time.start, gap.time.end);
        const HostCall* drain = nullptr;
        std::int64_t from = a;
        // What the host does between the calls of a capture makes the graph as well.
        const Intervals& captures = m_index.captures(launch.track);
        std::int64_t capturing = coveredLength(captures, {a, called});
        for (std::int32_t i = m_index.firstCallEndingAfter(launch.track, a); i != kNone;) {
            const HostCall& call = m_index.calls[static_cast<std::size_t>(i)];
            if (call.time.start >= called || i == next->call)
                break;
            if (canDrain(call) && call.time.start <= a + kClockSlack)
                drain = &call;
            const Interval part = intersection({std::max(from, call.time.start), call.time.end}, {a, called});
            if (part.length() > 0 && takesTime(call)) {
                gap.parts[at(causeOf(call))] += part.length();
                capturing -= coveredLength(captures, part);
                from = part.end;
            }
            i = call.next;
        }
        gap.parts[at(IdleCause::firstCall)] += capturing;
        std::int64_t taken = 0;
        for (const std::int64_t part : gap.parts)
            taken += part;
        const std::int64_t calling = gap.time.end - called;
        std::int64_t rest = std::max<std::int64_t>(0, called - a - taken);
        const IdleCause launching = causeOf(launch);

        // A wait, an allocation or a copy had drained the queue, so the host had to start again from nothing.
        if (drain) {
            const IdleCause cause = causeOf(*drain);
            const std::int64_t restart = rest + calling;
            if (restart <= kLongPause) {
                gap.parts[at(cause)] += restart;
                return;
            }
        }
        const std::int64_t latency = intersection({called, launch.time.end + kLaunchLatency}, gap.time).length();
        gap.parts[at(launching)] += latency;
        gap.parts[at(IdleCause::deviceQueue)] += calling - latency;
        if (rest <= kLongPause) {
            gap.parts[at(IdleCause::launchGap)] += rest;
            return;
        }
        // The part of the pause inside the launching operator is its own overhead.
        if (const std::int32_t node = m_forest.innermost(launch.track, launch.time.start); node != kNone) {
            const Interval dispatch{m_forest.nodes[static_cast<std::size_t>(node)].time.start, launch.time.start};
            const std::int64_t inOperator = std::min(rest, intersection(dispatch, {from, called}).length());
            gap.parts[at(IdleCause::launchGap)] += inOperator;
            rest -= inOperator;
        }
        gap.parts[at(IdleCause::hostWait)] += rest;
        m_pauses.push_back({launch.track, {from, called}});
    }

private:
    /// The cause of idle time that a call covers. When the call had drained the queue, the time after it has the same
    /// cause.
    IdleCause causeOf(const HostCall& call) const
    {
        if (call.first)
            return IdleCause::firstCall;
        switch (call.kind) {
        case CallKind::synchronize:
            return IdleCause::synchronization;
        case CallKind::allocate:
        case CallKind::release:
            return IdleCause::allocation;
        case CallKind::copy:
        case CallKind::blockingCopy:
            if (call.work != kNone) {
                const Work& w = m_index.work[static_cast<std::size_t>(call.work)];
                const bool toHost = m_index.copy(w).direction == trace::CopyDirection::deviceToHost;
                if (toHost && w.bytes > 0 && w.bytes <= kSmallCopy)
                    return IdleCause::synchronization;
            }
            return IdleCause::copyWait;
        default:
            return IdleCause::launchGap;
        }
    }

    const TraceIndex& m_index;
    const OperatorForest& m_forest;
    std::vector<Pause> m_pauses; ///< the pauses that contain some hostWait
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
    case IdleCause::firstCall:
        return "first_call";
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

DeviceUse deviceUse(const TraceIndex& index, const OperatorForest& forest, std::int64_t device, Interval window)
{
    DeviceUse use;
    use.device = device;
    use.window = window;
    const std::int32_t wanted = index.deviceIndex(device);
    std::vector<Interval> kernels;
    std::vector<Interval> copies;
    std::vector<Interval> fills;
    std::vector<Interval> computing; ///< kernels without those of collectives
    std::vector<Interval> communicating;
    GapSplitter splitter(index, forest);
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
        (w.kind == trace::EventKind::copy     ? copies
         : w.kind == trace::EventKind::memset ? fills
                                              : kernels)
            .push_back(part);
        if (w.isKernel())
            (index.kernelClass(w.name) == OpClass::communication ? communicating : computing).push_back(part);
    }
    close(window.end, kNone);

    use.hostBusy = activitiesDuring(index.trace, splitter.pauses());
    use.busyTimes = unite(std::move(busy));
    use.busy = totalLength(use.busyTimes);
    const Intervals running = unite(std::move(kernels));
    const Intervals copying = unite(std::move(copies));
    use.kernels = totalLength(running);
    use.copies = totalLength(copying);
    use.overlapped = totalLength(intersect(running, copying));
    use.exposedCommunication = use.kernels - totalLength(unite(std::move(computing)));
    use.communication = totalLength(unite(std::move(communicating)));
    use.exposedCopies = use.copies - use.overlapped;
    use.fills = use.busy - use.kernels - use.exposedCopies;
    return use;
}

} // namespace apertune::analysis
