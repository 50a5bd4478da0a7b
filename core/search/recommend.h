// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <optional>
#include <vector>

namespace apertune::search {

/// Whether a finished trial may be recommended under a goal: ok, no NaN, quality and bounds respected on
/// measured values. A trial whose quality is unknown is eligible only when it is its own reference (O0 fp32).
bool isEligible(const model::Trial& trial, const model::Goal& goal);

/// Best eligible trial: by objective median; among trials whose intervals overlap the best one's, the simpler one
/// (lower level, fewer switches on, smaller batch, then lower ordinal) is preferred. Speed-up by
/// stats::ratioOfMedians of the per-sample block times against O0 fp32 of the same device, threads and batch when
/// measured, else the O0 fp32 trial with the nearest batch, else none (interval with confidence 0 and value 1).
/// Nothing eligible: nullopt.
std::optional<model::Recommendation> recommend(const std::vector<model::Trial>& trials, const model::Goal& goal);

/// Trials not dominated in (latency, throughput): a trial is dominated only when another is better in one and
/// not worse in the other with separated intervals. Sorted by latency.
std::vector<model::TrialId> paretoFront(const std::vector<model::Trial>& trials, const model::Goal& goal);

} // namespace apertune::search
