// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/event_query.h"

#include "core/advice/trace_queries.h"

#include <string>

namespace apertune::advice {

std::string eventQuery(trace::EventKind kind, trace::TrackId track, std::int64_t start, const std::string& name,
                       std::int64_t traceId)
{
    Rows rows{{kind}, {start, start + 1}};
    rows.track = track.value;
    rows.names = {name};
    return queryOf(rows, traceId);
}

} // namespace apertune::advice
