// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/block_stats.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace apertune::stats {

namespace {

/// 1-based rank of the lower end of the interval, or 0 when no two order statistics enclose the median with that
/// confidence: the largest l with 2·P(Binomial(n, ½) < l) ≤ 1 − confidence.
std::size_t lowerRank(std::size_t n, double confidence)
{
    const double half = (1 - confidence) / 2;
    const double logHalf = static_cast<double>(n) * std::log(0.5);
    double tail = 0;
    // The binomial coefficients of about 1,000 samples exceed the range of a double, so they are kept as logarithms.
    double logChoose = 0;
    std::size_t rank = 0;
    for (std::size_t k = 0; 2 * k < n; ++k) {
        tail += std::exp(logChoose + logHalf);
        if (tail > half)
            break;
        rank = k + 1;
        logChoose += std::log(static_cast<double>(n - k)) - std::log(static_cast<double>(k + 1));
    }
    return rank;
}

} // namespace

double median(std::span<const double> samples)
{
    assert(!samples.empty());
    std::vector<double> copy(samples.begin(), samples.end());
    const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
    std::nth_element(copy.begin(), middle, copy.end());
    if (copy.size() % 2 == 1)
        return *middle;
    // nth_element() left the smaller half in front. Its largest value is the other middle value.
    return (*std::max_element(copy.begin(), middle) + *middle) / 2;
}

model::Interval medianInterval(std::span<const double> samples, double confidence)
{
    assert(!samples.empty());
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    const double value = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    const std::size_t lower = lowerRank(n, confidence);
    if (lower == 0)
        return {value, sorted.front(), sorted.back(), 0};
    return {value, sorted[lower - 1], sorted[n - lower], confidence};
}

std::size_t samplesForPercentile(double p)
{
    return static_cast<std::size_t>(std::ceil(std::log(0.05) / std::log(p)));
}

std::optional<double> percentile(std::span<const double> samples, double p)
{
    if (samples.empty() || p <= 0 || p >= 1)
        return std::nullopt;
    // A low percentile is as far from the middle as its mirror image and needs as many samples.
    const double outer = std::max(p, 1 - p);
    if (outer > 0.5 && samples.size() < samplesForPercentile(outer))
        return std::nullopt;
    std::vector<double> copy(samples.begin(), samples.end());
    const double rank = std::ceil(p * static_cast<double>(copy.size()));
    const auto at = copy.begin() + std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(rank) - 1, 0);
    std::nth_element(copy.begin(), at, copy.end());
    return *at;
}

std::string_view toString(Verdict verdict)
{
    switch (verdict) {
    case Verdict::faster:
        return "faster";
    case Verdict::slower:
        return "slower";
    case Verdict::same:
        return "same";
    case Verdict::cannotTell:
        break;
    }
    return "cannot_tell";
}

Verdict verdictOf(const model::Interval& ratio, double indifference)
{
    if (!(ratio.confidence > 0) || std::isnan(ratio.lo) || std::isnan(ratio.hi))
        return Verdict::cannotTell;
    if (ratio.lo > 1 + indifference)
        return Verdict::faster;
    if (ratio.hi < 1 - indifference)
        return Verdict::slower;
    return ratio.lo >= 1 - indifference && ratio.hi <= 1 + indifference ? Verdict::same : Verdict::cannotTell;
}

bool isSteady(std::span<const double> iterations, std::size_t group, double tolerance)
{
    if (group == 0 || iterations.size() < 2 * group)
        return false;
    const double last = median(iterations.last(group));
    const double before = median(iterations.last(2 * group).first(group));
    return std::abs(last - before) <= tolerance * before;
}

} // namespace apertune::stats
