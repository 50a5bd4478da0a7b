// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <string>

namespace apertune::base {

/// Returns the time of CLOCK_MONOTONIC. All durations are differences of it.
Nanoseconds monotonicNow();

/// Returns the CPU time that all threads of this process have used (CLOCK_PROCESS_CPUTIME_ID).
Nanoseconds processCpuTime();

/// Returns the CPU time that the calling thread has used (CLOCK_THREAD_CPUTIME_ID).
Nanoseconds threadCpuTime();

/// Returns the wall time as "2026-11-21T14:02:11Z". It serves for labels only.
std::string utcNow();

} // namespace apertune::base
