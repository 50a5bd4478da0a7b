// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/drift_monitor.h"
#include "core/study/sweep_context.h"

namespace apertune::study {

/// Pairs of a winner and its baseline that a confirmation measures.
enum class Confirm {
    open,     ///< those that were never interleaved
    disturbed ///< also those of which other programs kept a trial waiting (stats::wasKeptWaiting())
};

/// Confirms the recommendation: measures the best trials again, interleaved, in fresh processes. Blocks the calling
/// thread. A problem becomes a message to the observer, never a failure of the study.
///
/// Trials that take part, on the device of the best one:
///   - the best trial of the first objective, and the baseline that its speed-up refers to;
///   - the best trial of an earlier confirmation, if another one looks better now;
///   - the best trial of each further objective of time, with its baseline;
///   - up to two finalists of the search (TrialTracker::nominated()), or the runner-up where there is none.
/// If exactly two trials were measured, and on one device, they are the two, whichever wins.
///
/// Of trials of several machine classes, none of which was confirmed, the best one of each class takes part, and their
/// baselines.
///
/// Measurement. All trials of one round are open side by side, each in a fresh worker, and take turns block by block
/// (A B C, B C A …), so that a drift of the machine meets all alike. One measures at a time, and its first pass is not
/// counted, because the other trials replaced its data in the caches. There are several rounds, because identical code
/// differs more between processes than between the blocks of a process.
///
/// Result. New blocks and passes replace the old ones in tracker and store. They carry the number of their process
/// (model::Block::process) and one number for the whole confirmation (Measurement::confirmation), by which
/// stats::compareTrials pairs them; the trials get the flag "confirmed". Where the goal bounds a percentile, blocks are
/// long enough to know it; when they still were not, nothing is replaced.
///
/// Starts. Each process gives one start of each trial (model::Conditions::starts), with the model's files dropped from
/// the page cache in every other one.
///
/// If another trial looks better afterwards, it is confirmed beside the winner and the baseline, up to
/// kMaxConfirmations times in all.
///
/// Time, for opening and measuring:
///   - All confirmations together end within `limit`, whatever the machine does meanwhile: a worker that runs when the
///     time is over is given up, and the rounds that were complete count. `spare` of it is left over, unless two
///     processes a trial need it.
///
///   - One confirmation takes at most limits.confirmMost, or 1.5 times the need of two processes a trial if that is
///     more.
///   - ConfirmationPlan decides the number of processes and rounds, by what they cost so far. One process is the least;
///     with fewer rounds than have an interval (stats::kIntervalSamples) nothing is replaced.
///
/// A trial beyond the first two is left out when memory or time does not suffice, before or after the first round, or
/// when one of them fails.
/// Nothing happens when there is no winner or nothing to compare it with, when a device is missing, or when the winner
/// and its baseline were interleaved before and `confirm` does not ask for them. Disturbed pairs are measured once
/// more.
///
/// The rounds wait for a quiet machine for a share of `limit` (RunLimits::quietShare), and the reference of the drift
/// monitor has a turn between them, so that trials of other times can be compared through it.
void confirmWinner(const SweepContext& context, DriftMonitors& monitors, base::Nanoseconds limit,
                   base::Nanoseconds spare = {}, Confirm confirm = Confirm::open);

/// Part of a device's budget that is kept for the confirmation while nothing was measured: limits.confirmShare of it,
/// at most limits.confirmMost.
base::Nanoseconds confirmationReserve(base::Nanoseconds budget, const worker::RunLimits& limits);

/// Expected time to confirm `arms` trials of a device in `processes` fresh processes each, from the trials that were
/// measured on it; 0 when there are none. `opening` is the least time of a process until it measures.
base::Nanoseconds confirmationTime(const SweepContext& context, const std::string& device, int processes, int arms,
                                   base::Nanoseconds opening);

inline constexpr int kMaxConfirmations = 3;

} // namespace apertune::study
