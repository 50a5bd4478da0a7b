// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/starts.h"

#include "core/stats/processes.h"

#include <vector>

namespace apertune::stats {

std::optional<Starts> startsOf(const model::Measurement& measurement, StartKind kind)
{
    std::vector<double> times;
    for (const model::Start& start : measurement.conditions.starts)
        if (start.cold == (kind == StartKind::cold) && start.total().count > 0)
            times.push_back(static_cast<double>(start.total().count));
    if (times.empty())
        return std::nullopt;
    return Starts{geometricMean(times), times.size()};
}

std::optional<double> firstAnswerNs(const model::Measurement& measurement)
{
    for (const StartKind kind : {StartKind::cold, StartKind::warm})
        if (const auto starts = startsOf(measurement, kind))
            return starts->ns.value;
    const base::Nanoseconds own = measurement.load + measurement.first;
    return own.count > 0 ? std::optional(static_cast<double>(own.count)) : std::nullopt;
}

} // namespace apertune::stats
