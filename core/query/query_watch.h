// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace apertune::query {

/// Limits a query: its time, and the bytes of its result and of the state of its functions. Every unbounded loop in a
/// query checks it. Once a limit is reached, it stays reached.
/// Threads: one at a time; any may request the stop.
class QueryWatch
{
public:
    QueryWatch(std::function<base::Nanoseconds()> clock, base::Nanoseconds deadline, std::int64_t maxBytes,
               std::stop_token stop)
        : m_clock(std::move(clock)), m_deadline(deadline), m_maxBytes(maxBytes), m_stop(std::move(stop))
    {
    }

    /// Returns whether the query has to end: it is late, holds too much, or was stopped.
    bool isOver()
    {
        m_late = m_late || m_clock() >= m_deadline;
        return m_late || m_full || m_stop.stop_requested();
    }
    /// isOver() for inner loops: it reads the clock at every 256th call.
    bool isOverThrottled() { return m_late || m_full || (++m_calls % 256 == 0 && isOver()); }
    bool isLate() const { return m_late; }
    /// isOver() without reading the clock.
    bool hasEnded() const { return m_late || m_full || m_stop.stop_requested(); }

    /// Adds bytes to those held. Returns false when they exceed the limit.
    bool hold(std::int64_t bytes)
    {
        m_held += bytes;
        m_full = m_full || m_held > m_maxBytes;
        return !m_full;
    }
    void release(std::int64_t bytes) { m_held -= bytes; }
    bool isFull() const { return m_full; }

private:
    std::function<base::Nanoseconds()> m_clock;
    base::Nanoseconds m_deadline;
    std::int64_t m_maxBytes;
    std::stop_token m_stop;
    std::int64_t m_held = 0;
    std::uint32_t m_calls = 0;
    bool m_late = false;
    bool m_full = false;
};

} // namespace apertune::query
