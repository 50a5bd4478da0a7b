// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/measurement.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace apertune::stats {

/// The functions of this header are pure: they depend on their samples alone, and any thread may call them.

/// Returns the sample median: the mean of the two middle values for an even count.
/// REQUIRES: !samples.empty()
double median(std::span<const double> samples);

inline constexpr int kIntervalSamples = 6; ///< fewest samples that allow a 95 % interval

/// Returns the median with its distribution-free interval from order statistics.
///  - The ends are the l-th smallest and the l-th largest sample, for the largest l with
///    2·P(Binomial(n, ½) < l) ≤ 1 − confidence: ranks 10 and 21 for n = 30, ranks 40 and 61 for n = 100.
///    The usual l = ⌊(n − z√n)/2⌋ approximates this.
///  - With fewer than kIntervalSamples samples, the interval is the range of the sample and its `confidence` is 0.
/// REQUIRES: !samples.empty()
model::Interval medianInterval(std::span<const double> samples, double confidence = 0.95);

/// Returns the number of samples that a distribution-free 95 % upper bound of percentile p needs: ⌈ln 0.05 / ln p⌉.
/// Examples: p90 needs 29, p95 needs 59, p99 needs 299, p99.9 needs 2995.
std::size_t samplesForPercentile(double p);

/// Returns the nearest-rank percentile, or nullopt when the sample is too small to support it or p is not in (0, 1).
/// A percentile below p50 needs as many samples as its mirror image. One sample supports p50.
std::optional<double> percentile(std::span<const double> samples, double p);

using Verdict = model::Verdict;
std::string_view toString(Verdict verdict); ///< "faster", "slower", "same", "cannot_tell"

/// Returns the verdict on a ratio (see ratioOfMedians()):
///  - `same`: the interval lies inside 1 ± indifference.
///  - `faster`, `slower`: the whole interval lies above or below 1 ± indifference.
///  - `cannotTell`: all other cases, and an interval without confidence.
Verdict verdictOf(const model::Interval& ratio, double indifference = 0.01);

/// Returns whether warm-up can end: the median of the last `group` iterations differs from the median of the `group`
/// iterations before them by at most the share `tolerance`. Fewer than two groups are not steady.
bool isSteady(std::span<const double> iterations, std::size_t group = 5, double tolerance = 0.02);

} // namespace apertune::stats
