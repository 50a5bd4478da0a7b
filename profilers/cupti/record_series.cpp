// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/record_series.h"

#include <algorithm>
#include <limits>
#include <string>

namespace apertune::profilers {

using trace::EventColumns;
using trace::EventKind;
using trace::Track;
using trace::TrackId;
using trace::TrackType;

StagedEvents& RecordSeries::onStream(EventKind kind, std::uint32_t device, std::uint32_t context, std::uint32_t stream)
{
    const std::uint64_t owner = std::uint64_t{device} << 32 | context;
    const auto [entry, known] = m_streams.find(
        spread(owner, std::uint64_t{stream} << 8 | static_cast<std::uint8_t>(kind)),
        [&](const Stream& s) { return s.series && s.owner == owner && s.stream == stream && s.kind == kind; });
    if (!known)
        entry = {owner, stream, kind, &onTrack(kind, streamTrack(device, context, stream))};
    return *entry.series;
}

StagedEvents& RecordSeries::onThread(EventKind kind, std::uint32_t process, std::uint32_t thread)
{
    return onTrack(kind, threadTrack(process, thread));
}

StagedEvents& RecordSeries::onDevice(EventKind kind, std::uint32_t device)
{
    return onTrack(kind, deviceTrack(device));
}

StagedEvents& RecordSeries::onTrack(EventKind kind, TrackId track)
{
    const auto known = m_series.find({track.value, kind});
    if (known != m_series.end())
        return known->second;
    return m_series.try_emplace({track.value, kind}, m_into.columns(track, kind)).first->second;
}

StagedEvents& RecordSeries::counter(std::uint32_t device, const char* label, const char* unit)
{
    Track track;
    track.type = TrackType::counter;
    track.device = device;
    track.label = label;
    track.unit = unit;
    return onTrack(EventKind::counter, m_into.track(track));
}

TrackId RecordSeries::streamTrack(std::int64_t device, std::int64_t context, std::int64_t stream)
{
    if (stream < 0 && device >= 0)
        return deviceTrack(static_cast<std::uint32_t>(device)); // importers, too, use the device's track for it
    Track track;
    track.type = TrackType::stream;
    track.device = device;
    track.context = context;
    track.stream = stream;
    track.label = stream < 0 ? "context " + std::to_string(context) : "stream " + std::to_string(stream);
    return m_into.track(track);
}

TrackId RecordSeries::threadTrack(std::uint32_t process, std::uint32_t thread)
{
    Track track;
    track.process = process;
    track.thread = thread;
    track.label = process == thread ? "main thread" : "thread " + std::to_string(thread);
    return m_into.track(track);
}

TrackId RecordSeries::deviceTrack(std::uint32_t device)
{
    Track track;
    track.type = TrackType::device;
    track.device = device;
    track.label = "GPU " + std::to_string(device);
    return m_into.track(track);
}

TrackId RecordSeries::objectTrack(CUpti_ActivityObjectKind kind, const CUpti_ActivityObjectKindId& id)
{
    Track track;
    switch (kind) {
    case CUPTI_ACTIVITY_OBJECT_THREAD:
        return threadTrack(id.pt.processId, id.pt.threadId);
    case CUPTI_ACTIVITY_OBJECT_DEVICE:
        return deviceTrack(id.dcs.deviceId);
    case CUPTI_ACTIVITY_OBJECT_CONTEXT:
    case CUPTI_ACTIVITY_OBJECT_STREAM:
        return streamTrack(id.dcs.deviceId, id.dcs.contextId,
                           kind == CUPTI_ACTIVITY_OBJECT_STREAM ? static_cast<std::int64_t>(id.dcs.streamId) : -1);
    case CUPTI_ACTIVITY_OBJECT_PROCESS:
        track.process = id.pt.processId;
        [[fallthrough]];
    default:
        track.type = TrackType::process;
        track.label = "process";
        return m_into.track(track);
    }
}

void RecordSeries::flush()
{
    for (auto& [key, series] : m_series)
        series.flush();
}

std::int64_t RecordSeries::lastEnd() const
{
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const auto& [key, series] : m_series)
        for (std::size_t i = 0; i < series.columns().size(); ++i)
            last = std::max(last, series.columns().end(i));
    return last;
}

void RecordSeries::link(OperatorLinks& links)
{
    if (links.size() == 0)
        return;
    for (const auto& [key, series] : m_series) {
        EventColumns& columns = series.columns();
        for (std::size_t i = 0; i < columns.correlation.size(); ++i) {
            const std::uint32_t correlation = columns.correlation[i];
            const std::uint32_t link = correlation == 0 ? 0 : links.of(correlation);
            if (link == 0)
                continue;
            columns.link.resize(columns.size());
            columns.link[i] = link;
        }
    }
}

} // namespace apertune::profilers
