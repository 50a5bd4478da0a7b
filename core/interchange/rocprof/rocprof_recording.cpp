// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/rocprof/rocprof_recording.h"

#include "core/base/message.h"
#include "core/trace/reasons.h"

#include <algorithm>

namespace apertune::interchange::rocprof {

using trace::CopyDirection;
using trace::EventKind;
using trace::TrackId;
using trace::TrackType;

namespace {

CopyDirection directionOf(std::string_view operation)
{
    if (operation.ends_with("HOST_TO_DEVICE"))
        return CopyDirection::hostToDevice;
    if (operation.ends_with("DEVICE_TO_HOST"))
        return CopyDirection::deviceToHost;
    if (operation.ends_with("DEVICE_TO_DEVICE"))
        return CopyDirection::deviceToDevice;
    if (operation.ends_with("HOST_TO_HOST"))
        return CopyDirection::hostToHost;
    return CopyDirection::unknown;
}

EventKind kindOf(std::string_view category)
{
    if (category.starts_with("HIP_"))
        return EventKind::runtimeCall;
    if (category.starts_with("HSA_"))
        return EventKind::driverCall;
    if (category.starts_with("MARKER_"))
        return EventKind::range;
    return EventKind::other;
}

} // namespace

std::array<std::uint32_t, 3> blocksOf(const std::array<std::uint32_t, 3>& threads,
                                      const std::array<std::uint32_t, 3>& block)
{
    std::array<std::uint32_t, 3> blocks = threads;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (block[i] > 0)
            blocks[i] = threads[i] / block[i] + (threads[i] % block[i] != 0 ? 1 : 0);
    return blocks;
}

void RocprofRecording::add(TrackId track, EventKind kind, std::int64_t start, std::int64_t end,
                           const trace::Event& event)
{
    if (start > 0 && end > 0)
        m_events.add(track, kind, start, end, event);
    else
        m_builder.addLoss(
            {{}, kind, 1, trace::LossSeverity::warning, base::message<trace::reasons::kImpossibleTimes>()});
}

void RocprofRecording::addAgent(Agent agent)
{
    if (!m_devices.emplace(agent.id, agent.properties.id).second)
        return;
    std::vector<trace::DeviceProperties>& devices = m_builder.head().devices;
    if (std::none_of(devices.begin(), devices.end(),
                     [&](const trace::DeviceProperties& known) { return known.id == agent.properties.id; }))
        devices.push_back(std::move(agent.properties));
}

TrackId RocprofRecording::stream(const Place& place)
{
    const auto [at, added] = m_streams.try_emplace({place.process, place.agent, place.queue, place.stream});
    if (added) {
        const auto device = m_devices.find(place.agent);
        trace::Track track;
        track.type = TrackType::stream;
        track.process = place.process;
        track.device = device == m_devices.end() ? place.agent : device->second;
        // Streams share the queues of the hardware and change between them. Work is ordered within a stream, not a
        // queue.
        track.stream = place.stream >= 0 ? place.stream : place.queue;
        track.label = (place.stream >= 0 ? "stream " : "queue ") + std::to_string(track.stream);
        at->second = m_builder.track(track);
    }
    return at->second;
}

TrackId RocprofRecording::thread(std::int64_t process, std::int64_t thread)
{
    const auto [at, added] = m_threads.try_emplace({process, thread});
    if (added) {
        trace::Track track;
        track.type = TrackType::hostThread;
        track.process = process;
        track.thread = thread;
        track.label = "thread " + std::to_string(thread);
        at->second = m_builder.track(track);
    }
    return at->second;
}

void RocprofRecording::addKernel(const Place& place, std::int64_t start, std::int64_t end, std::string_view name,
                                 std::uint64_t correlation, const trace::KernelDetail& detail)
{
    if (name.ends_with(".kd"))
        name.remove_suffix(3);
    add(stream(place), EventKind::kernel, start, end,
        {.name = m_builder.intern(name),
         .correlation = m_correlations.number(correlation),
         .detail = m_builder.detail(detail)});
}

void RocprofRecording::addCopy(const Place& place, std::int64_t start, std::int64_t end, std::string_view operation,
                               std::int64_t bytes, std::uint64_t correlation)
{
    trace::CopyDetail detail;
    detail.direction = directionOf(operation);
    add(stream(place), EventKind::copy, start, end,
        {.name = m_builder.intern(trace::copyName(detail.direction)),
         .correlation = m_correlations.number(correlation),
         .detail = m_builder.detail(detail),
         .value = bytes});
}

void RocprofRecording::addAllocation(std::int64_t agent, std::int64_t time, std::string_view operation,
                                     std::int64_t bytes, std::uint64_t address, std::uint64_t correlation)
{
    Allocation allocation;
    if (operation.ends_with("FREE")) {
        const auto known = m_allocated.find(address);
        if (known == m_allocated.end())
            return;
        allocation = {-known->second.bytes, known->second.device};
        m_allocated.erase(known);
    } else {
        const auto device = m_devices.find(agent);
        if (device == m_devices.end() || bytes <= 0)
            return;
        allocation = {bytes, device->second};
        m_allocated[address] = allocation;
    }
    trace::MemoryDetail detail;
    detail.kind = trace::MemoryKind::device;
    detail.device = static_cast<std::int32_t>(allocation.device);
    trace::Track track;
    track.type = TrackType::device;
    track.device = detail.device;
    track.label = "GPU " + std::to_string(track.device);
    add(m_builder.track(track), EventKind::deviceMemory, time, time,
        {.correlation = m_correlations.number(correlation),
         .detail = m_builder.detail(detail),
         .value = allocation.bytes,
         .address = address});
}

void RocprofRecording::addCall(std::int64_t process, std::int64_t id, std::int64_t start, std::int64_t end,
                               std::string_view category, std::string_view name, std::uint64_t correlation)
{
    const EventKind kind = kindOf(category);
    const bool causesWork = kind == EventKind::runtimeCall || kind == EventKind::driverCall;
    add(thread(process, id), kind, start, end,
        {.name = m_builder.intern(name), .correlation = causesWork ? m_correlations.number(correlation) : 0});
}

trace::Trace RocprofRecording::finish()
{
    if (m_correlations.ambiguous())
        m_builder.addLoss({.reason = base::message<trace::reasons::kSharedIds>()});
    return m_builder.finish();
}

} // namespace apertune::interchange::rocprof
