// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/drift_monitor.h"
#include "core/study/sweep_context.h"

namespace apertune::study {

/// Pairs of a winner and its baseline that a confirmation measures.
enum class Confirm {
    open,     ///< pairs that were never interleaved
    disturbed ///< also pairs with a trial that other programs kept waiting (stats::wasKeptWaiting())
};

/// Confirms the recommendation: measures the best trials again, interleaved, in fresh processes. Blocks the calling
/// thread. A problem becomes a message to the observer, never a failure of the study.
///
/// The trials that are measured again, all on the device of the best one:
///   - the best trial of the first objective, and the baseline that its speed-up refers to;
///   - the best trial of an earlier confirmation, if another one looks better now;
///   - the best trial of each further objective of time, with the baseline of that objective;
///   - up to two finalists of the search (TrialTracker::nominated()), or the runner-up where there is none.
/// If exactly two trials were measured, on one device, these two are measured again, whichever wins. Trials of several
/// machine classes, of which none of the confirmed class may be recommended, are represented by the best one of each
/// class and its baseline.
///
/// Measurement. Every process of the confirmation opens a fresh worker of each trial and measures rounds: one block of
/// each trial, in rotating order (A B C, B C A …), so that a drift of the machine meets all alike. One trial measures
/// at a time. The first pass of a block is not counted, because the other trials replaced the data in the caches. There
/// are several processes, because identical code differs more between processes than between the blocks of one.
///
/// Result. New blocks and passes replace the old ones in tracker and store. They carry the number of their process
/// (model::Block::process) and one number for the whole confirmation (Measurement::confirmation), by which
/// stats::effectBetween pairs them; the trials get the flag "confirmed". Where the goal bounds a percentile, blocks are
/// long enough for that percentile; if there were too few passes all the same, nothing is replaced.
///
/// Starts. Each process measures one start of each trial (model::Conditions::starts). In every other process the
/// model's files are dropped from the page cache before.
///
/// If another trial looks better afterwards, it is confirmed beside the winner and the baseline, up to
/// kMaxConfirmations times in all.
///
/// Time, for opening and measuring:
///   - All confirmations together end within `limit`, whatever the machine does meanwhile: a worker that runs when the
///     time is over is stopped, and the rounds that were complete count. `spare` is the part of `limit` that is left
///     unused, unless two processes of each trial need it. Rounds without which there would be no result may use it,
///     and the grace of the budget (TrialTracker::graceLeft()), too.
///   - One confirmation takes at most limits.confirmMost, or 1.5 times the need of two processes a trial if that is
///     more. Within a budget, further processes follow in the time that is left, as long as the interval of a ratio
///     is too wide to tell trials apart.
///   - ConfirmationPlan decides the number of processes and rounds, by what they cost so far. One process is the least;
///     with fewer rounds than have an interval (stats::kIntervalSamples) nothing is replaced.
///
/// A trial beyond the first two is left out when memory or time does not suffice, before or after the first round, or
/// when one of them fails.
/// Nothing happens when there is no winner or nothing to compare it with, when a device is missing, or when the winner
/// and its baseline were interleaved before and `confirm` is not Confirm::disturbed or they were not disturbed.
///
/// The rounds wait for a quiet machine for a share of `limit` (RunLimits::quietShare), and the reference of the drift
/// monitor measures its reference between them, so that trials of other times can be compared through it.
void confirmWinner(const SweepContext& context, DriftMonitors& monitors, base::Nanoseconds limit,
                   base::Nanoseconds spare = {}, Confirm confirm = Confirm::open);

/// Returns the part of a device's budget that is kept for the confirmation before anything was measured:
/// limits.confirmShare of the budget, at most limits.confirmMost.
base::Nanoseconds confirmationReserve(base::Nanoseconds budget, const worker::RunLimits& limits);

/// Returns the expected time to confirm `arms` trials of a device in `processes` fresh processes each, from the trials
/// that were measured on it; 0 when there are none. `opening` is the least time of a process until it measures.
base::Nanoseconds confirmationTime(const SweepContext& context, const std::string& device, int processes, int arms,
                                   base::Nanoseconds opening);

inline constexpr int kMaxConfirmations = 3; ///< largest number of confirmations of a study

} // namespace apertune::study
