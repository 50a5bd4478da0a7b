// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replay.h"
#include "core/trace/trace.h"

namespace apertune::analysis {

/// Returns the trace as it would have been recorded with the times of a simulation.
///  - Only events that begin in `span` are in it, and of the device only work that was simulated.
///  - Work, operators and ranges that took time and take none any more are left out.
///  - Strings, tracks, details, devices and losses are those of the trace; the cost of recording is not known.
/// REQUIRES: `replayed` is a simulation of the trace of `index`.
trace::Trace changedTrace(const TraceIndex& index, const Replayed& replayed, TimeRange span);

} // namespace apertune::analysis
