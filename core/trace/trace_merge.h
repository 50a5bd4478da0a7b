// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

namespace apertune::trace {

/// Adds everything of `more` to `into`: events, tracks (joined where they are the same), details, losses, and devices
/// that are not known yet. Times move from the origin of `more` to that of `into` by their CLOCK_MONOTONIC; where one
/// of the two is unknown they stay as they are. Head, name and cost of `into` are kept. Costs a few nanoseconds an
/// event.
void append(TraceBuilder& into, Trace more);

} // namespace apertune::trace
