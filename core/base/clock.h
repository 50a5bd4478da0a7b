// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <string>

namespace apertune::base {

/// CLOCK_MONOTONIC. All durations come from it.
Nanoseconds monotonicNow();

/// CPU time used so far by this process, all threads (CLOCK_PROCESS_CPUTIME_ID).
Nanoseconds processCpuTime();

/// Wall time as "2026-11-21T14:02:11Z", only for labels.
std::string utcNow();

} // namespace apertune::base
