// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace apertune::trace {

/// The half-open range [begin, end), in ns after the trace's origin.
struct TimeRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t length() const { return end - begin; }
    bool empty() const { return end <= begin; }
    bool operator==(const TimeRange&) const = default;
};

} // namespace apertune::trace
