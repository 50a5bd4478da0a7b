// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"
#include "core/stats/detect.h"

namespace apertune::stats {

/// A block is throttled when its clock is below this share of the fastest clock of its configuration. Clocks of
/// processors that raise them by themselves vary by 1 to 2 % all the time, which the turns of the reference take out.
inline constexpr double kLeastClock = 0.97;

/// Fills latency, throughput and percentiles of a measurement from its blocks and iterations, and sets these flags:
///  - "drift": the first and the last third differ by more than 2 % and their intervals are disjoint (detect.h).
///  - "bimodal": the samples have two modes, 2 % or more apart (detect.h).
///  - "contended": more than a fifth of the blocks were contended, other processes used more than a quarter of all
///    processors, steal was above 1 %, or the median block had more than 5 involuntary switches per 20 ms.
///  - "throttled": more than a fifth of the blocks were throttled, at the time or by comparison with the highest clock
///  seen.
///  - "shared_gpu": another process used the GPU (model::GpuConditions::isShared()).
///  - "not_converged": the half-width of the latency's interval exceeds `target`, or there is no interval.
///
/// Differences between fresh processes of one configuration count neither as drift nor as a mode. Blocks without
/// iterations are ignored in the times. A second call gives the same result.
/// REQUIRES: batch ≥ 1
void summarize(model::Measurement& measurement, int batch, double target = 0.01);

/// Returns whether other programs kept the threads of more than a fifth of the blocks waiting. The flag "contended" is
/// wider: it is also set when other programs were only seen to use the processors.
bool wasKeptWaiting(const model::Measurement& measurement);

/// Returns the modes of the times per pass of a measurement, in ns. summarize() sets the flag "bimodal" from them.
/// Times are scaled first so that all processes are equally fast: a difference between processes is not a mode.
Modes modesOf(const model::Measurement& measurement);

} // namespace apertune::stats
