// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

#include <cstddef>
#include <span>
#include <vector>

namespace apertune::analysis {

/// Times of the iterations of a recording, in ns (of a sample, where sides are compared per sample).
using Times = std::vector<double>;

/// Adds `more` to `sum`, iteration by iteration.
/// REQUIRES: both have the same length.
void add(Times& sum, const Times& more);

/// The mean of a sample and the square of its standard error.
struct Mean
{
    double value = 0;
    double squaredError = 0;
    std::size_t samples = 0;
};
Mean meanOf(std::span<const double> values);

/// Returns Student's 95 % interval around a value, with the degrees of freedom rounded down.
model::Interval around(double value, double squaredError, double freedom);

/// Returns the mean of a time with its 95 % interval, which is never below zero. Fewer than two samples have no
/// interval (confidence 0).
model::Interval intervalOf(const Mean& mean);

/// Returns b − a with Welch's 95 % interval ("The generalization of 'Student's' problem", Biometrika 34, 1947).
model::Interval changeOf(const Mean& a, const Mean& b);

} // namespace apertune::analysis
