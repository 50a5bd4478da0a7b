// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

namespace apertune::model {

/// Largest usable quotient of an interval's upper and lower end. Beyond it the value is uncertain by more than a factor
/// of two in each direction.
inline constexpr double kWidestRatio = 4;

/// Whether the interval of a positive value is too wide for any conclusion: it says of how few or how disturbed the
/// samples are, not how large the value is. Every form says so in its place; JSON documents keep the numbers.
inline bool isTooWide(const Interval& interval)
{
    return !(interval.value <= 0) && !(interval.hi <= kWidestRatio * interval.lo);
}

} // namespace apertune::model
