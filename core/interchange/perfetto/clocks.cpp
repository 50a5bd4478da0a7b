// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/perfetto/clocks.h"

#include <iterator>

namespace apertune::interchange::perfetto {

void Clocks::relate()
{
    // A snapshot that lacks the clock of the trace is related by a clock that another snapshot has related.
    constexpr int kPasses = 3;
    std::vector<bool> done(m_snapshots.size());
    for (int pass = 0; pass < kPasses; ++pass)
        for (std::size_t i = 0; i < m_snapshots.size(); ++i) {
            std::optional<std::int64_t> now;
            for (const Reading& reading : m_snapshots[i])
                if (!now && !done[i])
                    now = toTraceTime(reading.clock, reading.time);
            if (!now)
                continue;
            done[i] = true;
            for (const Reading& reading : m_snapshots[i])
                // The readings of a damaged file may be any numbers.
                if (std::int64_t offset = 0; !__builtin_sub_overflow(*now, reading.time, &offset))
                    m_offsets[reading.clock].try_emplace(reading.time, offset);
        }
}

std::optional<std::int64_t> Clocks::toTraceTime(ClockId clock, std::int64_t time) const
{
    if (clock.clock == m_traceClock)
        return time;
    const auto known = m_offsets.find(clock);
    if (known == m_offsets.end())
        return std::nullopt;
    auto at = known->second.upper_bound(time);
    if (at != known->second.begin())
        --at;
    std::int64_t converted = 0;
    return __builtin_add_overflow(time, at->second, &converted) ? std::nullopt : std::optional(converted);
}

std::int64_t Clocks::atZero(ClockId clock) const
{
    const auto known = m_offsets.find(clock);
    return known == m_offsets.end() ? 0 : -known->second.begin()->second;
}

} // namespace apertune::interchange::perfetto
