// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/device_sweep.h"

namespace apertune::engine {

/// Measures the recommended trial and the one it is compared with again, in two live workers that take turns block by
/// block (A B B A …), so that a drift of the machine meets both alike. Only one measures at a time; one pass of each
/// turn is not counted, because the other's turn cooled the caches. With at least kMinConfirmBlocks blocks each the new
/// blocks replace the old ones in ledger and store, and both trials get the flag "confirmed".
///
/// A study in which no more than two trials were measured is a comparison of these: they are the two, whichever wins.
///
/// A number that a second look lowers can lose to another trial: then that one is the winner and is measured again, for
/// as long, until the winner is a confirmed one, at most kMaxConfirmations times.
///
/// Each takes at most `limit`, start-up not counted. Does nothing when there is no winner, no other trial to compare
/// with, both are confirmed already, or the time would not do. What goes wrong is a message, never a failure of the
/// study. `devices`: those of this machine.
void confirmWinner(const SweepContext& context, const std::vector<model::Device>& devices, base::Nanoseconds limit);

inline constexpr std::size_t kMinConfirmBlocks = 10;
inline constexpr int kMaxConfirmations = 3;

} // namespace apertune::engine
