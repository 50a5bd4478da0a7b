// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/sweep_context.h"
#include "core/study/trial_runner.h"

namespace apertune::study {

/// Part of the budget that a search leaves to tryFewerThreads(); 0 where that would try nothing.
base::Nanoseconds timeForFewerThreads(const SweepContext& context, const model::Device& device);

/// After a search: measures the best configuration of a CPU with one thread, and with half of the threads. A
/// configuration with a thread on each core is often slowed down most by other programs, and small models may not pay
/// for that many threads at all.
///   - While other programs compute, the best configuration of each further engine follows.
///   - A variant that is about as fast as the best configuration, or faster, is nominated for the confirmation. Beside
///     other programs both are estimates of the time without them (stats::undisturbedNs()): a configuration that these
///     slow down least is robust, which the report says, and need not be the best one when they are done.
///   - Nothing happens where the search space names numbers of threads, where the goal's first objective is no time, or
///     where RunLimits::fewerThreads is off. What does not fit into the budget is not begun.
/// Private to this folder. Blocks the calling thread.
void tryFewerThreads(const SweepContext& context, TrialRunner& runner);

} // namespace apertune::study
