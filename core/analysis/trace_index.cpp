// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/trace_index.h"

#include "core/analysis/first_calls.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace apertune::analysis {

namespace {

/// Finds the call behind each correlation. Every process counts from 1, so a recording of several processes uses a
/// number several times. Work is matched with the process that the recorder reports (nsys), otherwise with the one that
/// fits its device best.
/// REQUIRES: the index outlives this object.
class CallsByCorrelation
{
public:
    explicit CallsByCorrelation(const TraceIndex& index) : m_index(index)
    {
        m_first.reserve(index.calls.size());
        for (std::size_t i = 0; i < index.calls.size(); ++i)
            if (index.calls[i].correlation != 0)
                add(static_cast<std::int32_t>(i));
        if (!m_others.empty())
            assignDevices();
    }

    std::int32_t callOf(const Work& work) const
    {
        const std::uint32_t id = correlationOf(work);
        const auto first = id == 0 ? m_first.end() : m_first.find(id);
        // The usual case is a single process: then the first call is the only one.
        if (first == m_first.end() || m_others.empty())
            return first == m_first.end() ? kNone : first->second;
        const std::int64_t recorded = m_index.trace.tracks[trackOf(work)].process;
        const std::int64_t wanted = recorded >= 0 ? recorded : m_processOf[work.device];
        for (const std::int32_t call : candidates(first->second))
            if (processOf(call) == wanted)
                return call;
        return recorded >= 0 ? kNone : first->second;
    }

private:
    const HostCall& callAt(std::int32_t i) const { return m_index.calls[static_cast<std::size_t>(i)]; }
    std::size_t trackOf(const Work& w) const { return m_index.trace.series[w.ref.series].track.value; }
    std::int64_t processOf(std::int32_t call) const { return m_index.trace.tracks[callAt(call).track.value].process; }
    std::uint32_t correlationOf(const Work& w) const
    {
        return trace::valueAt(m_index.trace.series[w.ref.series].events.correlation, w.ref.index);
    }
    bool isRuntime(std::int32_t i) const
    {
        return m_index.trace.series[callAt(i).ref.series].kind == trace::EventKind::runtimeCall;
    }

    void add(std::int32_t call)
    {
        const auto [first, isNew] = m_first.try_emplace(callAt(call).correlation, call);
        if (isNew)
            return;
        std::int32_t* known = &first->second;
        if (processOf(call) != processOf(*known)) {
            const auto [from, to] = m_others.equal_range(callAt(call).correlation);
            const auto same =
                std::find_if(from, to, [&](const auto& other) { return processOf(other.second) == processOf(call); });
            if (same == to) {
                m_others.emplace(callAt(call).correlation, call);
                return;
            }
            known = &same->second;
        }
        // A runtime call contains the driver call with its correlation and is the one that a program sees.
        if (isRuntime(call) && !isRuntime(*known))
            *known = call;
    }

    /// Returns the calls with a correlation, one for each process.
    std::vector<std::int32_t> candidates(std::int32_t first) const
    {
        std::vector<std::int32_t> calls{first};
        const auto [from, to] = m_others.equal_range(callAt(first).correlation);
        std::transform(from, to, std::back_inserter(calls), [](const auto& other) { return other.second; });
        return calls;
    }

    /// Assigns a process to each device: the one whose calls precede most of its work, and most closely.
    void assignDevices()
    {
        constexpr std::int64_t kRounding = 1'000; // ns; some files round to whole microseconds
        struct Fit
        {
            std::int64_t behind = 0;
            std::int64_t delay = 0;
        };
        std::vector<std::map<std::int64_t, Fit>> fits(m_index.devices.size());
        for (const Work& w : m_index.work) {
            const auto first = m_first.find(correlationOf(w));
            if (first == m_first.end() || correlationOf(w) == 0)
                continue;
            for (const std::int32_t call : candidates(first->second))
                if (const std::int64_t delay = w.time.start - callAt(call).time.start; delay >= -kRounding) {
                    Fit& fit = fits[w.device][processOf(call)];
                    ++fit.behind;
                    fit.delay += delay / 1000; // in µs, so that the sum of many cannot overflow
                }
        }
        for (const auto& ofDevice : fits) {
            const auto best = std::max_element(ofDevice.begin(), ofDevice.end(), [](const auto& a, const auto& b) {
                return a.second.behind != b.second.behind ? a.second.behind < b.second.behind
                                                          : a.second.delay > b.second.delay;
            });
            m_processOf.push_back(best == ofDevice.end() ? -1 : best->first);
        }
    }

    const TraceIndex& m_index;
    std::unordered_map<std::uint32_t, std::int32_t> m_first;
    std::unordered_multimap<std::uint32_t, std::int32_t> m_others; ///< calls of further processes with the same number
    std::vector<std::int64_t> m_processOf;                         ///< index by device
};

} // namespace

TraceIndex::TraceIndex(const trace::Trace& t) : trace(t)
{
    m_kernelClasses.resize(trace.strings.size());
    m_operatorClasses.resize(trace.strings.size());
    m_kernelFormats.resize(trace.strings.size());
    m_tensorCores.resize(trace.strings.size());
    // Each name is classified once, however many events use it.
    std::vector<std::uint8_t> seen(trace.strings.size());
    for (const trace::Series& series : trace.series) {
        const bool device = trace::isDeviceWork(series.kind);
        if (!device && series.kind != trace::EventKind::operatorCall)
            continue;
        const std::uint8_t bit = device ? 1 : 2;
        for (const std::uint32_t name : series.events.name) {
            if (seen[name] & bit)
                continue;
            seen[name] |= bit;
            if (device) {
                m_kernelClasses[name] = classifyKernel(text(name));
                m_kernelFormats[name] = formatOfKernel(text(name));
                m_tensorCores[name] = usesTensorCores(text(name));
            } else {
                m_operatorClasses[name] = classifyOperator(text(name));
            }
        }
    }
    collectWork();
    collectCalls();
    join();
    markFirstCalls(calls, work);
    findCaptures();
}

void TraceIndex::collectWork()
{
    for (const trace::Series& series : trace.series)
        if (trace::isDeviceWork(series.kind))
            devices.push_back(trace.track(series).device);
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());

    for (std::size_t s = 0; s < trace.series.size(); ++s) {
        const trace::Series& series = trace.series[s];
        if (!trace::isDeviceWork(series.kind))
            continue;
        const trace::EventColumns& e = series.events;
        const auto device = static_cast<std::uint16_t>(deviceIndex(trace.track(series).device));
        for (std::size_t i = 0; i < e.size(); ++i)
            work.push_back({{e.start[i], e.end(i)},
                            trace::valueAt(e.value, i),
                            {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)},
                            e.name[i],
                            trace::valueAt(e.detail, i),
                            trace::valueAt(e.link, i),
                            kNone,
                            device,
                            series.kind});
    }
    std::stable_sort(work.begin(), work.end(),
                     [](const Work& a, const Work& b) { return a.time.start < b.time.start; });
}

void TraceIndex::collectCalls()
{
    std::vector<std::int8_t> kinds(trace.strings.size(), -1);
    for (std::size_t s = 0; s < trace.series.size(); ++s) {
        const trace::Series& series = trace.series[s];
        if (series.kind != trace::EventKind::runtimeCall && series.kind != trace::EventKind::driverCall)
            continue;
        const trace::EventColumns& e = series.events;
        for (std::size_t i = 0; i < e.size(); ++i) {
            std::int8_t& kind = kinds[e.name[i]];
            if (kind < 0)
                kind = static_cast<std::int8_t>(classifyCall(text(e.name[i])));
            calls.push_back({{e.start[i], e.end(i)},
                             {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)},
                             e.name[i],
                             trace::valueAt(e.correlation, i),
                             trace::valueAt(e.link, i),
                             series.track,
                             kNone,
                             kNone,
                             static_cast<CallKind>(kind)});
        }
    }
    std::stable_sort(calls.begin(), calls.end(),
                     [](const HostCall& a, const HostCall& b) { return a.time.start < b.time.start; });
    for (std::size_t i = 0; i < calls.size(); ++i) {
        std::vector<std::int32_t>& list = m_callsOfTrack[calls[i].track.value];
        if (!list.empty())
            calls[static_cast<std::size_t>(list.back())].next = static_cast<std::int32_t>(i);
        list.push_back(static_cast<std::int32_t>(i));
    }
}

void TraceIndex::join()
{
    const CallsByCorrelation joined(*this);
    for (std::size_t i = 0; i < work.size(); ++i) {
        work[i].call = joined.callOf(work[i]);
        if (work[i].call == kNone)
            continue;
        HostCall& call = calls[static_cast<std::size_t>(work[i].call)];
        if (call.work == kNone)
            call.work = static_cast<std::int32_t>(i);
    }
}

void TraceIndex::findCaptures()
{
    for (const auto& [track, list] : m_callsOfTrack) {
        const HostCall* begin = nullptr;
        std::vector<TimeRange> captures;
        int again = 0; // captures after a launch of an earlier one
        bool launched = false;
        for (const std::int32_t i : list) {
            HostCall& call = calls[static_cast<std::size_t>(i)];
            call.captured = begin != nullptr;
            if (call.kind == CallKind::beginCapture && !begin)
                begin = &call;
            if (call.kind == CallKind::endCapture && begin)
                captures.push_back({std::exchange(begin, nullptr)->time.start, call.time.end});
            launched = launched || (call.kind == CallKind::graphLaunch && !captures.empty());
            if (call.kind == CallKind::beginCapture)
                again += std::exchange(launched, false) ? 1 : 0;
        }
        // A capture without an end looks like a call that failed, so it does not count.
        if (begin)
            for (const std::int32_t i : list)
                if (HostCall& call = calls[static_cast<std::size_t>(i)]; call.time.start >= begin->time.start)
                    call.captured = false;
        constexpr int kInEachPass = 2;
        if (captures.empty() || again >= kInEachPass)
            continue;
        m_captures.emplace(track, unite(std::move(captures)));
        for (const std::int32_t i : list)
            if (HostCall& call = calls[static_cast<std::size_t>(i)]; call.captured)
                call.first = true;
    }
}

const TimeRanges& TraceIndex::captures(trace::TrackId track) const
{
    static const TimeRanges kNoCaptures;
    const auto found = m_captures.find(track.value);
    return found == m_captures.end() ? kNoCaptures : found->second;
}

std::optional<TimeRange> TraceIndex::capture(const HostCall& call) const
{
    if (call.kind != CallKind::beginCapture)
        return std::nullopt;
    const TimeRanges& all = captures(call.track);
    const auto at = std::find_if(all.begin(), all.end(), [&](TimeRange i) { return i.contains(call.time.start); });
    return at == all.end() ? std::nullopt : std::optional(*at);
}

TimeRange TraceIndex::workSpan() const
{
    TimeRange span = work.empty() ? TimeRange{} : work.front().time;
    for (const Work& w : work)
        span.end = std::max(span.end, w.time.end);
    return span;
}

TimeRange TraceIndex::workSpan(std::int64_t device) const
{
    const std::int32_t wanted = deviceIndex(device);
    const auto first = std::find_if(work.begin(), work.end(), [wanted](const Work& w) { return w.device == wanted; });
    TimeRange span = first == work.end() ? TimeRange{} : first->time;
    for (auto w = first; w != work.end(); ++w)
        if (w->device == wanted)
            span.end = std::max(span.end, w->time.end);
    return span;
}

std::int32_t TraceIndex::deviceIndex(std::int64_t id) const
{
    const auto at = std::lower_bound(devices.begin(), devices.end(), id);
    return at != devices.end() && *at == id ? static_cast<std::int32_t>(at - devices.begin()) : kNone;
}

std::int32_t TraceIndex::firstCallEndingAfter(trace::TrackId track, std::int64_t time) const
{
    const auto found = m_callsOfTrack.find(track.value);
    if (found == m_callsOfTrack.end())
        return kNone;
    const std::vector<std::int32_t>& list = found->second;
    const auto callAt = [this](std::int32_t i) -> const HostCall& { return calls[static_cast<std::size_t>(i)]; };
    auto at =
        std::partition_point(list.begin(), list.end(), [&](std::int32_t i) { return callAt(i).time.start <= time; });
    // A driver call nests in the runtime call that made it and no deeper, so two steps back reach every call that still
    // runs.
    for (int back = 0; back < 2 && at != list.begin() && callAt(*std::prev(at)).time.end > time; ++back)
        --at;
    return at == list.end() ? kNone : *at;
}

bool TraceIndex::hasKind(trace::EventKind kind) const
{
    return count(kind) > 0;
}

std::size_t TraceIndex::count(trace::EventKind kind) const
{
    std::size_t n = 0;
    for (const trace::Series& series : trace.series)
        if (series.kind == kind)
            n += series.events.size();
    return n;
}

} // namespace apertune::analysis
