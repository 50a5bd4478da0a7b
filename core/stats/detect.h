// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

#include <span>

namespace apertune::stats {

/// What samples in the order of their taking tell about the machine. Pure functions of the samples.

/// A steady change from the first sample to the last.
struct Trend
{
    double change = 0;  ///< Theil–Sen slope × (n − 1) over the median: 0.05 = the last is 5 % above the first
    double p = 1;       ///< Mann–Kendall test of "no trend", two-sided, ties allowed for; 1 below 8 samples
    bool found = false; ///< p ≤ 0.01 and |change| > `least`
};
Trend trend(std::span<const double> samples, double least = 0.01);

/// First third against last third: they differ by more than `share` with disjoint intervals of their medians. Sees a
/// step as well as a slope. Fewer than 6 samples a third: false.
bool drifted(std::span<const double> samples, double share = 0.02);

/// Two ways of running mixed in one sample; one median would describe neither.
struct Modes
{
    bool two = false;
    double low = 0, high = 0; ///< centres
    double lowShare = 0;      ///< of the samples
    double separation = 0; ///< Ashman's D = |Δ|·√2 / √(s₁² + s₂²) of two normals fitted to the logarithms
};

/// Two normals against one, fitted to the logarithms by EM (Dempster, Laird & Rubin 1977). Bimodal when D > 2, each
/// mode holds at least 15 % of the samples, the centres are at least `least` apart, the gap between them is emptier
/// than either mode, and the Bayesian information criterion prefers two by 10 or more. Needs 20 samples. An upper tail,
/// however heavy, is no mode. REQUIRES: samples > 0
Modes modes(std::span<const double> samples, double least = 0.02);

/// Of the times a pass of a measurement's blocks, in ns, as if all its processes were equally fast: what a
/// configuration's fresh processes differ by is no mode. What the flag "bimodal" stands for.
Modes modesOf(const model::Measurement& measurement);

} // namespace apertune::stats
