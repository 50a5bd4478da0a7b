// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/drift_monitor.h"
#include "core/study/sweep_context.h"

namespace apertune::study {

/// Measures untried neighbours of the winner in what is left of a budget of wall time after the confirmation, and
/// confirms again where one of them looks better. Blocks the calling thread.
///
///   - Neighbours are the trials of the winner's device that were left out for lack of time, and those that a search
///     gave up and that differ from the winner in one setting. The nearest comes first.
///   - One is begun only where it fits: opening it, compiling or converting it by the times that are known, and a
///     confirmation after it.
///   - Nothing happens without a budget of wall time, without a winner, and in a study that measures every trial.
void useRestOfBudget(const SweepContext& context, DriftMonitors& monitors);

} // namespace apertune::study
