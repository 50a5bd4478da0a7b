// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <cstdint>
#include <limits>

namespace apertune::trace {

/// Times of a recording beyond ± this are damaged (146 years, in ns). Sums of two of them do not overflow.
inline constexpr std::int64_t kLatest = std::int64_t{1} << 62;

/// Returns the name of a copy as CUPTI's users know it: "Memcpy HtoD"; "Memcpy" for an unknown direction.
const char* copyName(CopyDirection direction);

/// Adds events of another program's file to a builder.
/// - An event that ends before it starts, or beyond kLatest, is dropped and counted as a loss.
/// - A size above kMostBytes becomes 0 and is counted as a loss.
class UntrustedEvents
{
public:
    /// REQUIRES: the builder outlives the object.
    explicit UntrustedEvents(TraceBuilder& builder) : m_builder(builder) {}

    /// Adds an event from `start` to `end`. Its own times are ignored.
    void add(TrackId track, EventKind kind, std::int64_t start, std::int64_t end, Event event);
    /// The latest end of an event so far; INT64_MIN without one.
    std::int64_t latestEnd() const { return m_latestEnd; }

private:
    TraceBuilder& m_builder;
    std::int64_t m_latestEnd = std::numeric_limits<std::int64_t>::min();
};

} // namespace apertune::trace
