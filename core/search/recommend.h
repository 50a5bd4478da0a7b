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

/// Which trials may be recommended.
enum class Candidates {
    /// Those with an interval: a single pass recommends nothing. Where trials took turns in a confirmation, those of
    /// the
    /// latest one alone, for it holds the winners of the earlier ones: a number that was taken alone, when the machine
    /// was quiet, must not beat numbers that were taken side by side. A confirmation after which nothing but the
    /// reference is eligible counts for nothing.
    confirmedFirst,
    /// Everything that was measured, those with an interval first: what a confirmation is chosen from.
    measured
};

/// Best of the candidates: by objective median, those with an interval before those without; among trials that took
/// turns with that one (stats::wereInterleaved) by the ratio of their turns. Of the trials that are tied with it the
/// simplest is taken (lower level, fewer switches on, smaller batch, then lower ordinal): those whose medians are at
/// most kTie from it and whose intervals overlap its own, or, where they took turns, whose ratio is no more than kTie
/// and not named.
///
/// Speed-up by stats::compareTrials of the per-sample block times (per pass when the objective is latency)
/// against O0 fp32 of the same device, threads and batch when measured, else the O0 fp32 trial of that device with
/// the nearest threads and batch, both of the engine that was planned first where it was measured, else none (interval
/// with confidence 0 and value 1, no `against`); so also when the recommended trial is that baseline itself. Trials
/// loaded without samples: the quotient of their intervals. The runner-up is the next best by the objective, a
/// candidate that took turns with the recommended trial before any other; none when memory is the objective, which is
/// no measure of time.
///
/// Verdicts name a winner only between trials that took turns: of others nobody knows what the machine did meanwhile.
///
/// `noiseFloor`: of the machine (model::StudySnapshot::noiseFloor()). The verdicts use it, and where each side is of
/// one process the interval is widened by it (root of the sum of squares, of logarithms): what identical code differs
/// by between processes is in no process's blocks. No candidate: nullopt.
inline constexpr double kTie = 0.02;
std::optional<model::Recommendation> recommend(const std::vector<model::Trial>& trials, const model::Goal& goal,
                                               double noiseFloor = 0,
                                               Candidates candidates = Candidates::confirmedFirst);

/// Fills `recommended` and `also` from the snapshot's trials, goal and noise. A confirmation is held for the first
/// objective; for a further one it counts only where it has the batch that looks best in it.
void addRecommendations(model::StudySnapshot& snapshot);

/// Eligible trials not dominated in the goal's objectives; in latency and throughput where it has but one. A trial is
/// dominated only when another is better in one with separated intervals (a memory peak has none: it is its own) and
/// its median is not worse in the others. Sorted by latency.
std::vector<model::TrialId> paretoFront(const std::vector<model::Trial>& trials, const model::Goal& goal);

/// The front with its uncertainty, sorted by latency: trials that cannot be told apart, because their intervals overlap
/// in each of those objectives with those of the group's first, stand in one group.
std::vector<std::vector<model::TrialId>> paretoGroups(const std::vector<model::Trial>& trials, const model::Goal& goal);

} // namespace apertune::search
