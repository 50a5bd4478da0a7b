// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace apertune::trace {

/// The half-open range [start, end), in nanoseconds after Trace::origin.
struct TimeRange
{
    std::int64_t start = 0;
    std::int64_t end = 0;
    constexpr std::int64_t length() const { return end > start ? end - start : 0; }
    constexpr bool empty() const { return end <= start; }
    constexpr bool contains(std::int64_t time) const { return start <= time && time < end; }
    constexpr auto operator<=>(const TimeRange&) const = default;
};

} // namespace apertune::trace
