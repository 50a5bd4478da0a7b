// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/event.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>

namespace apertune::advice {

/// Returns a query, like those of findings, for one event and its details: by kind, track, begin (ns) and name.
/// `traceId` is the trace's id in its workspace; 0 leaves the choice of the trace to the run of the query.
std::string eventQuery(trace::EventKind kind, trace::TrackId track, std::int64_t start, const std::string& name,
                       std::int64_t traceId);

} // namespace apertune::advice
