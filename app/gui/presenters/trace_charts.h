// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/trace_report.h"
#include "widgets/controls/legend_row.h"
#include "widgets/plots/chart_view.h"

#include <QString>

#include <vector>

namespace apertune::gui {

/// A plot of the report with what its points mean; colours are of the theme in use.
struct TraceChart
{
    plots::ChartContent content;
    std::vector<controls::LegendRow::Entry> legend;
    std::vector<QString> toolTips;   ///< by id of a point
    std::vector<std::int64_t> times; ///< memory: by id, where in the trace
};

/// Bytes in use over time, a line for each place (tensors of a device, what its driver reserved, the host), with the
/// peaks of the range. Lines are thinned to what a screen shows; no peak gets lost.
TraceChart memoryChart(const TraceReport& report, trace::TimeRange shown);

/// Arithmetic rate over intensity, both logarithmic: the ceilings as lines, a point for each operator and shape, as
/// large as its share of time. REQUIRES: the ceilings are complete
TraceChart rooflineChart(const TraceReport& report);

/// Why a rate above the ceiling is not to be believed.
QString aboveRoofText();

/// "GPU 0, tensors"
QString memoryPlace(const analysis::MemoryUse& use);

} // namespace apertune::gui
