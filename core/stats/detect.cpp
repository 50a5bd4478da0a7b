// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/detect.h"

#include "core/stats/block_stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace apertune::stats {

namespace {

// The limits that detect.h documents.
constexpr std::size_t kTrendLeast = 8;
constexpr std::size_t kModesLeast = 20;
constexpr double kShareLeast = 0.15;

struct Normal
{
    double share = 0.5;
    double mean = 0;
    double spread = 1;

    double density(double x) const
    {
        const double z = (x - mean) / spread;
        return share * std::exp(-0.5 * z * z) / (spread * std::sqrt(2 * M_PI));
    }
};

double meanOf(std::span<const double> values)
{
    double sum = 0;
    for (const double v : values)
        sum += v;
    return sum / static_cast<double>(values.size());
}

double spreadOf(std::span<const double> values, double mean)
{
    double sum = 0;
    for (const double v : values)
        sum += (v - mean) * (v - mean);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

/// Returns the sum of squared distances from the mean of the first 1, 2, … values (Welford).
template <typename Values>
std::vector<double> runningSpreads(const Values& values)
{
    std::vector<double> spreads;
    double mean = 0, squares = 0, count = 0;
    for (const double v : values) {
        const double off = v - mean;
        mean += off / ++count;
        squares += off * (v - mean);
        spreads.push_back(squares);
    }
    return spreads;
}

/// Returns the split of sorted values with the least spread inside both parts. EM starts there.
std::size_t bestSplit(std::span<const double> sorted)
{
    const std::size_t edge = std::max<std::size_t>(2, sorted.size() / 8);
    const std::vector<double> low = runningSpreads(sorted);
    const std::vector<double> high = runningSpreads(std::vector<double>(sorted.rbegin(), sorted.rend()));
    std::size_t best = sorted.size() / 2;
    double least = INFINITY;
    for (std::size_t cut = edge; cut + edge <= sorted.size(); ++cut) {
        const double inside = low[cut - 1] + high[sorted.size() - cut - 1];
        if (inside < least) {
            least = inside;
            best = cut;
        }
    }
    return best;
}

/// Fits two normals by EM. `floor` is the smallest spread: a mode of equal samples would have an infinite density.
std::array<Normal, 2> fitTwo(std::span<const double> sorted, double floor)
{
    const std::size_t cut = bestSplit(sorted);
    const auto part = [&](std::span<const double> values) {
        const double mean = meanOf(values);
        return Normal{static_cast<double>(values.size()) / static_cast<double>(sorted.size()), mean,
                      std::max(floor, spreadOf(values, mean))};
    };
    std::array<Normal, 2> fit{part(sorted.first(cut)), part(sorted.subspan(cut))};
    // The number of rounds is fixed, so that the cost is known. Modes that are clearly apart settle much earlier.
    for (int round = 0; round < 60; ++round) {
        std::array<double, 2> weight{}, sum{}, square{};
        for (const double x : sorted) {
            const std::array<double, 2> d{fit[0].density(x), fit[1].density(x)};
            const double all = d[0] + d[1];
            for (std::size_t k = 0; k < 2; ++k) {
                const double w = all > 0 ? d[k] / all : 0.5;
                weight[k] += w;
                sum[k] += w * x;
                square[k] += w * x * x;
            }
        }
        for (std::size_t k = 0; k < 2; ++k) {
            // A normal that lost all samples keeps its place, because its mean would be 0 / 0.
            if (weight[k] < 1e-9)
                continue;
            fit[k].share = weight[k] / static_cast<double>(sorted.size());
            fit[k].mean = sum[k] / weight[k];
            fit[k].spread =
                std::max(floor, std::sqrt(std::max(0.0, square[k] / weight[k] - fit[k].mean * fit[k].mean)));
        }
    }
    if (fit[0].mean > fit[1].mean)
        std::swap(fit[0], fit[1]);
    return fit;
}

/// Returns whether the middle third between the centres has fewer than half the samples of a third around either
/// centre.
bool hasGap(std::span<const double> sorted, const Normal& low, const Normal& high)
{
    const double third = (high.mean - low.mean) / 3;
    const auto within = [&](double centre) {
        return std::count_if(sorted.begin(), sorted.end(), [&](double x) { return std::abs(x - centre) < third / 2; });
    };
    return 2 * within((low.mean + high.mean) / 2) < std::min(within(low.mean), within(high.mean));
}

} // namespace

Trend trend(std::span<const double> samples, double least)
{
    const std::size_t n = samples.size();
    if (n < kTrendLeast)
        return {};
    std::vector<double> slopes;
    slopes.reserve(n * (n - 1) / 2);
    double score = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = i + 1; k < n; ++k) {
            const double rise = samples[k] - samples[i];
            slopes.push_back(rise / static_cast<double>(k - i));
            score += (rise > 0) - (rise < 0);
        }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    // The variance of Kendall's score with ties is [n(n − 1)(2n + 5) − Σ t(t − 1)(2t + 5)] / 18.
    const auto term = [](double m) { return m * (m - 1) * (2 * m + 5); };
    double variance = term(static_cast<double>(n));
    for (std::size_t i = 0; i < n;) {
        std::size_t end = i;
        while (end < n && sorted[end] == sorted[i])
            ++end;
        variance -= term(static_cast<double>(end - i));
        i = end;
    }
    Trend result;
    if (!(variance > 0))
        return result;
    const double z = std::max(0.0, std::abs(score) - 1) / std::sqrt(variance / 18);
    result.p = std::erfc(z / std::sqrt(2.0));
    result.change = median(slopes) * static_cast<double>(n - 1) / median(samples);
    result.found = result.p <= 0.01 && std::abs(result.change) > least;
    return result;
}

bool drifted(std::span<const double> samples, double share)
{
    const std::size_t third = samples.size() / 3;
    if (third == 0)
        return false;
    const model::Interval first = medianInterval(samples.first(third));
    const model::Interval last = medianInterval(samples.last(third));
    const bool apart = first.hi < last.lo || last.hi < first.lo;
    return first.confidence > 0 && apart && std::abs(last.value - first.value) > share * first.value;
}

Modes modes(std::span<const double> samples, double least)
{
    const std::size_t n = samples.size();
    if (n < kModesLeast)
        return {};
    std::vector<double> logs;
    for (const double v : samples)
        logs.push_back(std::log(v));
    std::sort(logs.begin(), logs.end());
    if (!std::isfinite(logs.front()) || !std::isfinite(logs.back()))
        return {};
    // The upper tenth is a tail, not a mode. It would stretch one of the two normals over the whole tail.
    const std::span<const double> core = std::span<const double>(logs).first(n - n / 10);
    const double mean = meanOf(core);
    const double spread = spreadOf(core, mean);
    if (!(spread > 0))
        return {};
    const auto [low, high] = fitTwo(core, spread / 50);
    double gain = 0;
    const Normal one{1, mean, spread};
    for (const double x : core)
        gain += std::log(low.density(x) + high.density(x)) - std::log(one.density(x));
    Modes result;
    result.low = std::exp(low.mean);
    result.high = std::exp(high.mean);
    result.lowShare = low.share;
    result.separation = (high.mean - low.mean) * std::sqrt(2 / (low.spread * low.spread + high.spread * high.spread));
    // The penalty is for three parameters: two normals have three more than one.
    const bool preferred = 2 * gain - 3 * std::log(static_cast<double>(core.size())) >= 10;
    result.two = preferred && result.separation > 2 && std::min(low.share, high.share) >= kShareLeast &&
                 result.high >= result.low * (1 + least) && hasGap(core, low, high);
    return result;
}

} // namespace apertune::stats
