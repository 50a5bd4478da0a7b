// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <cstdint>
#include <vector>

namespace apertune::advice {

/// Time of a CPU's operators in which the system ran something else. A call that takes over three times as long as the
/// same call of other iterations does, and half a millisecond longer, was not at work all that time: either its thread
/// or one that it waits for had lost the processor. What is over the median counts as interrupted.
struct Interruptions
{
    std::int64_t time = 0;          ///< ns, of all nodes
    std::int64_t calls = 0;         ///< that were interrupted
    std::vector<std::int64_t> over; ///< ns by node of the forest; empty: none

    std::int64_t of(std::size_t node) const { return node < over.size() ? over[node] : 0; }
};

/// Looks at the nodes [first, end) of one thread, in order of start. The same call is the one of the same name with the
/// same number within its iteration, where every iteration has as many; allocations, which are slow now and then by
/// themselves, and what only wraps other operators are left alone. Nothing is found in fewer than eight iterations.
Interruptions findInterruptions(const analysis::TraceIndex& index, const analysis::OperatorForest& forest,
                                std::int32_t first, std::int32_t end,
                                const std::vector<analysis::Interval>& iterations);

} // namespace apertune::advice
