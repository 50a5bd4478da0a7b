// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/untrusted_events.h"

#include "core/trace/import_options.h"
#include "core/trace/reasons.h"

#include <algorithm>

namespace apertune::trace {

const char* copyName(CopyDirection direction)
{
    switch (direction) {
    case CopyDirection::hostToDevice:
        return "Memcpy HtoD";
    case CopyDirection::deviceToHost:
        return "Memcpy DtoH";
    case CopyDirection::deviceToDevice:
        return "Memcpy DtoD";
    case CopyDirection::hostToHost:
        return "Memcpy HtoH";
    case CopyDirection::peerToPeer:
        return "Memcpy PtoP";
    default:
        return "Memcpy";
    }
}

void UntrustedEvents::add(TrackId track, EventKind kind, std::int64_t start, std::int64_t end, Event event)
{
    if (start < -kLatest || start > kLatest || end > kLatest || end < start) {
        m_builder.addLoss({{}, kind, 1, LossSeverity::warning, base::message<reasons::kImpossibleTimes>()});
        return;
    }
    const bool sized = kind == EventKind::copy || kind == EventKind::memset || kind == EventKind::deviceMemory;
    if (sized && (event.value > kMostBytes || event.value < -kMostBytes)) {
        m_builder.addLoss({{start}, kind, 1, LossSeverity::warning, base::message<reasons::kLargeSizes>()});
        event.value = 0;
    }
    event.start = {start};
    event.duration = {end - start};
    m_latestEnd = std::max(m_latestEnd, end);
    m_builder.add(track, kind, event);
}

} // namespace apertune::trace
