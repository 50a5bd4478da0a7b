// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace apertune::stats {

/// One value of a history, for example the latency of a configuration on one day.
struct HistoryValue
{
    double value = 0;       ///< > 0
    double uncertainty = 0; ///< relative half-width of its 95 % interval; 0: unknown
};

/// A place of a history where its level changes.
struct HistoryStep
{
    std::size_t at = 0;    ///< index of the first value after the step
    model::Interval ratio; ///< level after over level before, with a 95 % interval; > 1: the values became larger
    double p = 1;          ///< two-sided, corrected for all places of the history
};

struct ChangePoints
{
    std::vector<HistoryStep> steps; ///< in the order of the history
    /// The last value, when it lies outside what its predecessors let expect. A single value may be an accident, so it
    /// is no step; a further measurement decides.
    std::optional<HistoryStep> newest;
    double spread = 0; ///< relative standard deviation of the values around the levels; 0: unknown
};

inline constexpr double kStepSignificance = 0.01; ///< chance of a step in a history without one
inline constexpr std::size_t kStepValues = 2;     ///< fewest values on each side of a step

/// Finds the steps of a history. Pure.
///
///  - The logarithms of the values are cut into k segments with the least weighted sum of squares, by dynamic
///    programming (Jackson et al., "An algorithm for optimal partitioning of data on an interval", IEEE Signal
///    Processing Letters 12, 2005). The weight of a value has the variance of its interval and that between runs.
///  - The variance between runs comes from the median of the successive differences, which a few steps do not move
///    (Rousseeuw & Croux, JASA 88, 1993), and is at least that of `noiseFloor`.
///  - A value further than 2.5 standard deviations from the median of its neighbourhood counts as if it were there
///    (Huber, Robust Statistics, 1981), so that a slow run is no step.
///  - The result is the largest k of which every step passes two tests. Student's t of the neighbouring segments, with
///    the spread around all levels, has p ≤ kStepSignificance after Bonferroni's correction for all places (Worsley,
///    JASA 74, 1979). The ratio differs from 1 by more than the larger of `noiseFloor` and 1 %.
///
/// `noiseFloor` is the share by which identical code differs (stats::noiseFloor()); 0: unknown.
/// REQUIRES: every value > 0
ChangePoints findSteps(std::span<const HistoryValue> history, double noiseFloor);

} // namespace apertune::stats
