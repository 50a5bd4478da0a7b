// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/time_ranges.h"

#include <cstdint>
#include <vector>

namespace apertune::analysis {

/// A monotone map of recorded time to changed time: each instant passes at the product of the factors of the parts that
/// contain it. Factor 0 removes the time of a part.
/// Thread rule: immutable after construction.
class TimeScale
{
public:
    struct Part
    {
        TimeRange time;
        double factor = 1; ///< changed time over recorded time; not negative
    };
    TimeScale() = default;
    explicit TimeScale(const std::vector<Part>& parts);

    /// Returns the changed time of a recorded one. The time before the first part does not change.
    std::int64_t operator()(std::int64_t time) const;
    /// Returns the changed length of a recorded interval.
    std::int64_t length(TimeRange time) const { return (*this)(time.end) - (*this)(time.start); }
    bool changesNothing() const { return m_points.empty(); }

private:
    struct Point
    {
        std::int64_t recorded = 0;
        double changed = 0;
        double factor = 1; ///< valid up to the next point
    };
    std::vector<Point> m_points; ///< sorted by time
};

} // namespace apertune::analysis
