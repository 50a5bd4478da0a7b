// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace apertune::plots {

/// Bins of equal width over the bulk of a sample. Pure functions, tested as data.
struct Histogram
{
    double lo = 0;
    double width = 0; ///< width of one bin; 0 when there is nothing to show
    std::vector<std::size_t> counts;
    std::size_t beyond =
        0; ///< number of values above the last bin, left out so that a few stalls do not squeeze the others
};

/// Makes 5 to `maxBins` bins. Their width follows Freedman and Diaconis: 2·IQR/∛n. The range ends at the largest value.
/// From 100 values on it ends at three times the distance of the 99th percentile from the median, if that is less.
Histogram makeHistogram(std::span<const double> values, int maxBins = 60);

/// The empirical distribution at no more than `maxPoints` points: x ascending, share of values ≤ x.
struct Ecdf
{
    std::vector<double> x;
    std::vector<double> share;
};
Ecdf makeEcdf(std::span<const double> values, std::size_t maxPoints = 400);

} // namespace apertune::plots
