// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/measurement.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace apertune::stats {

/// Everything here is a pure function of its samples: thread-safe, no clock, no allocation shared.

/// Sample median (mean of the two middle values for an even count). REQUIRES: !samples.empty()
double median(std::span<const double> samples);

inline constexpr int kIntervalSamples = 6; ///< fewer have no interval of 95 %

/// Median with its distribution-free interval from order statistics: the l-th smallest and l-th largest sample for
/// the largest l with 2·P(Binomial(n, ½) < l) ≤ 1 − confidence (n = 30 gives 10 and 21, 100 gives 40 and 61; the
/// usual l = ⌊(n − z√n)/2⌋ is its approximation). With fewer than kIntervalSamples the result
/// is the sample's range and its `confidence` is 0. REQUIRES: !samples.empty()
model::Interval medianInterval(std::span<const double> samples, double confidence = 0.95);

/// How many samples a distribution-free 95 % upper bound of percentile p needs: ⌈ln 0.05 / ln p⌉
/// (p90 29, p95 59, p99 299, p99.9 2995).
std::size_t samplesForPercentile(double p);

/// Nearest-rank percentile, or nothing when the sample is too small to support it. p in (0,1).
/// Percentiles below p50 need as many samples as their mirror image; p50 is supported from one sample.
std::optional<double> percentile(std::span<const double> samples, double p);

/// The bootstrap under compare.h, which is what to call.
/// Ratio baseline/candidate of the medians of two independent samples with a percentile-bootstrap interval
/// (2,000 resamples, fixed seed, so that equal input gives equal output). > 1: the candidate is smaller (faster).
/// Blocks are autocorrelated, so consecutive blocks are resampled in runs of r = ⌈√n⌉ (circular block bootstrap), and
/// the interval is widened on the log scale by n/(n − r), which makes up for the spread that runs hide: in
/// simulations identical code is told apart in at most 6 % of cases when blocks are independent.
/// With fewer than 6 samples on a side, or medians that are not positive, the result is the range of the ratios and
/// its `confidence` is 0. REQUIRES: neither sample is empty.
model::Interval ratioOfMedians(base::Baseline<std::span<const double>> baseline,
                               base::Candidate<std::span<const double>> candidate, double confidence = 0.95);

using Verdict = model::Verdict;
std::string_view toString(Verdict verdict); ///< "faster", "slower", "same", "cannot_tell"

/// Names the effect of a ratio (see ratioOfMedians): same when the interval lies inside 1 ± indifference,
/// faster/slower when it lies wholly beyond 1 ± indifference on one side, cannot tell otherwise
/// or when the interval has no confidence.
Verdict verdictOf(const model::Interval& ratio, double indifference = 0.01);

/// Warm-up ends when two successive groups of `group` iterations have medians within `tolerance`: compares the last
/// `group` iterations with the `group` before them. Fewer than two groups are not steady.
bool isSteady(std::span<const double> iterations, std::size_t group = 5, double tolerance = 0.02);

/// A block below this share of the fastest clock that its configuration had is throttled. Medians that are to be told
/// apart by 1 % allow no more; the clock is measured to 0.1 %.
inline constexpr double kLeastClock = 0.99;

/// Fills latency, throughput and percentiles of a measurement from its blocks and iterations, and appends the
/// flags that the samples themselves show (detect.h): "drift" (first against last third differ by > 2 % with disjoint
/// intervals), "bimodal" (two modes, 2 % or more apart), "contended" (more than a fifth of the blocks taken
/// were, other processes had over a quarter of all processors, over 1 % was stolen, or the median block has > 5
/// involuntary switches a 20 ms), "throttled" (more than a fifth of the blocks taken were, when they were taken or by
/// the clock that came after them), "not_converged" (half-width > `target`, or no interval at all). What fresh
/// processes of one configuration differ by is no drift and no mode. Blocks without iterations are left out. Calling it
/// again gives the same result. REQUIRES: batch ≥ 1
void summarize(model::Measurement& measurement, int batch, double target = 0.01);

} // namespace apertune::stats
