// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace apertune::analysis {

/// A summary of durations in ns. Percentiles are nearest-rank values. They exist only when the sample supports them:
/// p50 from 1 value on, p99 from 299 values on (the smallest sample whose largest value is an upper bound of p99 with
/// 95 % confidence).
struct Distribution
{
    std::int64_t count = 0;
    std::int64_t total = 0;
    std::int64_t shortest = 0;
    std::int64_t longest = 0;
    std::optional<std::int64_t> p50;
    std::optional<std::int64_t> p99;
    double mean() const { return count > 0 ? static_cast<double>(total) / static_cast<double>(count) : 0; }
};

/// Summarizes `values` in linear time, and reorders them.
Distribution summarize(std::vector<std::int64_t>& values);

/// Returns the median, which is the value at position size / 2 of the sorted values; 0 without values. Reorders them.
std::int64_t median(std::vector<std::int64_t>& values);

} // namespace apertune::analysis
