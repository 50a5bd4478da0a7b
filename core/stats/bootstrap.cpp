// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/bootstrap.h"

#include "core/base/random.h"
#include "core/stats/block_stats.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace apertune::stats {

namespace {

constexpr std::size_t kResamples = 2000;
constexpr std::size_t kFewestSamples = 6; ///< fewer samples allow no 95 % interval of a median either

/// Draws medians of a sample whose neighbours may depend on each other.
class BlockResampler
{
public:
    BlockResampler(std::span<const double> samples, std::uint64_t seed)
        : m_samples(samples),
          m_run(static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(samples.size()))))), m_random(seed)
    {
        m_drawn.reserve(samples.size() + m_run);
    }

    double drawMedian()
    {
        const std::size_t n = m_samples.size();
        m_drawn.clear();
        while (m_drawn.size() < n) {
            // The sample is closed to a ring, so that its ends are drawn as often as its middle.
            std::size_t at = m_random.below(n);
            for (std::size_t i = 0; i < m_run && m_drawn.size() < n; ++i, at = at + 1 == n ? 0 : at + 1)
                m_drawn.push_back(m_samples[at]);
        }
        return median(m_drawn);
    }

    /// Returns the factor that corrects the interval: resampling a ring of n samples in runs of r shows too little
    /// spread.
    double widening() const
    {
        const auto n = static_cast<double>(m_samples.size());
        return n / (n - static_cast<double>(m_run));
    }

private:
    std::span<const double> m_samples;
    std::size_t m_run;
    base::Random m_random;
    std::vector<double> m_drawn;
};

} // namespace

model::Interval ratioOfMedians(base::Baseline<std::span<const double>> baseline,
                               base::Candidate<std::span<const double>> candidate, double confidence)
{
    const std::span<const double> b = baseline.value;
    const std::span<const double> c = candidate.value;
    assert(!b.empty() && !c.empty());
    const double value = median(b) / median(c);
    if (std::min(b.size(), c.size()) < kFewestSamples || !std::isfinite(value) || value <= 0) {
        const auto [bLow, bHigh] = std::minmax_element(b.begin(), b.end());
        const auto [cLow, cHigh] = std::minmax_element(c.begin(), c.end());
        return {value, *bLow / *cHigh, *bHigh / *cLow, 0};
    }

    // Different seeds: equal ones would draw the same places from both and hide the noise.
    BlockResampler baselines(b, 0x5eed0001);
    BlockResampler candidates(c, 0x5eed0002);
    std::vector<double> ratios(kResamples);
    for (double& ratio : ratios)
        ratio = baselines.drawMedian() / candidates.drawMedian();
    std::sort(ratios.begin(), ratios.end());
    const double tail = (1 - confidence) / 2 * static_cast<double>(kResamples);
    const auto low = static_cast<std::size_t>(std::floor(tail));
    const double widen = std::max(baselines.widening(), candidates.widening());
    return {value, value * std::pow(std::min(ratios[low] / value, 1.0), widen),
            value * std::pow(std::max(ratios[kResamples - 1 - low] / value, 1.0), widen), confidence};
}

} // namespace apertune::stats
