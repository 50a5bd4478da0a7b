// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/iterations.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace apertune::analysis {

/// Allocations of an iteration.
struct AllocatedAmount
{
    double count = 0;
    double bytes = 0;
};

/// The tensor allocations of a trace's steady iterations in one place.
struct AllocationUse
{
    bool recorded = false;  ///< the recording has allocations of that place
    std::int64_t peak = 0;  ///< most bytes in use at a time of the steady iterations: see MemoryUse
    bool partial = false;   ///< memory from before the recording is missing in the peak
    AllocatedAmount amount; ///< mean of an iteration (of a sample)
    /// The same for each operator: the outermost one around an allocation that is no mere wrapper. The key is empty
    /// outside of operators.
    std::map<std::string, AllocatedAmount> owners;
};

/// Reads the allocations of a device (-1: the host) in the steady iterations, or in the whole recording when it shows
/// none. Amounts are divided by `samples`. O(n log n).
AllocationUse allocationUse(const TraceIndex& index, const OperatorForest& forest, const Iterations& iterations,
                            std::int64_t device, double samples);

/// The allocations of one operator in an iteration on both sides.
struct AllocationChange
{
    std::string owner; ///< empty: outside of operators
    AllocatedAmount a;
    AllocatedAmount b;
};

/// The allocations of two traces.
struct AllocationDifference
{
    AllocationUse a;
    AllocationUse b;
    bool recorded() const { return a.recorded && b.recorded; }
    /// Returns the operators that allocate, sorted by the size of the change of their bytes, then of their counts.
    std::vector<AllocationChange> changes() const;
};

} // namespace apertune::analysis
