// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <cstdint>
#include <vector>

namespace apertune::advice {

/// Time in which the system ran something else instead of a CPU's thread. A call, or the pause before it, is
/// interrupted when it takes more than three times its median over the iterations, and at least half a millisecond
/// more: its thread, or one that it waits for, had lost the processor. The time above the median counts as interrupted.
struct Interruptions
{
    std::int64_t time = 0;            ///< ns, sum over all calls and pauses
    std::int64_t times = 0;           ///< number of interrupted calls and pauses
    std::vector<std::int64_t> inCall; ///< ns above the median, by node of the forest; empty when there is none
    /// ns of the pause before a node above the median, by node of the forest; empty when there is none.
    std::vector<std::int64_t> beforeCall;

    std::int64_t of(std::size_t node) const { return node < inCall.size() ? inCall[node] : 0; }
    std::int64_t before(std::size_t node) const { return node < beforeCall.size() ? beforeCall[node] : 0; }
};

/// Looks at the nodes [first, end) of one thread, in order of start.
///
/// - Calls are compared when they have the same name and the same position within their iteration, and every iteration
///   has as many of that name.
/// - Allocations and fills are skipped, because they are slow now and then by themselves. Operators that only wrap
///   others are skipped, too: the pauses between those are looked at.
/// - The pause before a call begins where the operator before it ends, or its wrapper begins. That before the first
///   operator of an iteration is not looked at: programs do there what they do now and then.
/// - A call or a pause that is slow in more than a quarter of the iterations is not interrupted: it is like that.
/// - Fewer than eight iterations give no result.
Interruptions findInterruptions(const analysis::TraceIndex& index, const analysis::OperatorForest& forest,
                                std::int32_t first, std::int32_t end, const std::vector<trace::TimeRange>& iterations);

} // namespace apertune::advice
