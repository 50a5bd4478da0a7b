// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device_use.h"

#include <algorithm>
#include <unordered_map>

namespace apertune::analysis {

namespace {

constexpr std::int64_t kLaunchLatency = 10'000; ///< ns; device_use.h
constexpr std::int64_t kSmallCopy = 1024;       ///< bytes; device_use.h
constexpr std::int64_t kClockSlack = 1'000;     ///< ns; some files have whole microseconds

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

/// True for calls whose time has a cause of its own. Other calls are too short to explain a gap.
bool explainsIdleTime(const HostCall& call)
{
    return canDrain(call) || call.kind == CallKind::launch || call.first;
}

/// Recognizes the ranges of TorchDynamo, AOTAutograd and Inductor around compiled code.
bool isCompiledCode(std::string_view name)
{
    return name.starts_with("Torch-Compiled Region") || name.starts_with("## Call CompiledFxGraph") ||
           name.starts_with("CompiledFxGraph") || name.starts_with("CompiledFunction");
}

/// Returns the times in which each thread runs compiled code and captures no graph.
std::unordered_map<std::uint32_t, TimeRanges> compiledCode(const TraceIndex& index)
{
    const trace::Trace& trace = index.trace;
    std::vector<std::uint8_t> compiled(trace.strings.size());
    bool any = false;
    for (std::size_t i = 0; i < trace.strings.size(); ++i) {
        compiled[i] = isCompiledCode(trace.strings[i]) ? 1 : 0;
        any = any || compiled[i] != 0;
    }
    std::unordered_map<std::uint32_t, TimeRanges> times;
    for (const trace::Series& series : trace.series) {
        const trace::EventColumns& e = series.events;
        if (!any || (series.kind != trace::EventKind::operatorCall && series.kind != trace::EventKind::range))
            continue;
        for (std::size_t i = 0; i < e.size(); ++i)
            if (compiled[e.name[i]] != 0)
                times[series.track.value].push_back({e.start[i], e.end(i)});
    }
    for (auto& [track, list] : times)
        // A capture launches nothing, so its time is no time of compiled code.
        list = subtract(unite(std::move(list)), index.captures({track}));
    return times;
}

/// Splits a gap by cause. The work `Gap::next` ends it.
class GapSplitter
{
public:
    // The previous launch of each thread is known in advance: gaps ask for it one by one.
    GapSplitter(const TraceIndex& index, const OperatorForest& forest)
        : m_index(index), m_forest(forest), m_compiled(compiledCode(index)), m_before(index.calls.size())
    {
        std::unordered_map<std::uint32_t, std::int64_t> last;
        for (std::size_t i = 0; i < index.calls.size(); ++i) {
            const HostCall& call = index.calls[i];
            const auto [before, isFirst] = last.try_emplace(call.track.value, call.time.start);
            m_before[i] = isFirst ? INT64_MIN : before->second;
            if (call.work != kNone)
                before->second = call.time.start;
        }
    }

    const std::vector<Pause>& pauses() const { return m_pauses; }
    std::int64_t inCompiledCode() const { return m_inCompiledCode; }

    void split(Gap& gap)
    {
        const std::int64_t length = gap.time.length();
        // A gap without a launch behind it has no visible cause.
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
        // Host time between the calls of a capture is part of making the graph.
        const TimeRanges& captures = m_index.captures(launch.track);
        // The captured part is reduced below by the calls that explain it.
        std::int64_t capturing = coveredLength(captures, {a, called});
        const TimeRanges& compiled = compiledBy(launch.track);
        std::int64_t inCompiled = coveredLength(compiled, {a, called});
        // Calls are linked by their start, so only those of the gap are visited.
        for (std::int32_t i = m_index.firstCallEndingAfter(launch.track, a); i != kNone;) {
            const HostCall& call = m_index.calls[static_cast<std::size_t>(i)];
            if (call.time.start >= called || i == next->call)
                break;
            if (canDrain(call) && call.time.start <= a + kClockSlack)
                drain = &call;
            const TimeRange part = intersection({std::max(from, call.time.start), call.time.end}, {a, called});
            if (part.length() > 0 && explainsIdleTime(call)) {
                gap.parts[at(causeOf(call))] += part.length();
                capturing -= coveredLength(captures, part);
                inCompiled -= coveredLength(compiled, part);
                from = part.end;
            }
            i = call.next;
        }
        gap.parts[at(IdleCause::firstCall)] += capturing;
        std::int64_t explained = 0;
        for (const std::int64_t part : gap.parts)
            // The parts so far are explained; the rest is divided by what the host did.
            explained += part;
        const std::int64_t calling = gap.time.end - called;
        std::int64_t rest = std::max<std::int64_t>(0, called - a - explained);
        const IdleCause launching = causeOf(launch);

        // A wait, an allocation or a copy had drained the queue, so the host had to start again from nothing.
        if (drain) {
            const IdleCause cause = causeOf(*drain);
            // A short rest belongs to the call that drained the queue.
            const std::int64_t restart = rest + calling;
            if (restart <= kLongPause) {
                gap.parts[at(cause)] += restart;
                return;
            }
        }
        const std::int64_t latency = intersection({called, launch.time.end + kLaunchLatency}, gap.time).length();
        gap.parts[at(launching)] += latency;
        gap.parts[at(IdleCause::deviceQueue)] += calling - latency;
        inCompiled = std::clamp<std::int64_t>(inCompiled, 0, rest);
        m_inCompiledCode += inCompiled;
        // A short pause is the usual work between two launches.
        if (rest <= kLongPause) {
            gap.parts[at(IdleCause::launchGap)] += rest;
            return;
        }
        // Compiled code does nothing but launch. The part of the pause inside the launching operator is its overhead.
        std::int64_t launchingCode = inCompiled;
        if (const std::int32_t node = m_forest.innermost(launch.track, launch.time.start); node != kNone) {
            const TimeRange dispatch = intersection(
                {m_forest.nodes[static_cast<std::size_t>(node)].time.start, launch.time.start}, {from, called});
            // Code of the launching operator that compiled code already covers is not counted twice.
            launchingCode += dispatch.length() - coveredLength(compiled, dispatch);
        }
        launchingCode = std::min(rest, launchingCode);
        gap.parts[at(IdleCause::launchGap)] += launchingCode;
        gap.parts[at(IdleCause::hostWait)] += rest - launchingCode;
        if (rest > launchingCode)
            m_pauses.push_back({launch.track, {from, called}, m_before[static_cast<std::size_t>(next->call)]});
    }

private:
    /// Returns the cause of idle time during a call. When the call had drained the queue, the time after it has the
    /// same cause.
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
                // A few bytes to the host are a number that the program waits for.
                if (toHost && w.bytes > 0 && w.bytes <= kSmallCopy)
                    return IdleCause::synchronization;
            }
            return IdleCause::copyWait;
        default:
            return IdleCause::launchGap;
        }
    }

    const TimeRanges& compiledBy(trace::TrackId track) const
    {
        static const TimeRanges kNever;
        const auto found = m_compiled.find(track.value);
        return found == m_compiled.end() ? kNever : found->second;
    }

    const TraceIndex& m_index;
    const OperatorForest& m_forest;
    std::unordered_map<std::uint32_t, TimeRanges> m_compiled;
    std::vector<std::int64_t> m_before; ///< for each call, the start of its thread's previous launch
    std::vector<Pause> m_pauses;        ///< the pauses that contain some hostWait
    std::int64_t m_inCompiledCode = 0;
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

DeviceUse deviceUse(const TraceIndex& index, const OperatorForest& forest, std::int64_t device, TimeRange window)
{
    DeviceUse use;
    use.device = device;
    use.window = window;
    const std::int32_t wanted = index.deviceIndex(device);
    std::vector<TimeRange> kernels;
    std::vector<TimeRange> copies;
    std::vector<TimeRange> fills;
    std::vector<TimeRange> computing; ///< kernels without those of collectives
    std::vector<TimeRange> communicating;
    GapSplitter splitter(index, forest);
    std::int64_t reached = window.start;
    const auto close = [&](std::int64_t until, std::int32_t next) {
        const TimeRange idle = intersection({reached, until}, window);
        // A gap outside of the window is none.
        if (idle.length() == 0)
            return;
        Gap gap{idle, {}, next};
        splitter.split(gap);
        use.idle += idle.length();
        for (std::size_t i = 0; i < kIdleCauses; ++i)
            use.idleBy[i] += gap.parts[i];
        use.gaps.push_back(gap);
    };
    std::vector<TimeRange> busy;
    for (std::size_t i = 0; i < index.work.size(); ++i) {
        const Work& w = index.work[i];
        if (w.device != wanted)
            continue;
        // Work is sorted by start, so all that follows lies beyond the window.
        if (w.time.start >= window.end) {
            close(window.end, static_cast<std::int32_t>(i));
            reached = window.end;
            break;
        }
        const TimeRange part = intersection(w.time, window);
        if (part.length() == 0)
            continue;
        if (part.start > reached)
            close(part.start, static_cast<std::int32_t>(i));
        // Streams may overlap; the device is idle only when none is busy.
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
    use.inCompiledCode = splitter.inCompiledCode();
    use.busyTimes = unite(std::move(busy));
    use.busy = totalLength(use.busyTimes);
    const TimeRanges running = unite(std::move(kernels));
    const TimeRanges copying = unite(std::move(copies));
    use.kernels = totalLength(running);
    use.copies = totalLength(copying);
    use.overlapped = totalLength(intersect(running, copying));
    // Communication that runs beside other kernels costs nothing.
    use.exposedCommunication = use.kernels - totalLength(unite(std::move(computing)));
    use.communication = totalLength(unite(std::move(communicating)));
    use.exposedCopies = use.copies - use.overlapped;
    // The three parts of busy time do not overlap: kernels, then copies without a kernel, then memsets alone.
    use.fills = use.busy - use.kernels - use.exposedCopies;
    return use;
}

} // namespace apertune::analysis
