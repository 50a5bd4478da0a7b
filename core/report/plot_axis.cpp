// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plot_axis.h"

#include "core/text/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace apertune::report {

namespace {

constexpr int kLinearTicks = 5;
constexpr double kLogRoom = 1.15; ///< factor of free room at each end
constexpr std::size_t kFewTicks = 3;
constexpr std::size_t kManyTicks = 9;

/// Returns the smallest of 1, 2 or 5 times a power of ten that is at least `value`.
double roundUp(double value)
{
    const double decade = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (factor * decade >= value * (1 - 1e-12))
            return factor * decade;
    return 10 * decade;
}

} // namespace

PlotAxis PlotAxis::linear(double highest)
{
    if (!(highest > 0) || !std::isfinite(highest))
        highest = 1;
    const double step = roundUp(highest / kLinearTicks);
    const int steps = static_cast<int>(std::ceil(highest / step * (1 - 1e-12)));
    PlotAxis axis(0, step * steps, false);
    for (int i = 0; i <= steps; ++i)
        axis.addTick(step * i);
    return axis;
}

PlotAxis PlotAxis::logarithmic(double lowest, double highest)
{
    PlotAxis axis(lowest / kLogRoom, highest * kLogRoom, true);
    // The finest grid that is not crowded wins: 1-2-5, or only decades; short spans get more ticks.
    static const std::array<std::vector<double>, 3> kGrids{{{1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1}}};
    for (const std::vector<double>& grid : kGrids) {
        axis.m_ticks.clear();
        for (double decade = std::pow(10, std::floor(std::log10(axis.m_lo))); decade <= axis.m_hi; decade *= 10)
            for (const double factor : grid)
                if (factor * decade >= axis.m_lo && factor * decade <= axis.m_hi)
                    axis.addTick(factor * decade);
        if (axis.m_ticks.size() <= kManyTicks)
            break;
    }
    if (axis.m_ticks.size() < kFewTicks) {
        axis.m_ticks.clear();
        for (const double part : {0.1, 0.5, 0.9})
            axis.addTick(axis.m_lo * std::pow(axis.m_hi / axis.m_lo, part));
    }
    return axis;
}

double PlotAxis::position(double value) const
{
    const double part =
        m_logarithmic ? std::log(std::max(value, m_lo) / m_lo) / std::log(m_hi / m_lo) : (value - m_lo) / (m_hi - m_lo);
    return std::clamp(part, 0.0, 1.0);
}

void PlotAxis::addTick(double value)
{
    const double magnitude = std::abs(value);
    const int digits = magnitude > 0 ? 2 - static_cast<int>(std::floor(std::log10(magnitude))) : 0;
    std::string label = text::formatGrouped(value, std::clamp(digits, 0, 6));
    if (label.find('.') != std::string::npos) {
        label.erase(label.find_last_not_of('0') + 1);
        if (label.ends_with('.'))
            label.pop_back();
    }
    m_ticks.push_back({value, std::move(label)});
}

} // namespace apertune::report
