// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"

namespace apertune::stats {

/// The share of a block that a thread may wait for a processor; workers accept a wait up to this as undisturbed.
inline constexpr double kUsualWait = 0.05;

/// Bounds of the time that a block lost because other programs used its processors. They are shares of the block's wall
/// time, in [0, 1]. This header is private to the folder.
struct LostTime
{
    double least = 0;
    double most = 0;
};

/// Estimates the lost time from Block::waited, the longest time that one thread of the block was kept from running.
///  - One thread, or a device other than a CPU: the wait is lost, and up to a quarter more, because a wait costs more
///    than it lasts.
///  - Several threads: at least nothing is lost, when other threads take over the work. At most the waits of all
///    threads are lost, when the threads meet at barriers. A wait of up to 5 % of a block is usual and counts once.
///  - A process that used all processors waited for itself, so nothing is lost.
///
/// Steal time of the hypervisor (Conditions::steal) is added to the upper bound.
LostTime lostTime(const model::Trial& trial, const model::Block& block);

} // namespace apertune::stats
