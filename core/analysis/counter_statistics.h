// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace apertune::analysis {

/// What a counter was between two instants, in the unit of its track (or bytes, of memory). A sample holds until the
/// next one; the value that holds at the begin counts as well.
struct CounterStatistics
{
    std::int64_t samples = 0; ///< that fall into the range
    double least = 0;
    double most = 0;
    double mean = 0;  ///< weighted by how long each value holds in the range
    double first = 0; ///< at its begin, or the first sample's
    double last = 0;  ///< at its end
    double growth() const { return last - first; }
};

/// Of samples in order of time, in [begin, end); no values at all are zeros, as everywhere in a trace. `before` is the
/// value ahead of the first sample where it is known, as of running totals. nullopt: no value holds in the range.
/// Linear in the samples of the range.
std::optional<CounterStatistics> counterStatistics(const std::vector<std::int64_t>& start,
                                                   const std::vector<std::int64_t>& value, std::int64_t begin,
                                                   std::int64_t end, std::optional<std::int64_t> before = {});

} // namespace apertune::analysis
