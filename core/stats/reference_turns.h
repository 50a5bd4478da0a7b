// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"

#include <optional>

namespace apertune::stats {

/// These functions express times as multiples of the time of a reference configuration, whose blocks alternated with
/// those of the trial (Block::referenceNs).
///
/// Trials that were measured at different times are compared through the reference: of two ratios to a common
/// comparator, each measured side by side, the quotient is the ratio of the trials, and the variances of their
/// logarithms add up (the adjusted indirect comparison of Bucher, Guyatt, Griffith & Walter, J. Clin. Epidemiol. 50,
/// 1997). A slowdown of the whole machine affects both and cancels.
///
/// The functions are pure and thread-safe.

/// Returns whether all blocks of the trial had turns of a reference next to them.
bool hasReference(const model::Trial& trial);

/// Returns whether all blocks of both trials had turns of the same reference configuration, on equal machines.
bool haveCommonReference(const model::Trial& a, const model::Trial& b);

/// Returns the median over the blocks of pass time / reference time, with its distribution-free interval. Where other
/// programs kept a block waiting, its pass time is the estimate of undisturbed_time.h. With `perSample` the pass time
/// is divided by the batch. Returns nullopt without hasReference().
std::optional<model::Interval> relativeToReference(const model::Trial& trial, bool perSample);

} // namespace apertune::stats
