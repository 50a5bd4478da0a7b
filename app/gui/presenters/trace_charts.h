// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/trace_report.h"
#include "widgets/controls/legend_row.h"
#include "widgets/plots/chart_view.h"

#include <QString>

#include <vector>

namespace apertune::gui {

/// A plot of the report with the meaning of its points, in the colours of the current theme.
struct TraceChart
{
    plots::ChartContent content;
    std::vector<controls::LegendRow::Entry> legend;
    std::vector<QString> toolTips;   ///< index: id of a point
    std::vector<std::int64_t> times; ///< memory: time in the trace, by id of a point
};

/// Bytes in use over time, one line for each place (tensors of a device, memory that its driver reserved, the host),
/// with the peaks of the range. Lines are thinned to what a screen can show; every peak stays.
TraceChart memoryChart(const TraceReport& report, trace::TimeRange shown);

/// Arithmetic rate against arithmetic intensity, both logarithmic. Ceilings are lines; each operator and shape is a
/// point whose size shows its share of time.
///
/// REQUIRES: the ceilings are complete.
TraceChart rooflineChart(const TraceReport& report);

/// The reason why a rate above the ceiling cannot be right.
QString aboveRoofText();

/// "GPU 0, tensors"
QString memoryPlace(const analysis::MemoryUse& use);

} // namespace apertune::gui
