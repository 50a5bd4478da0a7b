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

/// Median with its distribution-free interval from order statistics, l = ⌊(n − z√n)/2⌋, u = ⌈1 + (n + z√n)/2⌉
/// (z = 1.96 for 0.95). With fewer than 6 samples no interval of that confidence exists: the result is the
/// sample's range and its `confidence` is 0. REQUIRES: !samples.empty()
model::Interval medianInterval(std::span<const double> samples, double confidence = 0.95);

/// How many samples a distribution-free 95 % upper bound of percentile p needs: ⌈ln 0.05 / ln p⌉
/// (p90 29, p95 59, p99 299, p99.9 2995).
std::size_t samplesForPercentile(double p);

/// Nearest-rank percentile, or nothing when the sample is too small to support it. p in (0,1).
/// p50 is supported from one sample.
std::optional<double> percentile(std::span<const double> samples, double p);

/// Ratio baseline/candidate of the medians of two independent samples with a percentile-bootstrap interval
/// (2,000 resamples, fixed seed, so that equal input gives equal output). > 1: the candidate is smaller (faster).
/// Blocks are autocorrelated, so consecutive blocks are resampled in runs of ⌈√n⌉ (moving-block bootstrap).
model::Interval ratioOfMedians(base::Baseline<std::span<const double>> baseline,
                               base::Candidate<std::span<const double>> candidate, double confidence = 0.95);

enum class Verdict { faster, slower, same, cannotTell };
std::string_view toString(Verdict verdict); ///< "faster", "slower", "same", "cannot_tell"

/// Names the effect of a ratio (see ratioOfMedians): same when the interval lies inside 1 ± indifference,
/// faster/slower when it lies wholly beyond 1 ± indifference on one side, cannot tell otherwise
/// or when the interval has no confidence.
Verdict verdictOf(const model::Interval& ratio, double indifference = 0.01);

/// Warm-up ends when two successive groups of `group` iterations have medians within `tolerance`.
bool isSteady(std::span<const double> iterations, std::size_t group = 5, double tolerance = 0.02);

/// Fills latency, throughput and percentiles of a measurement from its blocks and iterations, and appends the
/// flags that the samples themselves show: "drift" (first against last third differ by > 2 % with disjoint
/// intervals), "contended" (CPU time of blocks < 0.9 of wall × threads on a CPU is only a hint, so: median
/// block has > 5 involuntary switches a 20 ms), "not_converged" (half-width > `target`).
void summarize(model::Measurement& measurement, int batch, double target = 0.01);

} // namespace apertune::stats
