// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/measurement.h"

#include <span>

namespace apertune::stats {

/// Returns the ratio baseline / candidate of the medians of two independent samples, with a bootstrap interval.
/// A ratio above 1 means that the candidate is smaller (faster). Callers use compare(), which is built on this
/// function.
///
///  - The interval comes from 2,000 resamples with fixed seeds, so equal input gives equal output.
///  - Blocks are autocorrelated, so runs of r = ⌈√n⌉ consecutive blocks are resampled (circular block bootstrap).
///  - Runs hide spread, so the interval is widened on the log scale by n/(n − r). In simulations with independent
///    blocks, identical code is called different in at most 6 % of cases.
///
/// With fewer than 6 samples on a side, or medians that are not positive, the interval is the range of the ratios and
/// its `confidence` is 0.
/// REQUIRES: neither sample is empty.
model::Interval ratioOfMedians(base::Baseline<std::span<const double>> baseline,
                               base::Candidate<std::span<const double>> candidate, double confidence = 0.95);

} // namespace apertune::stats
