// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <string>

namespace apertune::trace::testing {

/// A trace written down event by event; times in µs.
class SmallTrace
{
public:
    SmallTrace()
    {
        host = b.track({.type = TrackType::hostThread, .process = 1, .thread = 1});
        stream = b.track({.type = TrackType::stream, .process = 1, .device = 0, .stream = 7});
        copies = b.track({.type = TrackType::stream, .process = 1, .device = 0, .stream = 8});
    }

    Event event(const std::string& name, std::int64_t from, std::int64_t to, std::uint32_t correlation = 0)
    {
        Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = b.intern(name);
        e.correlation = correlation;
        return e;
    }
    void op(const std::string& name, std::int64_t from, std::int64_t to, const std::string& shapes = {},
            std::uint32_t link = 0)
    {
        Event e = event(name, from, to);
        e.link = link;
        if (!shapes.empty())
            e.detail = b.detail(OperatorDetail{b.intern(shapes), b.intern("[\"float\"]"), {}, -1});
        b.add(host, EventKind::operatorCall, e);
    }
    void call(const std::string& name, std::int64_t from, std::int64_t to, std::uint32_t correlation = 0)
    {
        b.add(host, EventKind::runtimeCall, event(name, from, to, correlation));
    }
    void kernel(const std::string& name, std::int64_t from, std::int64_t to, std::uint32_t correlation = 0,
                std::uint32_t blocks = 0)
    {
        Event e = event(name, from, to, correlation);
        if (blocks > 0) {
            KernelDetail d;
            d.grid = {blocks, 1, 1};
            d.block = {256, 1, 1};
            e.detail = b.detail(d);
        }
        b.add(stream, EventKind::kernel, e);
    }
    void copy(CopyDirection direction, std::int64_t bytes, std::int64_t from, std::int64_t to,
              std::uint32_t correlation = 0, MemoryKind hostMemory = MemoryKind::pinned)
    {
        Event e = event("Memcpy", from, to, correlation);
        e.value = bytes;
        CopyDetail d;
        d.direction = direction;
        d.source = direction == CopyDirection::hostToDevice ? hostMemory : MemoryKind::device;
        d.target = direction == CopyDirection::hostToDevice ? MemoryKind::device : hostMemory;
        e.detail = b.detail(d);
        b.add(copies, EventKind::copy, e);
    }
    void memory(EventKind kind, std::int64_t bytes, std::uint64_t address, std::int64_t at, int device)
    {
        Event e = event("memory", at, at);
        e.value = bytes;
        e.address = address;
        e.detail = b.detail(MemoryDetail{MemoryKind::unknown, device, {}});
        b.add(host, kind, e);
    }
    Trace finish() { return b.finish(false); }

    TraceBuilder b;
    TrackId host, stream, copies;
};

} // namespace apertune::trace::testing
