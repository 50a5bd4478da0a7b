// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace apertune::analysis {

/// Statistics of a counter in a range, in the unit of its track (bytes for memory). A sample holds until the next one.
/// The value that holds at the beginning of the range counts as well.
struct CounterStatistics
{
    std::int64_t samples = 0; ///< samples in the range
    double least = 0;
    double most = 0;
    double mean = 0;  ///< weighted by how long each value holds in the range
    double first = 0; ///< at the beginning of the range, or the first sample in it
    double last = 0;  ///< at the end of the range
    double growth() const { return last - first; }
};

/// Computes the statistics of samples, sorted by time, in [begin, end). An empty `value` stands for zeros, as
/// everywhere in a trace. `before` is the value ahead of the first sample, if it is known (as for running totals).
/// Linear in the samples of the range. Returns nullopt when no value holds in the range.
std::optional<CounterStatistics> counterStatistics(const std::vector<std::int64_t>& start,
                                                   const std::vector<std::int64_t>& value, std::int64_t begin,
                                                   std::int64_t end, std::optional<std::int64_t> before = {});

} // namespace apertune::analysis
