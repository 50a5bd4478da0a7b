// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"

namespace apertune::stats {

/// Bounds of the time that a block lost because other programs had its processors, as shares of its wall time in
/// [0, 1]. Private to this folder.
struct LostTime
{
    double least = 0;
    double most = 0;
};

/// From what was recorded with the block: `waited`, the longest that one of its threads was kept from running.
/// - One thread, or a device other than a CPU: that is lost, or up to a quarter more, for a wait costs more than it
///   lasts.
/// - Several threads: perhaps nothing is lost, where others take over the work; perhaps the waits of all of them, one
///   after the other, where they meet at barriers. Up to 5 % of a block are a usual wait and count once.
/// - A process that had all processors waited for itself: nothing is lost.
/// The time that the hypervisor took from the machine (Conditions::stolen) may be lost on top of it.
LostTime lostTime(const model::Trial& trial, const model::Block& block);

} // namespace apertune::stats
