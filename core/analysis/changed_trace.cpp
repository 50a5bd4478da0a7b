// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/changed_trace.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace apertune::analysis {

using trace::EventKind;

namespace {

/// Whether events of the kind stand for their own time alone. A call of the runtime stays, because work refers to it.
bool vanishesWithItsTime(EventKind kind)
{
    return trace::isDeviceWork(kind) || kind == EventKind::operatorCall || kind == EventKind::range ||
           kind == EventKind::scriptCall;
}

trace::Trace withoutEvents(const trace::Trace& trace)
{
    trace::Trace changed;
    changed.name = trace.name;
    changed.source = trace.source;
    changed.recorderVersion = trace.recorderVersion;
    changed.originMonotonic = trace.originMonotonic;
    changed.originEpoch = trace.originEpoch;
    changed.rank = trace.rank;
    changed.worldSize = trace.worldSize;
    changed.strings = trace.strings;
    changed.tracks = trace.tracks;
    changed.details = trace.details;
    changed.devices = trace.devices;
    changed.losses = trace.losses;
    return changed;
}

} // namespace

trace::Trace changedTrace(const TraceIndex& index, const Replayed& replayed, TimeRange span)
{
    const trace::Trace& trace = index.trace;
    const auto keyOf = [](std::uint32_t series, std::uint32_t event) {
        // Series and position together name an event.
        return (static_cast<std::uint64_t>(series) << 32U) | event;
    };
    std::unordered_map<std::uint64_t, TimeRange> work;
    for (const auto& [number, time] : replayed.work) {
        const EventRef& ref = index.work[static_cast<std::size_t>(number)].ref;
        work.emplace(keyOf(ref.series, ref.index), time);
    }
    trace::Trace changed = withoutEvents(trace);
    for (std::uint32_t s = 0; s < trace.series.size(); ++s) {
        const trace::Series& series = trace.series[s];
        trace::Series kept{series.track, series.kind, {}};
        for (std::uint32_t i = 0; i < series.events.size(); ++i) {
            const TimeRange recorded{series.events.start[i], series.events.end(i)};
            std::optional<TimeRange> time;
            // Device work has new times of its own; everything else moves with the host.
            if (trace::isDeviceWork(series.kind)) {
                if (const auto found = work.find(keyOf(s, i)); found != work.end())
                    time = found->second;
            } else if (span.contains(recorded.start)) {
                time = TimeRange{replayed(recorded.start), replayed(recorded.end)};
            }
            // An event that lost its whole duration is gone.
            if (!time || (recorded.length() > 0 && time->length() == 0 && vanishesWithItsTime(series.kind)))
                continue;
            trace::Event event = series.events.at(i);
            event.start = {time->start};
            event.duration = {time->length()};
            kept.events.append(event);
        }
        // Moved events may have changed their order.
        kept.events.sort();
        if (!kept.events.empty())
            changed.series.push_back(std::move(kept));
    }
    return changed;
}

} // namespace apertune::analysis
