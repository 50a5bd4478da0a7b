// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace apertune::search {

/// Whether a trial may be recommended under a goal. All of these must hold:
///   - The trial is ok and its times are finite and positive.
///   - Its outputs have no NaN, and its quality keeps the goal's bound. A trial of unknown quality is eligible only as
///     its own reference: O0 fp32 with no switch on.
///   - The measured values keep the goal's bounds; a bounded percentile that is not known counts as broken.
///   - Its memory is known, where memory is bounded or is the objective, and so is its energy.
bool isEligible(const model::Trial& trial, const model::Goal& goal);

/// Whether all percentiles that the goal bounds are kept. nullopt: none is known to be broken, but one is unknown
/// because too few passes were timed. A median above a bound breaks it even when the percentile is unknown.
std::optional<bool> keepsPercentiles(const model::Measurement& measurement, const model::Goal& goal);

/// Trials that recommend() chooses from.
enum class Candidates {
    /// Trials with an interval; a single pass recommends nothing. If there was a confirmation, only the trials of the
    /// latest one, which includes the winners of earlier ones: a time taken alone on a quiet machine must not beat
    /// times that were taken interleaved. A confirmation that leaves only the reference eligible is ignored.
    confirmedFirst,
    /// All measured trials, those with an interval first. A confirmation chooses its trials from these.
    measured
};

inline constexpr std::size_t kShortlistMost = 4; ///< most trials on a shortlist
/// The assumed difference between fresh processes of identical code, where too few were measured to know it.
inline constexpr double kBetweenProcesses = 0.05;
inline constexpr double kTie = 0.02; ///< relative difference of medians up to which two trials are tied

/// The best eligible trial of a goal, or nullopt when there is no candidate.
///
/// Choice of the trial:
///   1. The best median of the objective wins; trials with an interval come before those without. Where all eligible
///      trials had turns of one reference, it is the median of the multiples of its time (stats::relativeToReference),
///      estimated without other programs where these kept the trial waiting.
///   2. Among trials that were interleaved with that one (stats::wereInterleaved), the ratio of paired blocks decides.
///   3. Of the trials tied with the winner, the simplest is taken: lower level, fewer switches on, smaller batch, lower
///      ordinal. Tied means: medians at most kTie apart and overlapping intervals; or, for interleaved trials, a ratio
///      of at most 1 + kTie without a verdict "faster".
///
/// Speed-up: stats::effectBetween of block times, per sample (per pass when the objective is latency), against the
/// O0 fp32 trial of the same device. Of several, the engine that was planned first is preferred, then the most
/// threads, then the nearest batch. Without such a trial, or when it is the recommended one, the speed-up is 1 with
/// confidence 0 and `against` is empty. For trials loaded without samples it is the quotient of their intervals.
///
/// When energy is the objective, the speed-up is the ratio of the energies of a sample. Its interval joins the ends of
/// both, which is wider than needed, and its verdict names no winner, because the two took no turns.
///
/// Runner-up: the next best eligible trial; a trial that was interleaved with the recommended one and is not its
/// reference comes first. There is none when memory or energy is the objective.
///
/// Trials of several machine classes (model::Conditions::machine) are never ranked as one. The class of the latest
/// confirmation is the only one that is chosen from and compared with; nothing is recommended while no trial was
/// confirmed.
///
/// Verdicts name a winner only between interleaved trials, because at different times the machine may differ, and only
/// when other programs kept neither of them waiting.
///
/// `noiseFloor` is that of the machine (model::StudySnapshot::noiseFloor()). Verdicts use it. Where the comparison is
/// not over several processes it also widens the interval (root of the sum of squares, in logarithms), because blocks
/// of one process do not show how much identical code differs between processes. A confirmation of one process has a
/// noise floor of at least 5 %.
std::optional<model::Recommendation> recommend(const std::vector<model::Trial>& trials, const model::Goal& goal,
                                               double noiseFloor = 0,
                                               Candidates candidates = Candidates::confirmedFirst);

/// The best measured trial of each machine class with its gain over the reference of the same class. The class of the
/// study's environment comes first, the others follow in planned order. Empty where all trials are of one class.
std::vector<model::Recommendation> bestOfMachines(const std::vector<model::Trial>& trials, const model::Goal& goal,
                                                  double noiseFloor = 0);

/// Fills `recommended`, `shortlist` and `also` from the snapshot's trials, goal and noise floor.
///
/// A trial is recommended when the first objective is no time, or when the trial took turns with another one of the
/// study. A trial that has no rival on its device is recommended once nothing is left to measure. Otherwise there is a
/// shortlist: at most kShortlistMost eligible trials, first the one that a confirmation would measure first, then those
/// whose intervals overlap its own. The next best trial stands on it in any case, unless it is the first one's
/// baseline.
///
/// Trials of several machine classes have the shortlist bestOfMachines(), whatever the objective, unless a trial of the
/// confirmed class may be recommended.
///
/// A confirmation is made for the first objective. For a further objective it counts only where it includes the batch
/// that is best for that objective.
void addRecommendations(model::StudySnapshot& snapshot);

/// The Pareto front: eligible trials that no other trial dominates, sorted by latency. The objectives are those of the
/// goal, or latency and throughput where it has only one. A trial dominates another of its machine class when no median
/// is worse and at least one objective is better with separated intervals. The interval of a memory peak is the peak
/// itself.
std::vector<model::TrialId> paretoFront(const std::vector<model::Trial>& trials, const model::Goal& goal);

/// The Pareto front in groups of trials without a difference found between them, sorted by latency. A trial belongs to
/// a group when its intervals overlap those of the group's first trial, which is of its machine class, in every
/// objective.
std::vector<std::vector<model::TrialId>> paretoGroups(const std::vector<model::Trial>& trials, const model::Goal& goal);

} // namespace apertune::search
