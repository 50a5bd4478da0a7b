// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace apertune::stats::test {

/// Latencies around `median` with relative spread `spread`; neighbours correlate by `rho`. Skewed: a long upper tail.
class SampleSource
{
public:
    explicit SampleSource(std::uint64_t seed) : m_random(seed) {}

    std::vector<double> draw(std::size_t n, double median, double spread, double rho = 0, bool skewed = false)
    {
        std::vector<double> samples;
        double x = normal();
        for (std::size_t i = 0; i < n; ++i) {
            samples.push_back(median * std::exp(spread * (skewed ? std::exp(x) - 1 : x)));
            x = rho * x + std::sqrt(1 - rho * rho) * normal();
        }
        return samples;
    }

private:
    /// Box and Muller, so that every standard library draws the same numbers.
    double normal()
    {
        const double u = (static_cast<double>(m_random() >> 11) + 1) * 0x1p-53;
        const double v = static_cast<double>(m_random() >> 11) * 0x1p-53;
        return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    }
    std::mt19937_64 m_random;
};

} // namespace apertune::stats::test
