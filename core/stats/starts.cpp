// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/starts.h"

#include "core/stats/processes.h"

#include <cmath>

namespace apertune::stats {

std::optional<Starts> startsOf(const model::Measurement& measurement, StartKind kind)
{
    std::vector<double> logs;
    double sum = 0;
    for (const model::Start& start : measurement.conditions.starts)
        if (start.cold == (kind == StartKind::cold) && start.total().count > 0) {
            logs.push_back(std::log(static_cast<double>(start.total().count)));
            sum += logs.back();
        }
    if (logs.empty())
        return std::nullopt;
    const auto k = static_cast<double>(logs.size());
    const double mean = sum / k;
    const double value = std::exp(mean);
    if (logs.size() < 2)
        return Starts{{value, value, value, 0}, logs.size()};
    double squares = 0;
    for (const double log : logs)
        squares += (log - mean) * (log - mean);
    constexpr double kTail = 0.025;
    const double half = studentQuantile(kTail, logs.size() - 1) * std::sqrt(squares / (k * (k - 1)));
    return Starts{{value, std::exp(mean - half), std::exp(mean + half), 1 - 2 * kTail}, logs.size()};
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
