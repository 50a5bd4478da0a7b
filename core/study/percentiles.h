// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/sweep_context.h"

namespace apertune::study {

/// Where the goal bounds a percentile of latency, a trial wins only when so many of its passes were timed as the
/// percentile needs (stats::samplesForPercentile), which the median never asks for. So before the confirmation the best
/// trial by everything else is opened once more and its single passes are timed until there are enough; when it breaks
/// the bound, or there are not enough within kPercentileTime, the next best follows, at most kMostAsked of them. The
/// new blocks and passes replace the trial's, so that its median and percentiles are of one time, unless they are
/// fewer. Does nothing where no percentile is bounded or the best is known to keep all. What goes wrong is a message,
/// never a failure of the study.
void settlePercentiles(const SweepContext& context);

inline constexpr base::Nanoseconds kPercentileTime{60'000'000'000}; ///< of a trial
inline constexpr int kMostAsked = 5;

} // namespace apertune::study
