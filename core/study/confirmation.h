// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/sweep_context.h"

namespace apertune::study {

/// Measures the recommended trial again, together with the runner-up (that of the search's own race where it had one,
/// Ledger::nominated()) and the baseline it is compared with. Each is opened in several fresh workers, one after the
/// other: what identical code differs by between processes is more than what its blocks differ by, and only fresh
/// processes show it. The workers of one round stand side by side and take turns block by block (A B C, B C A …), so
/// that a drift of the machine meets all alike; rounds begin with another trial each. Only one measures at a time; one
/// pass of each turn is not counted, because the others' turns cooled the caches.
///
/// With at least two processes and kMinConfirmBlocks blocks each the new blocks and passes replace the old ones in
/// trial tracker and store, with their process (model::Block::process) and one number for all that took turns
/// (Measurement::confirmation), which stats::compareTrials pairs by; the trials get the flag "confirmed". Where the
/// goal bounds a percentile, blocks last long enough that their passes tell it; if they do not, nothing is replaced.
///
/// What is best in the goal's further objectives, where these are of time, takes turns too, with its own baseline.
///
/// A study in which no more than two trials were measured is a comparison of these: they are the two, whichever wins.
///
/// A number that a second look lowers can lose to another trial: then that one takes turns with the confirmed winner
/// and the baseline, until what looks best is a confirmed one, at most kMaxConfirmations times.
///
/// All confirmations together take about `limit` at most, for opening and measuring: each what is left, but no more
/// than limits.confirmMost where that is half as much again as two processes of each need. Three processes or more
/// (limits.confirmProcesses at most) where 60 % of the time open them, else two; what opening leaves is for measuring.
/// A runner-up is left out where its memory or the time do not allow it, or where it fails. Does nothing when there is
/// no winner, nothing to compare with, when one of the trials ran on a device that this machine lacks, or the winner
/// and its baseline took turns already; a message says so where the time does not do. What goes wrong is a message,
/// never a failure of the study.
///
/// `spare`: what of the limit is left over, unless the least confirmation needs it.
void confirmWinner(const SweepContext& context, base::Nanoseconds limit, base::Nanoseconds spare = {});

/// What is kept for it of a budget before anything is known: limits.confirmShare, limits.confirmMost at most.
base::Nanoseconds confirmationReserve(base::Nanoseconds budget, const worker::RunLimits& limits);

/// What confirming `sides` trials of a device in so many fresh processes each takes about, judged by those that were
/// measured on it; 0 when none was. `opening`: what a process was seen to take until it measures, at least.
base::Nanoseconds confirmationTime(const SweepContext& context, const std::string& device, int processes, int arms,
                                   base::Nanoseconds opening);

inline constexpr std::size_t kMinConfirmBlocks = 10; ///< of a trial, over all its processes
inline constexpr int kMaxConfirmations = 3;

} // namespace apertune::study
