// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <cstdint>

namespace apertune::advice::testing {

/// Operators and functions of one thread; times in µs.
class HostTrace
{
public:
    void op(const char* name, std::int64_t from, std::int64_t to)
    {
        add(trace::EventKind::operatorCall, name, from, to);
    }
    void function(const char* name, std::int64_t from, std::int64_t to)
    {
        add(trace::EventKind::scriptCall, name, from, to);
    }
    trace::Trace finish() { return m_builder.finish(); }

private:
    void add(trace::EventKind kind, const char* name, std::int64_t from, std::int64_t to)
    {
        trace::Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = m_builder.intern(name);
        m_builder.add(m_host, kind, e);
    }

    trace::TraceBuilder m_builder;
    trace::TrackId m_host = m_builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
};

} // namespace apertune::advice::testing
