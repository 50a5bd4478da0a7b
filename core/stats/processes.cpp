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

/// The logarithms of the ratios of the sample pairs of each process.
Processes pairedLogs(const Processes& baseline, const Processes& candidate)
{
    Processes logs(baseline.size());
    for (std::size_t k = 0; k < baseline.size(); ++k)
        for (std::size_t i = 0; i < baseline[k].size(); ++i)
            logs[k].push_back(std::log(baseline[k][i] / candidate[k][i]));
    return logs;
}

std::vector<double> mediansOf(const Processes& processes)
{
    std::vector<double> medians;
    for (const std::vector<double>& samples : processes)
        medians.push_back(median(samples));
    return medians;
}

} // namespace

bool areProcessesAlike(const base::Baseline<Processes>& baseline, const base::Candidate<Processes>& candidate)
{
    constexpr double kLevel = 0.4;
    const std::size_t count = baseline.value.size();
    if (count < 2 || count > 3)
        return false;
    std::vector<double> all;
    double within = 0; // sum of the squared distances to the mean of the process
    for (const std::vector<double>& logs : pairedLogs(baseline.value, candidate.value)) {
        within += momentsOf(logs).squares;
        all.insert(all.end(), logs.begin(), logs.end());
    }
    const double between = momentsOf(all).squares - within;
    if (all.size() < static_cast<std::size_t>(kIntervalSamples) || !std::isfinite(between) || !(within > 0))
        return false;
    const std::size_t freedom = all.size() - count;
    const auto groups = static_cast<double>(count - 1);
    const double f = std::max(0.0, between) / groups / (within / static_cast<double>(freedom));
    // The tail of Fisher's F: for one degree of freedom that of Student's t, for two it has a closed form.
    const double tail =
        count == 2 ? 2 * studentTail(std::sqrt(f), freedom)
                   : std::pow(1 + groups * f / static_cast<double>(freedom), -static_cast<double>(freedom) / 2);
    return tail > kLevel;
}

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
        const Moments x = momentsOf(mediansOf(pairedLogs(baseline.value, candidate.value)));
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
