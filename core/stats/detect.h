// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace apertune::stats {

/// These functions detect effects of the machine in samples, which are in the order of measurement. All are pure.

/// A steady change from the first sample to the last.
struct Trend
{
    double change = 0;  ///< Theil–Sen slope × (n − 1) over the median: 0.05 = the last is 5 % above the first
    double p = 1;       ///< two-sided Mann–Kendall test of "no trend", corrected for ties; 1 below 8 samples
    bool found = false; ///< p ≤ 0.01 and |change| > `least`
};
Trend trend(std::span<const double> samples, double least = 0.01);

/// Returns whether the medians of the first and the last third differ by more than `share` and their intervals are
/// disjoint. It detects steps as well as slopes. With fewer than 6 samples per third the result is false.
bool drifted(std::span<const double> samples, double share = 0.02);

/// Result of a test for two modes: two speeds mixed in one sample. One median would describe neither of them.
struct Modes
{
    bool two = false;
    double low = 0, high = 0; ///< centres of the modes
    double lowShare = 0;      ///< share of the samples in the low mode
    double separation = 0; ///< Ashman's D = |Δ|·√2 / √(s₁² + s₂²) of two normals fitted to the logarithms
};

/// Compares a fit of two normals with a fit of one, on the logarithms, by EM (Dempster, Laird & Rubin 1977).
/// The samples have two modes when all of these hold:
///  - There are at least 20 samples, and Ashman's D > 2.
///  - Each mode has at least 15 % of the samples, and the centres are at least the share `least` apart.
///  - The gap between the centres has fewer samples than either mode.
///  - The Bayesian information criterion prefers two normals by 10 or more.
///
/// A heavy upper tail is not a mode.
/// REQUIRES: all samples > 0
Modes modes(std::span<const double> samples, double least = 0.02);

} // namespace apertune::stats
