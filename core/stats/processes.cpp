// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/processes.h"

#include "core/stats/block_stats.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace apertune::stats {

namespace {

/// Returns P(|T| ≤ t), by the finite sums for whole degrees of freedom (Abramowitz & Stegun 26.7.3 and 26.7.4).
double studentWithin(double t, std::size_t freedom)
{
    const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
    const double cosine = std::cos(angle);
    const bool odd = freedom % 2 == 1;
    double term = odd ? cosine : 1;
    double sum = freedom > 1 ? term : 0;
    for (std::size_t k = odd ? 3 : 2; k < freedom; k += 2) {
        term *= cosine * cosine * static_cast<double>(k - 1) / static_cast<double>(k);
        sum += term;
    }
    return odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

struct Moments
{
    double n = 0;
    double mean = 0;
    double squares = 0; ///< sum of the squared distances to the mean
};

Moments momentsOf(const std::vector<double>& values)
{
    Moments m;
    m.n = static_cast<double>(values.size());
    for (const double v : values)
        m.mean += v / m.n;
    for (const double v : values)
        m.squares += (v - m.mean) * (v - m.mean);
    return m;
}

std::vector<double> logMedians(const Processes& processes)
{
    std::vector<double> logs;
    for (const std::vector<double>& samples : processes)
        logs.push_back(std::log(median(samples)));
    return logs;
}

std::vector<double> pairedLogs(const Processes& baseline, const Processes& candidate)
{
    std::vector<double> logs;
    for (std::size_t k = 0; k < baseline.size(); ++k) {
        std::vector<double> pairs;
        for (std::size_t i = 0; i < baseline[k].size(); ++i)
            pairs.push_back(std::log(baseline[k][i] / candidate[k][i]));
        logs.push_back(median(pairs));
    }
    return logs;
}

} // namespace

double studentTail(double t, std::size_t freedom)
{
    return (1 - studentWithin(t, freedom)) / 2;
}

double studentQuantile(double tail, std::size_t freedom)
{
    double low = 0;
    // Bisection, because the standard library has no quantile function.
    double high = 1e9;
    for (int i = 0; i < 120; ++i) {
        const double middle = (low + high) / 2;
        (studentTail(middle, freedom) > tail ? low : high) = middle;
    }
    return low;
}

model::Interval ratioOfProcesses(const base::Baseline<Processes>& baseline, const base::Candidate<Processes>& candidate,
                                 Pairing pairing, double confidence)
{
    assert(std::max(baseline.value.size(), candidate.value.size()) > 1);
    double middle = 0;
    double error = 0;
    double freedom = 1;
    if (pairing == Pairing::paired) {
        const Moments x = momentsOf(pairedLogs(baseline.value, candidate.value));
        middle = x.mean;
        freedom = x.n - 1;
        error = std::sqrt(x.squares / freedom / x.n);
    } else {
        const Moments x = momentsOf(logMedians(baseline.value));
        const Moments y = momentsOf(logMedians(candidate.value));
        middle = x.mean - y.mean;
        freedom = x.n + y.n - 2;
        error = std::sqrt((x.squares + y.squares) / freedom * (1 / x.n + 1 / y.n));
    }
    if (!std::isfinite(middle) || !std::isfinite(error))
        return {1, 0, 0, 0};
    const double half = studentQuantile((1 - confidence) / 2, static_cast<std::size_t>(freedom)) * error;
    return {std::exp(middle), std::exp(middle - half), std::exp(middle + half), confidence};
}

model::Interval geometricMean(const std::vector<double>& values)
{
    std::vector<double> logs;
    for (const double value : values)
        logs.push_back(std::log(value));
    const Moments x = momentsOf(logs);
    const double mean = std::exp(x.mean);
    if (values.size() < 2)
        return {mean, mean, mean, 0};
    constexpr double kTail = 0.025;
    const double half = studentQuantile(kTail, values.size() - 1) * std::sqrt(x.squares / (x.n - 1) / x.n);
    return {mean, std::exp(x.mean - half), std::exp(x.mean + half), 1 - 2 * kTail};
}

} // namespace apertune::stats
