// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <optional>
#include <vector>

namespace apertune::search {

/// Whether a finished trial may be recommended under a goal: ok, no NaN, quality and bounds respected on
/// measured values, percentiles that are not known counting as broken. A trial whose quality is unknown is eligible
/// only when it is its own reference (O0 fp32, no switch on). Where memory is bounded or the objective, a trial whose
/// memory could not be read is not eligible.
bool isEligible(const model::Trial& trial, const model::Goal& goal);

/// Whether the percentiles that the goal bounds are kept; nothing when none is known to be broken but one is not known,
/// because too few passes were timed. A median over a bound breaks it, known or not.
std::optional<bool> keepsPercentiles(const model::Measurement& measurement, const model::Goal& goal);

/// Best eligible trial: by objective median, those with an interval before those without; among trials that took turns
/// with that one (stats::tookTurns) by the ratio of their turns. Of the trials that are tied with it the simplest is
/// taken (lower level, fewer switches on, smaller batch, then lower ordinal): those whose medians are at most kTie from
/// it and whose intervals overlap its own, or, where they took turns, whose ratio is no more than kTie and not named.
///
/// Speed-up by stats::compareTrials of the per-sample block times (per pass when the objective is latency)
/// against O0 fp32 of the same device, threads and batch when measured, else the O0 fp32 trial of that device with
/// the nearest threads and batch, both of the engine that was planned first where it was measured, else none (interval
/// with confidence 0 and value 1, no `against`); so also when the recommended trial is that baseline itself. Trials
/// loaded without samples: the quotient of their intervals. The runner-up is the next best by the objective, one that
/// took turns with the recommended trial before one that did not and looks only a little better; none when memory is
/// the objective, which is no measure of time.
///
/// `noiseFloor`: of the machine (model::StudySnapshot::noiseFloor()). The verdicts use it, and where each side is of
/// one process the interval is widened by it (root of the sum of squares, of logarithms): what identical code differs
/// by between processes is in no process's blocks. Nothing eligible: nullopt.
inline constexpr double kTie = 0.02;
std::optional<model::Recommendation> recommend(const std::vector<model::Trial>& trials, const model::Goal& goal,
                                               double noiseFloor = 0);

/// Fills `recommended` and `also` from the snapshot's trials, goal and noise.
void addRecommendations(model::StudySnapshot& snapshot);

/// Eligible trials not dominated in the goal's objectives; in latency and throughput where it has but one. A trial is
/// dominated only when another is better in one with separated intervals (a memory peak has none: it is its own) and
/// its median is not worse in the others. Sorted by latency.
std::vector<model::TrialId> paretoFront(const std::vector<model::Trial>& trials, const model::Goal& goal);

/// The front with its uncertainty, sorted by latency: trials that cannot be told apart, because their intervals overlap
/// in each of those objectives with those of the group's first, stand in one group.
std::vector<std::vector<model::TrialId>> paretoGroups(const std::vector<model::Trial>& trials, const model::Goal& goal);

} // namespace apertune::search
