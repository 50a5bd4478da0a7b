// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/flame.h"

#include <string>
#include <vector>

namespace apertune::analysis {

/// The flame trees of two traces as one (Gregg, "Differential flame graphs", 2014). A path that either of them has is a
/// node. Unlike there, its width is the mean of both sides, so that no path vanishes.
struct FlameDifference
{
    /// The means of both sides, in ns of an iteration (of a sample); numbers of calls and longest calls are 0.
    FlameTree tree;
    std::vector<std::string> strings; ///< names, by FlameNode::name
    std::vector<double> timeA;        ///< ns of an iteration (of a sample), by node
    std::vector<double> timeB;
};

/// One side of a differential flame graph.
struct FlameSide
{
    const FlameTree& tree;
    const trace::Trace& trace;
    double iterations = 1; ///< times are divided by it
};

/// Joins two trees by the names on their paths; the numbers of profiler steps do not count. Linear except for sorting.
/// REQUIRES: both have the same weight.
FlameDifference flameDifference(const FlameSide& a, const FlameSide& b);

} // namespace apertune::analysis
