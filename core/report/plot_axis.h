// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace apertune::report {

/// One axis of a plot. It maps values to positions and chooses the ticks.
class PlotAxis
{
public:
    /// Makes an axis from 0 to a round number at or above `highest`.
    /// REQUIRES: highest ≥ 0.
    static PlotAxis linear(double highest);
    /// Makes a logarithmic axis over [lowest, highest] with room at both ends.
    /// REQUIRES: 0 < lowest ≤ highest.
    static PlotAxis logarithmic(double lowest, double highest);

    /// Returns 0 at the beginning of the axis and 1 at its end. Values outside are clamped.
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
