// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace apertune::interchange::perfetto {

/// A clock by its number in the recording. Clocks 64 to 127 belong to one sequence of packets, the others to all.
struct ClockId
{
    std::uint32_t clock = 0;
    std::uint32_t sequence = 0;
    auto operator<=>(const ClockId&) const = default;
};

inline constexpr std::uint32_t kRealTimeClock = 1;
inline constexpr std::uint32_t kBootTimeClock = 6;

/// Relates the clocks of a recording by its snapshots, in which several clocks were read at the same instant.
/// Threads: one.
class Clocks
{
public:
    struct Reading
    {
        ClockId clock;
        std::int64_t time = 0; ///< ns
    };

    static ClockId id(std::uint32_t clock, std::uint32_t sequence)
    {
        return {clock, clock >= 64 && clock < 128 ? sequence : 0};
    }

    /// Sets the clock of the trace's times. The default is the time since the machine started.
    void setTraceClock(std::uint32_t clock) { m_traceClock = clock; }
    std::uint32_t traceClock() const { return m_traceClock; }
    void addSnapshot(std::vector<Reading> readings) { m_snapshots.push_back(std::move(readings)); }

    /// Relates the clocks by the snapshots.
    /// REQUIRES: all snapshots were added.
    void relate();
    /// Converts a time to the clock of the trace, by the last snapshot before it, or else by the first one. Returns
    /// nullopt when no snapshot relates the two clocks, or when the result does not fit.
    std::optional<std::int64_t> toTraceTime(ClockId clock, std::int64_t time) const;
    /// Returns the time of another clock at time 0 of the trace; 0 when no snapshot relates the two.
    std::int64_t atZero(ClockId clock) const;

private:
    std::uint32_t m_traceClock = kBootTimeClock;
    std::vector<std::vector<Reading>> m_snapshots;
    /// The difference between the trace's time and a clock's, by clock and time of the snapshot.
    std::map<ClockId, std::map<std::int64_t, std::int64_t>> m_offsets;
};

} // namespace apertune::interchange::perfetto
