// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/trace_sections.h"

#include <cstddef>
#include <string>

namespace apertune::report {

/// Says what recording cost: "An iteration takes 62.1 ± 0.4 ms, while recorded 63.0 ± 0.5 ms: 1.01× [1.00, 1.03] (n =
/// …)".
std::string costText(const trace::RecordingCost& cost);

/// The sections of a report on a trace for people: tables with at most `rows` lines and, when width > 0, at most
/// `width` columns. Empty when the trace has nothing of that kind.
std::string kernelsText(const TraceAnalyses& a, std::size_t rows, int width);
std::string operatorsText(const TraceAnalyses& a, std::size_t rows, int width);
std::string idleText(const TraceAnalyses& a, int width);
std::string transfersText(const TraceAnalyses& a, std::size_t rows, int width);
std::string collectivesText(const TraceAnalyses& a, std::size_t rows, int width);
std::string memoryText(const TraceAnalyses& a, std::size_t rows, int width);
std::string launchesText(const TraceAnalyses& a, int width);
std::string iterationsText(const TraceAnalyses& a, std::size_t rows, int width);
std::string rooflineText(const TraceAnalyses& a, std::size_t rows, int width);

} // namespace apertune::report
