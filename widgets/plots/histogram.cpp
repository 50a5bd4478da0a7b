// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/histogram.h"

#include <algorithm>
#include <cmath>

namespace apertune::plots {
namespace {

double quantile(const std::vector<double>& sorted, double p)
{
    return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1))];
}

std::vector<double> sortedCopy(std::span<const double> values)
{
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

} // namespace

Histogram makeHistogram(std::span<const double> values, int maxBins)
{
    Histogram histogram;
    if (values.empty())
        return histogram;
    const std::vector<double> sorted = sortedCopy(values);
    const double lo = sorted.front();
    const double median = quantile(sorted, 0.5);
    double hi = sorted.back();
    if (sorted.size() >= 100) {
        const double bulk = median + 3 * (quantile(sorted, 0.99) - median);
        hi = std::min(hi, std::max(bulk, median));
    }
    if (hi <= lo)
        hi = lo + std::max(std::abs(lo) * 0.01, 1e-9);
    const double spread = quantile(sorted, 0.75) - quantile(sorted, 0.25);
    const double ideal = 2 * spread / std::cbrt(static_cast<double>(sorted.size()));
    // Half of the values may be equal (a coarse clock), so that the spread is 0.
    const int bins = ideal > 0 ? std::clamp(static_cast<int>(std::ceil((hi - lo) / ideal)), 5, maxBins) : 5;
    histogram.lo = lo;
    histogram.width = (hi - lo) / bins;
    histogram.counts.assign(static_cast<std::size_t>(bins), 0);
    for (const double value : sorted) {
        if (value > hi) {
            ++histogram.beyond;
            continue;
        }
        const auto bin = static_cast<std::size_t>((value - lo) / histogram.width);
        ++histogram.counts[std::min(bin, histogram.counts.size() - 1)];
    }
    return histogram;
}

Ecdf makeEcdf(std::span<const double> values, std::size_t maxPoints)
{
    Ecdf ecdf;
    if (values.empty() || maxPoints < 2)
        return ecdf;
    const std::vector<double> sorted = sortedCopy(values);
    const std::size_t points = std::min(maxPoints, sorted.size());
    for (std::size_t i = 0; i < points; ++i) {
        const std::size_t at = points == 1 ? 0 : i * (sorted.size() - 1) / (points - 1);
        ecdf.x.push_back(sorted[at]);
        ecdf.share.push_back(static_cast<double>(at + 1) / static_cast<double>(sorted.size()));
    }
    return ecdf;
}

} // namespace apertune::plots
