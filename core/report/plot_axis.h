// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace apertune::report {

/// One axis of a plot: maps values to positions and says where ticks stand.
class PlotAxis
{
public:
    /// From 0 to a round number at or above `highest`, which is ≥ 0.
    static PlotAxis linear(double highest);
    /// Spans [lowest, highest] with room at both ends. REQUIRES: 0 < lowest ≤ highest
    static PlotAxis logarithmic(double lowest, double highest);

    /// 0 at the axis' beginning, 1 at its end; clamped.
    double position(double value) const;

    struct Tick
    {
        double value = 0;
        std::string label;
    };
    const std::vector<Tick>& ticks() const { return m_ticks; }
    double beginning() const { return m_lo; }
    double end() const { return m_hi; }

private:
    PlotAxis(double lo, double hi, bool logarithmic) : m_lo(lo), m_hi(hi), m_logarithmic(logarithmic) {}
    void addTick(double value);

    double m_lo;
    double m_hi;
    bool m_logarithmic;
    std::vector<Tick> m_ticks;
};

} // namespace apertune::report
