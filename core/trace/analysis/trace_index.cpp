// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/analysis/trace_index.h"

#include <algorithm>

namespace apertune::trace::analysis {

TraceIndex::TraceIndex(const Trace& t) : trace(t)
{
    m_kernelClasses.resize(trace.strings.size());
    m_operatorClasses.resize(trace.strings.size());
    m_tensorCores.resize(trace.strings.size());
    // A name is looked at once, however many events carry it.
    std::vector<std::uint8_t> seen(trace.strings.size());
    for (const Series& series : trace.series) {
        const bool device = isDeviceWork(series.kind);
        if (!device && series.kind != EventKind::operatorCall)
            continue;
        const std::uint8_t bit = device ? 1 : 2;
        for (const std::uint32_t name : series.events.name) {
            if (seen[name] & bit)
                continue;
            seen[name] |= bit;
            if (device) {
                m_kernelClasses[name] = classifyKernel(text(name));
                m_tensorCores[name] = usesTensorCores(text(name));
            } else {
                m_operatorClasses[name] = classifyOperator(text(name));
            }
        }
    }
    collectWork();
    collectCalls();
    join();
}

void TraceIndex::collectWork()
{
    for (const Series& series : trace.series)
        if (isDeviceWork(series.kind))
            devices.push_back(trace.track(series).device);
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());

    for (std::size_t s = 0; s < trace.series.size(); ++s) {
        const Series& series = trace.series[s];
        if (!isDeviceWork(series.kind))
            continue;
        const EventColumns& e = series.events;
        const auto device = static_cast<std::uint16_t>(deviceIndex(trace.track(series).device));
        for (std::size_t i = 0; i < e.size(); ++i)
            work.push_back({{e.start[i], e.end(i)},
                            valueAt(e.value, i),
                            {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)},
                            e.name[i],
                            valueAt(e.detail, i),
                            valueAt(e.link, i),
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
        const Series& series = trace.series[s];
        if (series.kind != EventKind::runtimeCall && series.kind != EventKind::driverCall)
            continue;
        const EventColumns& e = series.events;
        for (std::size_t i = 0; i < e.size(); ++i) {
            std::int8_t& kind = kinds[e.name[i]];
            if (kind < 0)
                kind = static_cast<std::int8_t>(classifyCall(text(e.name[i])));
            calls.push_back({{e.start[i], e.end(i)},
                             {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)},
                             e.name[i],
                             valueAt(e.correlation, i),
                             valueAt(e.link, i),
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
    std::unordered_map<std::uint32_t, std::int32_t> byCorrelation;
    byCorrelation.reserve(calls.size());
    const auto isRuntime = [this](std::int32_t i) {
        return trace.series[calls[static_cast<std::size_t>(i)].ref.series].kind == EventKind::runtimeCall;
    };
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].correlation == 0)
            continue;
        const auto at = static_cast<std::int32_t>(i);
        const auto [found, isNew] = byCorrelation.try_emplace(calls[i].correlation, at);
        if (!isNew && isRuntime(at) && !isRuntime(found->second))
            found->second = at;
    }
    for (std::size_t i = 0; i < work.size(); ++i) {
        const EventColumns& e = trace.series[work[i].ref.series].events;
        const std::uint32_t correlation = valueAt(e.correlation, work[i].ref.index);
        const auto found = correlation == 0 ? byCorrelation.end() : byCorrelation.find(correlation);
        if (found == byCorrelation.end())
            continue;
        work[i].call = found->second;
        HostCall& call = calls[static_cast<std::size_t>(found->second)];
        if (call.work == kNone)
            call.work = static_cast<std::int32_t>(i);
    }
}

std::int32_t TraceIndex::deviceIndex(std::int64_t id) const
{
    const auto at = std::lower_bound(devices.begin(), devices.end(), id);
    return at != devices.end() && *at == id ? static_cast<std::int32_t>(at - devices.begin()) : kNone;
}

std::int32_t TraceIndex::firstCallEndingAfter(TrackId track, std::int64_t time) const
{
    const auto found = m_callsOfTrack.find(track.value);
    if (found == m_callsOfTrack.end())
        return kNone;
    const std::vector<std::int32_t>& list = found->second;
    const auto callAt = [this](std::int32_t i) -> const HostCall& { return calls[static_cast<std::size_t>(i)]; };
    auto at =
        std::partition_point(list.begin(), list.end(), [&](std::int32_t i) { return callAt(i).time.start <= time; });
    // A driver call nests in the runtime call that made it, no deeper: two steps back see every call still running.
    for (int back = 0; back < 2 && at != list.begin() && callAt(*std::prev(at)).time.end > time; ++back)
        --at;
    return at == list.end() ? kNone : *at;
}

bool TraceIndex::hasKind(EventKind kind) const
{
    return count(kind) > 0;
}

std::size_t TraceIndex::count(EventKind kind) const
{
    std::size_t n = 0;
    for (const Series& series : trace.series)
        if (series.kind == kind)
            n += series.events.size();
    return n;
}

} // namespace apertune::trace::analysis
