// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/sweep_context.h"

namespace apertune::study {

/// Times single passes of the best trials until the percentiles that the goal bounds are known. A percentile needs more
/// passes than a median (stats::samplesForPercentile), and a trial of unknown percentile cannot win. Runs after the
/// sweep and before the confirmation; blocks the calling thread.
///
///   - The best trial by all other criteria is opened and timed once more, for at most kPercentileTime.
///   - If it breaks the bound or has too few passes, the next best follows, up to kMostTimed trials.
///   - All together take what the budget has left beside the confirmation, or a tenth of the budget if that is more.
///   - The new blocks and passes replace the trial's, unless they are fewer, so that its median and its percentiles are
///     from the same measurement.
///
/// Does nothing where no percentile is bounded, or where the best trial is known to keep all bounds. A problem becomes
/// a message to the observer, never a failure of the study.
void settlePercentiles(const SweepContext& context);

inline constexpr base::Nanoseconds kPercentileTime{60'000'000'000}; ///< longest time to measure one trial
inline constexpr int kMostTimed = 5;                                ///< most trials to measure

} // namespace apertune::study
