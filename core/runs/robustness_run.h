// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/robustness.h"
#include "core/model/study.h"
#include "core/study/configuration_run.h"
#include "core/study/run_context.h"

#include <stop_token>

namespace apertune::runs {

/// Measures what the leading configuration of a study (StudySnapshot::leading()), its rivals and its variants with
/// fewer threads lose beside a competing program, which computes all the time on half of the processor's cores (at
/// least one).
///
/// Configurations:
///   - the leading trial, its runner-up or the other trials of the shortlist, and its baseline;
///   - the leading configuration with one thread, and with half of the cores, where it has more threads and runs on
///     the CPU.
///
/// Measurement. All configurations are open side by side, each in a fresh worker. A round measures one block of each
/// while the competing program pauses, then one block of each beside it, so that `slowdown` and `gain` come from pairs
/// of blocks of one round (stats::compare). It ends after kRobustnessRounds, or after limits.trialMost once there are
/// stats::kIntervalSamples rounds. Blocks the calling thread; `phase` gets "compile", "load", "warm-up" and "measure".
///
/// Failures: invalidArgument (no trial leads), those of study::requestOf() and study::toError(), cancelled.
base::Result<model::Robustness> measureRobustness(const study::RunContext& context,
                                                  const model::StudySnapshot& snapshot, const study::PhaseSink& phase,
                                                  std::stop_token stop);

inline constexpr int kRobustnessRounds = 20;

} // namespace apertune::runs
