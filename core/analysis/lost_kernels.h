// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/trace_index.h"

#include <cstdint>

namespace apertune::analysis {

/// Launches of a recording, and how many of them have no kernel in it.
struct LostKernels
{
    std::int64_t launched = 0; ///< launches of kernels and graphs, without those that became parts of a graph
    std::int64_t lost = 0;     ///< number of these launches whose kernel was not recorded
    std::int64_t captured = 0; ///< launches that became parts of a graph: they run when the graph does

    /// Whether more than half of the kernels are missing: the times of such a recording say nothing about the device.
    bool areMost() const { return launched > 0 && 2 * lost > launched; }
};

/// Counts the launches. Where launches and kernels have no number in common, they cannot be joined, and none is lost.
LostKernels lostKernels(const TraceIndex& index);

} // namespace apertune::analysis
