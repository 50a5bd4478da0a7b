// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace apertune::analysis {

/// Durations in short. Percentiles are nearest-rank values and only there where the sample supports them: p50 from 1,
/// p99 from 299 values (the smallest sample whose largest value is an upper bound of p99 with 95 % confidence).
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

/// Reorders `values`. Linear.
Distribution summarize(std::vector<std::int64_t>& values);

/// The value that half of the values do not exceed; 0 of none. Reorders.
std::int64_t median(std::vector<std::int64_t>& values);

} // namespace apertune::analysis
