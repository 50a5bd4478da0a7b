// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorder.h"

#include <algorithm>
#include <cmath>

namespace apertune::advice::testing {

using trace::CopyDetail;
using trace::CopyDirection;
using trace::Event;
using trace::EventKind;
using trace::MemoryKind;

Recorder::Recorder(Dice& dice) : m_dice(dice)
{
    m_thread =
        m_builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1, .label = "main", .unit = {}});
    for (int s = 0; s < 2; ++s)
        m_streams[s] = m_builder.track({.type = trace::TrackType::stream,
                                        .process = 1,
                                        .device = 0,
                                        .context = 1,
                                        .stream = 7 + s,
                                        .label = {},
                                        .unit = {}});
    trace::DeviceProperties device;
    device.id = 0;
    device.name = "Device of the tests";
    device.computeMajor = 8;
    device.multiprocessors = 108;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = 2048;
    device.registersPerMultiprocessor = 65536;
    device.sharedBytesPerMultiprocessor = 167936;
    device.totalMemory = 40ll << 30;
    m_builder.head().devices.push_back(device);
    m_builder.head().source = "apertune";
}

Event Recorder::event(const std::string& name, std::int64_t start, std::int64_t end)
{
    Event e;
    e.start = {start};
    e.duration = {std::max<std::int64_t>(0, end - start)};
    e.name = m_builder.intern(name);
    return e;
}

std::uint32_t Recorder::call(const char* name, std::int64_t start, std::int64_t end)
{
    Event e = event(name, start, end);
    e.correlation = ++m_correlation;
    m_builder.add(m_thread, EventKind::runtimeCall, e);
    return e.correlation;
}

void Recorder::run(const Kernel& k)
{
    const std::int64_t begin = m_now;
    m_now += m_dice.about(k.dispatch, 0.2);
    const std::int64_t called = m_now;
    m_now += m_dice.about(k.call, 0.2);
    const std::uint32_t correlation = call("cudaLaunchKernel", called, m_now);
    const std::int64_t start = std::max(m_free[kCompute] + m_dice.about(1e3, 0.2), called + m_dice.about(5e3, 0.1));
    m_free[kCompute] = start + m_dice.about(k.time, 0.03);
    Event e = event(k.name, start, m_free[kCompute]);
    e.correlation = correlation;
    trace::KernelDetail d;
    d.grid = {k.blocks, 1, 1};
    d.block = {k.threads, 1, 1};
    d.registersPerThread = k.registers;
    e.detail = m_builder.detail(d);
    m_builder.add(m_streams[kCompute], EventKind::kernel, e);
    m_now += m_dice.about(1e3, 0.2);
    Event op = event(k.op, begin, m_now);
    if (*k.shapes)
        op.detail =
            m_builder.detail(trace::OperatorDetail{m_builder.intern(k.shapes), m_builder.intern(k.types), {}, -1});
    m_builder.add(m_thread, EventKind::operatorCall, op);
}

void Recorder::enqueueCopy(CopyDirection direction, std::int64_t bytes, Host memory, int stream, std::int64_t from,
                           std::uint32_t correlation)
{
    const bool within = direction == CopyDirection::deviceToDevice;
    const double rate = within ? kDeviceRate : memory == Host::pinned ? 12e9 : 5e9;
    const std::int64_t start = std::max(m_free[stream] + 1'000, from + m_dice.about(3e3, 0.2));
    m_free[stream] = start + m_dice.about(1.5e3 + static_cast<double>(bytes) / rate * 1e9, 0.03);
    const MemoryKind host = memory == Host::pinned ? MemoryKind::pinned : MemoryKind::pageable;
    const bool up = direction == CopyDirection::hostToDevice;
    Event e = event(within ? "Memcpy DtoD" : up ? "Memcpy HtoD" : "Memcpy DtoH", start, m_free[stream]);
    e.correlation = correlation;
    e.value = bytes;
    CopyDetail d;
    d.direction = direction;
    d.source = up ? host : MemoryKind::device;
    d.target = up || within ? MemoryKind::device : host;
    d.asynchronous = memory == Host::pinned;
    e.detail = m_builder.detail(d);
    m_builder.add(m_streams[stream], EventKind::copy, e);
}

void Recorder::clone(std::int64_t bytes)
{
    copy(CopyDirection::deviceToDevice, bytes, Host::pinned, kCompute);
}

void Recorder::copy(CopyDirection direction, std::int64_t bytes, Host memory, int stream)
{
    const std::int64_t begin = m_now;
    m_now += m_dice.about(3e3, 0.2);
    const std::int64_t called = m_now;
    const std::uint32_t correlation = m_correlation + 1;
    enqueueCopy(direction, bytes, memory, stream, called, correlation);
    m_now = memory == Host::pageable ? m_free[stream] + m_dice.about(2e3, 0.2) : m_now + m_dice.about(4e3, 0.2);
    call("cudaMemcpyAsync", called, m_now);
    m_builder.add(m_thread, EventKind::operatorCall, event("aten::copy_", begin, m_now + 500));
    m_now += 500;
}

void Recorder::blockingCopy(CopyDirection direction, std::int64_t bytes, Host memory)
{
    const std::int64_t called = m_now;
    const std::uint32_t correlation = m_correlation + 1;
    enqueueCopy(direction, bytes, memory, kCompute, called, correlation);
    m_now = m_free[kCompute] + m_dice.about(3e3, 0.2);
    call("cudaMemcpy", called, m_now);
}

void Recorder::fill(std::int64_t bytes)
{
    const std::int64_t called = m_now;
    m_now += m_dice.about(3e3, 0.2);
    Event e = event("Memset (Device)", 0, 0);
    e.correlation = call("cudaMemsetAsync", called, m_now);
    const std::int64_t start = std::max(m_free[kCompute] + 500, called + 4'000);
    m_free[kCompute] = start + 1'500;
    e.start = {start};
    e.duration = {1'500};
    e.value = bytes;
    m_builder.add(m_streams[kCompute], EventKind::memset, e);
}

void Recorder::synchronize(const char* name)
{
    const std::int64_t called = m_now;
    m_now = std::max(m_now + 1'500, std::max(m_free[kCompute], m_free[kCopy]) + m_dice.about(4e3, 0.2));
    call(name, called, m_now);
}

void Recorder::streamWait(int waiting, int awaited)
{
    m_free[waiting] = std::max(m_free[waiting], m_free[awaited]);
    const std::int64_t called = m_now;
    m_now += m_dice.about(1.5e3, 0.2);
    call("cudaStreamWaitEvent", called, m_now);
}

void Recorder::allocate(const char* name, std::int64_t ns, bool drains)
{
    const std::int64_t called = m_now;
    if (drains)
        m_now = std::max(m_now, std::max(m_free[kCompute], m_free[kCopy]));
    m_now += ns;
    call(name, called, m_now);
}

void Recorder::hostOperator(const char* name, std::int64_t ns)
{
    const std::int64_t begin = m_now;
    m_now += ns;
    m_builder.add(m_thread, EventKind::operatorCall, event(name, begin, m_now));
}

void Recorder::range(const std::string& name, std::int64_t start, std::int64_t end)
{
    m_builder.add(m_thread, EventKind::range, event(name, start, end));
}

void Recorder::clockState(const std::string& reason, std::int64_t start, std::int64_t end, std::int64_t mhz)
{
    trace::Track track;
    track.type = trace::TrackType::counter;
    track.device = 0;
    track.label = "clock held by";
    m_builder.add(m_builder.track(track), EventKind::deviceRange, event(reason, start, end));
    track.label = "SM clock";
    track.unit = "MHz";
    Event reading = event(track.label, (start + end) / 2, (start + end) / 2);
    reading.value = mhz;
    m_builder.add(m_builder.track(track), EventKind::counter, reading);
}

void Recorder::deviceMemory(std::int64_t bytes, std::uint64_t address)
{
    Event e = event("cudaMalloc", m_now, m_now);
    e.value = bytes;
    e.address = address;
    e.detail = m_builder.detail(trace::MemoryDetail{MemoryKind::device, 0, {}});
    m_builder.add(m_thread, EventKind::deviceMemory, e);
}

void Recorder::tensorMemory(std::int64_t bytes, std::uint64_t address, int device)
{
    Event e = event("[memory]", m_now, m_now);
    e.value = bytes;
    e.address = address;
    e.detail = m_builder.detail(trace::MemoryDetail{MemoryKind::unknown, device, {}});
    m_builder.add(m_thread, EventKind::tensorMemory, e);
}

trace::Trace Recorder::finish()
{
    return m_builder.finish();
}

} // namespace apertune::advice::testing
