// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/distribution.h"

#include <algorithm>
#include <cmath>

namespace apertune::analysis {

namespace {

constexpr std::int64_t kSampleForP99 = 299;

std::int64_t nearestRank(std::vector<std::int64_t>& values, double share)
{
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(values.size()))) - 1;
    const auto at = values.begin() + std::max<std::ptrdiff_t>(0, rank);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

} // namespace

Distribution summarize(std::vector<std::int64_t>& values)
{
    Distribution d;
    if (values.empty())
        return d;
    d.count = static_cast<std::int64_t>(values.size());
    d.shortest = values.front();
    d.longest = values.front();
    for (const std::int64_t v : values) {
        d.total += v;
        d.shortest = std::min(d.shortest, v);
        d.longest = std::max(d.longest, v);
    }
    d.p50 = nearestRank(values, 0.5);
    if (d.count >= kSampleForP99)
        d.p99 = nearestRank(values, 0.99);
    return d;
}

std::int64_t median(std::vector<std::int64_t>& values)
{
    return values.empty() ? 0 : nearestRank(values, 0.5);
}

} // namespace apertune::analysis
