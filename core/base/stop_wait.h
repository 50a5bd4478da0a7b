// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <stop_token>

namespace apertune::base {

/// Waits until `time` has passed or a stop is requested, whichever comes first. A time of 0 or less has passed already.
/// Returns whether a stop was requested.
///
/// Threads: any; the thread that requests the stop ends the wait.
bool waitForStop(const std::stop_token& stop, Nanoseconds time);

} // namespace apertune::base
