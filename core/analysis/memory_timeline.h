// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace apertune::analysis {

/// One step of the curve of used memory.
struct MemoryPoint
{
    std::int64_t time = 0;
    std::int64_t bytes = 0; ///< bytes in use from this time on
};

/// A holder of memory at the peak.
struct MemoryOwner
{
    std::string name; ///< the innermost operator around the allocation, else the owner in the detail, else ""
    std::int64_t bytes = 0;
    std::int64_t blocks = 0;
};

/// Allocations in one place: a device, or the host (device -1).
///
/// - When the recorder reported the allocator's totals (counters kAllocatedMemory and kReservedMemory), memory from
///   before the recording counts, with the owner "before the recording". The reserved bytes stand for the driver's
///   allocations when those were not recorded.
/// - Otherwise bytes count from the beginning of the recording. Earlier allocations are not in the curve, and the
///   release of an unknown block only counts in `foreignReleases`. Where the driver's allocations show that there were
///   earlier ones, the use is `partial`.
/// - A recording without addresses gives the balance alone, shifted so that it never falls below 0, and no owners.
struct MemoryUse
{
    std::int64_t device = -1;
    trace::EventKind kind =
        trace::EventKind::tensorMemory; ///< tensorMemory: the framework's; deviceMemory: the driver's
    std::vector<MemoryPoint> curve;
    std::int64_t peak = 0;
    std::int64_t peakTime = 0;
    std::vector<MemoryOwner> owners; ///< owners at the peak, largest first
    std::int64_t allocations = 0;
    std::int64_t releases = 0;
    std::int64_t foreignReleases = 0;
    std::int64_t allocatedBytes = 0; ///< Σ over all allocations
    std::int64_t leftOver = 0;       ///< bytes in use at the end
    bool partial = false; ///< tensors that were allocated before the recording are missing in the curve and the peak
};

constexpr TimeRange kAlways{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};

/// Returns the use of every place and kind with any event. O(n log n). Curves cover the whole recording. Peaks, owners
/// and counts cover `window`; memory in use at its beginning counts as well.
std::vector<MemoryUse> memoryTimeline(const TraceIndex& index, const OperatorForest& forest,
                                      TimeRange window = kAlways);

/// Returns the driver's bytes divided by the framework's bytes at the framework's peak on a device. A value of 1.3
/// means that the driver reserved 30 % more than the framework used. Negative when one of them was not recorded, or
/// when the framework's bytes are partial.
double fragmentation(const std::vector<MemoryUse>& uses, std::int64_t device);

/// The allocations in a window.
struct AllocationLoad
{
    std::int64_t count = 0;
    std::int64_t bytes = 0;
    std::int64_t largeCount = 0; ///< allocations of at least kLargeAllocation
    std::int64_t largeBytes = 0;
};
/// The largest mmap threshold of glibc (M_MMAP_THRESHOLD). It maps larger blocks anew each time, and every page faults.
constexpr std::int64_t kLargeAllocation = 32ll << 20;
AllocationLoad allocationLoad(const trace::Trace& trace, trace::EventKind kind, std::int64_t device, TimeRange window);

} // namespace apertune::analysis
