// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"

#include <vector>

namespace apertune::stats {

/// Returns the number of processors that a trial on a CPU computes with; 0 for a trial on another device.
int computingThreads(const model::Trial& trial);

/// Returns the time of a pass in ns as it would be without other programs. It is an estimate.
///
///  - While other programs keep threads waiting, the wall time of a pass shows how the kernel shares the processors. An
///    engine whose threads often sleep gets more of them than one that computes without a pause. The processor time of
///    a pass depends little on other programs, so the estimate is processor time / `threads`.
///  - It assumes that the threads share the work evenly. Where they do not, a pass takes longer, by up to a factor of
///    `threads`.
///  - The wall time is returned where no thread waited for more than 5 % of the block, and for a model that neither
///    computes nor waits for a processor for 80 % of the time. It is also returned where `threads` is 0.
///
/// Pure and thread-safe.
double undisturbedNs(const model::Block& block, int threads);

/// Returns undisturbedNs() of each block of a trial.
std::vector<double> undisturbedTimes(const model::Trial& trial);

/// Returns their median; 0 when the trial has no blocks.
double undisturbedNs(const model::Trial& trial);

/// Returns whether undisturbedNs() of most blocks is an estimate by processor time.
bool isEstimated(const model::Trial& trial);

} // namespace apertune::stats
