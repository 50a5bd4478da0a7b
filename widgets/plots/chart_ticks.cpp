// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_ticks.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace apertune::plots {
namespace {

std::vector<double> decadeTicks(AxisRange range, std::span<const double> steps)
{
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.lo)));
    const int last = static_cast<int>(std::ceil(std::log10(range.hi)));
    for (int exponent = first; exponent <= last; ++exponent) {
        for (const double step : steps) {
            const double value = step * std::pow(10.0, exponent);
            // The tolerance keeps a tick at an end of the range in spite of rounding.
            if (value >= range.lo * (1 - 1e-9) && value <= range.hi * (1 + 1e-9))
                ticks.push_back(value);
        }
    }
    return ticks;
}

} // namespace

AxisRange linearRange(double lo, double hi, bool fromZero, double pad)
{
    // Quantities that cannot be negative begin at 0, so that lengths compare.
    if (fromZero && lo >= 0) {
        const double top = hi > 0 ? hi : 1;
        return {0, top * (1 + pad)};
    }
    // A single value still needs a range around it.
    double span = hi - lo;
    if (span <= 0) {
        span = std::max(std::abs(lo) * 0.1, 1e-9);
        lo -= span / 2;
        hi += span / 2;
    }
    return {lo - span * pad, hi + span * pad};
}

AxisRange logRange(double lo, double hi, double pad)
{
    // A narrow range would have no 1-2-5 step inside.
    if (hi <= lo * 1.05)
        return {lo / 1.5, hi * 1.5};
    const double decades = std::log10(hi / lo);
    const double factor = std::pow(10.0, decades * pad);
    return {lo / factor, hi * factor};
}

std::vector<double> linearTicks(AxisRange range, int count)
{
    const double span = range.hi - range.lo;
    if (!(span > 0) || count < 1)
        return {};
    const double raw = span / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    // The first nice step that gives no more ticks than asked for is taken.
    double step = 10 * power;
    for (const double nice : {1.0, 2.0, 2.5, 5.0}) {
        if (nice * power >= raw * (1 - 1e-9)) {
            step = nice * power;
            break;
        }
    }
    std::vector<double> ticks;
    for (double k = std::ceil(range.lo / step - 1e-9); k * step <= range.hi + step * 1e-9; k += 1)
        ticks.push_back(k * step);
    return ticks;
}

std::vector<double> logTicks(AxisRange range, int count)
{
    static constexpr double coarse[] = {1};
    static constexpr double normal[] = {1, 2, 5};
    static constexpr double fine[] = {1, 1.5, 2, 3, 4, 5, 7};
    if (!(range.lo > 0) || !(range.hi > range.lo))
        return {};
    std::vector<double> ticks = decadeTicks(range, normal);
    // Too many ticks are thinned to decades, too few are filled in.
    if (ticks.size() > static_cast<std::size_t>(std::max(count, 3))) {
        ticks = decadeTicks(range, coarse);
    } else if (ticks.size() < 3) {
        std::vector<double> finer = decadeTicks(range, fine);
        // Within less than a decade, linear ticks are the readable ones.
        ticks = finer.size() < 3 ? linearTicks(range, 4) : finer;
    }
    return ticks;
}

} // namespace apertune::plots
