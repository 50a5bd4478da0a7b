// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace apertune::plots {

/// Where the labels of an axis go and how far it reaches. Pure functions, tested as data.
struct AxisRange
{
    double lo = 0;
    double hi = 1;
};

/// A linear axis over the values with `pad` of their span free at the ends; `fromZero` starts at 0 when no value is
/// below. An empty or single-valued range is widened.
AxisRange linearRange(double lo, double hi, bool fromZero, double pad = 0.06);

/// The same on a logarithmic axis, `pad` in shares of the span in decades. REQUIRES: lo > 0
AxisRange logRange(double lo, double hi, double pad = 0.06);

/// At most `count` + 1 round values (1, 2, 2.5, 5 times a power of ten) inside the range.
std::vector<double> linearTicks(AxisRange range, int count);

/// 1-2-5 steps of each decade inside the range; whole decades only when more than `count` would appear; a finer
/// 1-1.5-2-3-5-7 when fewer than three fall inside.
std::vector<double> logTicks(AxisRange range, int count);

} // namespace apertune::plots
