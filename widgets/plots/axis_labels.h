// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_content.h"
#include "widgets/plots/chart_ticks.h"
#include "widgets/theme/format.h"

namespace apertune::plots {

inline std::vector<ChartAxis::Tick> labelled(const std::vector<double>& ticks)
{
    std::vector<ChartAxis::Tick> result;
    result.reserve(ticks.size());
    for (const double tick : ticks)
        result.push_back({tick, theme::tickText(tick)});
    return result;
}

inline ChartAxis linearAxis(const QString& title, AxisRange range, int count, bool grid = true)
{
    return {title, false, range.lo, range.hi, labelled(linearTicks(range, count)), grid};
}

inline ChartAxis logAxis(const QString& title, AxisRange range, int count, bool grid = true)
{
    return {title, true, range.lo, range.hi, labelled(logTicks(range, count)), grid};
}

} // namespace apertune::plots
