// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

namespace apertune::trace {

/// Adds the events, tracks, details, losses and unknown devices of `more` to `into`, in a few nanoseconds per event.
///  - Equal tracks are joined.
///  - Times are moved from the origin of `more` to that of `into` by CLOCK_MONOTONIC. They stay when either is unknown.
///  - Head, name and cost of `into` are kept.
void append(TraceBuilder& into, Trace more);

} // namespace apertune::trace
