// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace apertune::plots {

/// The range and the labels of an axis. Pure functions, tested as data.
struct AxisRange
{
    double lo = 0;
    double hi = 1;
};

/// Returns the range of a linear axis over the values, with `pad` of their span free at both ends. With `fromZero` it
/// starts at 0 if no value is below. An empty or single-valued range is widened.
AxisRange linearRange(double lo, double hi, bool fromZero, double pad = 0.06);

/// Returns the range of a logarithmic axis, where `pad` is a share of the span in decades.
/// REQUIRES: lo > 0
AxisRange logRange(double lo, double hi, double pad = 0.06);

/// Returns at most `count` + 1 round values (1, 2, 2.5, 5 times a power of ten) inside the range.
std::vector<double> linearTicks(AxisRange range, int count);

/// Returns ticks at the 1-2-5 steps of each decade inside the range. If these are more than `count`, only whole decades
/// have ticks; if they are fewer than three, the steps are 1-1.5-2-3-5-7.
std::vector<double> logTicks(AxisRange range, int count);

} // namespace apertune::plots
