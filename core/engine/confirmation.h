// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/device_sweep.h"

namespace apertune::engine {

/// Measures the recommended trial again, together with the runner-up (that of the search's own race where it had one,
/// Ledger::nominated()) and the baseline it is compared with. Each is opened in several fresh workers, one after the
/// other: what identical code differs by between processes is more than what its blocks differ by, and only fresh
/// processes show it. The workers of one round stand side by side and take turns block by block (A B C, B C A …), so
/// that a drift of the machine meets all alike; rounds begin with another trial each. Only one measures at a time; one
/// pass of each turn is not counted, because the others' turns cooled the caches.
///
/// With at least two processes and kMinConfirmBlocks blocks each the new blocks and passes replace the old ones in
/// ledger and store, with their process (model::Block::process) and one number for all that took turns
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
/// Each time about `limit` is for opening and measuring together. So many processes as take 60 % of it to open, three
/// to limits.confirmProcesses; two where opening three takes over 10 s and over one and a half times the limit. What
/// opening leaves is for measuring, a third of the limit at least. A runner-up whose memory or blocks have no room, or
/// that fails, is left out. Does nothing when there is no winner, nothing to compare with, the winner and its baseline
/// took turns already, or the time would not do. What goes wrong is a message, never a failure of the study. `devices`:
/// those of this machine.
void confirmWinner(const SweepContext& context, const std::vector<model::Device>& devices, base::Nanoseconds limit);

inline constexpr std::size_t kMinConfirmBlocks = 10; ///< of a trial, over all its processes
inline constexpr int kMaxConfirmations = 3;

} // namespace apertune::engine
