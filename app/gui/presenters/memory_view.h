// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/memory_forecast.h"
#include "widgets/plots/chart_content.h"

#include <QString>

#include <cstddef>

namespace apertune::gui {

/// Estimated memory as a plot over the batch: the estimate with its range, measured peaks, and the memory that may be
/// used. Points are hit by the number of their batch in MemoryForecast::points.
struct MemoryView
{
    plots::ChartContent chart;
    QString name;        ///< "libtorch fp32", with the device where forecasts have several
    QString remarks;     ///< sentences about basis and error of the estimate, and the batches that fit
    QString description; ///< the figures, for screen readers
};

MemoryView makeMemoryView(const study::MemoryForecast& forecast, bool withDevice);

/// The parts of the estimate at a batch and the measured peak, for a tool tip.
QString memoryToolTip(const study::MemoryForecast::Point& point);

} // namespace apertune::gui
