// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <string>

namespace apertune::analysis::testing {

/// A trace written down event by event; times in µs.
class SmallTrace
{
public:
    SmallTrace()
    {
        host = b.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
        stream = b.track({.type = trace::TrackType::stream, .process = 1, .device = 0, .stream = 7});
        copies = b.track({.type = trace::TrackType::stream, .process = 1, .device = 0, .stream = 8});
    }

    trace::Event event(const std::string& name, std::int64_t from, std::int64_t to, std::uint32_t correlation = 0)
    {
        trace::Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = b.intern(name);
        e.correlation = correlation;
        return e;
    }
    void op(const std::string& name, std::int64_t from, std::int64_t to, const std::string& shapes = {},
            std::uint32_t link = 0)
    {
        trace::Event e = event(name, from, to);
        e.link = link;
        if (!shapes.empty())
            e.detail = b.detail(trace::OperatorDetail{b.intern(shapes), b.intern("[\"float\"]"), {}, -1});
        b.add(host, trace::EventKind::operatorCall, e);
    }
    void call(const std::string& name, std::int64_t from, std::int64_t to, std::uint32_t correlation = 0)
    {
        b.add(host, trace::EventKind::runtimeCall, event(name, from, to, correlation));
    }
    void kernel(const std::string& name, std::int64_t from, std::int64_t to, std::uint32_t correlation = 0,
                std::uint32_t blocks = 0)
    {
        trace::Event e = event(name, from, to, correlation);
        if (blocks > 0) {
            trace::KernelDetail d;
            d.grid = {blocks, 1, 1};
            d.block = {256, 1, 1};
            e.detail = b.detail(d);
        }
        b.add(stream, trace::EventKind::kernel, e);
    }
    void kernelOfGraph(const std::string& name, std::int64_t from, std::int64_t to, std::uint32_t correlation)
    {
        trace::Event e = event(name, from, to, correlation);
        trace::KernelDetail d;
        d.graph = 7;
        e.detail = b.detail(d);
        b.add(stream, trace::EventKind::kernel, e);
    }
    void copy(trace::CopyDirection direction, std::int64_t bytes, std::int64_t from, std::int64_t to,
              std::uint32_t correlation = 0, trace::MemoryKind hostMemory = trace::MemoryKind::pinned)
    {
        trace::Event e = event("Memcpy", from, to, correlation);
        e.value = bytes;
        trace::CopyDetail d;
        d.direction = direction;
        d.source = direction == trace::CopyDirection::hostToDevice ? hostMemory : trace::MemoryKind::device;
        d.target = direction == trace::CopyDirection::hostToDevice ? trace::MemoryKind::device : hostMemory;
        e.detail = b.detail(d);
        b.add(copies, trace::EventKind::copy, e);
    }
    void memory(trace::EventKind kind, std::int64_t bytes, std::uint64_t address, std::int64_t at, int device)
    {
        trace::Event e = event("memory", at, at);
        e.value = bytes;
        e.address = address;
        e.detail = b.detail(trace::MemoryDetail{trace::MemoryKind::unknown, device, {}});
        b.add(host, kind, e);
    }
    trace::Trace finish() { return b.finish(false); }

    trace::TraceBuilder b;
    trace::TrackId host, stream, copies;
};

} // namespace apertune::analysis::testing
