// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/iteration_mean.h"

#include "core/stats/processes.h"

#include <algorithm>
#include <cmath>

namespace apertune::analysis {

namespace {
constexpr double kMeanConfidence = 0.95;
} // namespace

void add(Times& sum, const Times& more)
{
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += more[i];
}

Mean meanOf(std::span<const double> values)
{
    Mean mean{0, 0, values.size()};
    for (const double v : values)
        mean.value += v;
    mean.value /= static_cast<double>(std::max<std::size_t>(values.size(), 1));
    if (values.size() < 2)
        return mean;
    double squares = 0;
    for (const double v : values)
        squares += (v - mean.value) * (v - mean.value);
    const auto n = static_cast<double>(values.size());
    // The squared standard error of the mean: the sample variance over n.
    mean.squaredError = squares / (n - 1) / n;
    return mean;
}

model::Interval around(double value, double squaredError, double freedom)
{
    // Student's distribution is wider for fewer degrees of freedom, so rounding down is the safe side.
    const double half =
        std::sqrt(squaredError) *
        stats::studentQuantile((1 - kMeanConfidence) / 2, std::max<std::size_t>(static_cast<std::size_t>(freedom), 1));
    return {value, value - half, value + half, kMeanConfidence};
}

model::Interval intervalOf(const Mean& mean)
{
    if (mean.samples < 2)
        return {mean.value, mean.value, mean.value, 0};
    model::Interval interval = around(mean.value, mean.squaredError, static_cast<double>(mean.samples - 1));
    interval.lo = std::max(interval.lo, std::min(0.0, interval.value));
    return interval;
}

model::Interval changeOf(const Mean& a, const Mean& b)
{
    const double value = b.value - a.value;
    // One value has no spread.
    if (a.samples < 2 || b.samples < 2)
        return {value, value, value, 0};
    const double sum = a.squaredError + b.squaredError;
    if (sum <= 0)
        return {value, value, value, kMeanConfidence};
    // Welch's degrees of freedom, because the two spreads may differ.
    const double freedom = sum * sum /
                           (a.squaredError * a.squaredError / static_cast<double>(a.samples - 1) +
                            b.squaredError * b.squaredError / static_cast<double>(b.samples - 1));
    return around(value, sum, freedom);
}

} // namespace apertune::analysis
