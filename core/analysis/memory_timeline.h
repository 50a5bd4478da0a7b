// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace apertune::analysis {

/// One step of the curve.
struct MemoryPoint
{
    std::int64_t time = 0;
    std::int64_t bytes = 0; ///< in use from then on
};

/// Who held how much when the most was in use.
struct MemoryOwner
{
    std::string name; ///< the innermost operator around the allocation, else the detail's owner, else ""
    std::int64_t bytes = 0;
    std::int64_t blocks = 0;
};

/// Allocations in one place: a device, or the host (device -1).
///
/// Where the recorder told the allocator's totals (counters kAllocatedMemory and kReservedMemory), what was there
/// before the recording counts, with the owner "before the recording"; the reserved bytes stand for the driver's
/// allocations where those were not recorded. Otherwise bytes count from the beginning of the recording: what was
/// allocated before is not in the curve, and a release of a block whose allocation was not seen is counted in
/// `foreignReleases` only. Of a recording without addresses there is the balance alone, moved so that it never falls
/// below 0, and no owners.
struct MemoryUse
{
    std::int64_t device = -1;
    trace::EventKind kind =
        trace::EventKind::tensorMemory; ///< tensorMemory: the framework's; deviceMemory: the driver's
    std::vector<MemoryPoint> curve;
    std::int64_t peak = 0;
    std::int64_t peakTime = 0;
    std::vector<MemoryOwner> owners; ///< at the peak, largest first
    std::int64_t allocations = 0;
    std::int64_t releases = 0;
    std::int64_t foreignReleases = 0;
    std::int64_t allocatedBytes = 0; ///< Σ over all allocations
    std::int64_t leftOver = 0;       ///< in use at the end
};

constexpr Interval kAlways{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};

/// Every place and kind with any event; n log n. Curves are of the whole recording; peaks, owners and counts of
/// `window`, where what was in use when it began counts as well.
std::vector<MemoryUse> memoryTimeline(const TraceIndex& index, const OperatorForest& forest, Interval window = kAlways);

/// The driver's bytes over the framework's at the instant of the framework's peak on a device: 1.3 means that 30 % of
/// what is reserved lies idle. Negative when one of them was not recorded.
double fragmentation(const std::vector<MemoryUse>& uses, std::int64_t device);

/// Allocations of a window.
struct AllocationLoad
{
    std::int64_t count = 0;
    std::int64_t bytes = 0;
    std::int64_t largeCount = 0; ///< of at least kLargeAllocation
    std::int64_t largeBytes = 0;
};
/// glibc maps blocks of at least this afresh once its threshold has grown as far as it goes: every page of them faults.
constexpr std::int64_t kLargeAllocation = 32ll << 20;
AllocationLoad allocationLoad(const trace::Trace& trace, trace::EventKind kind, std::int64_t device, Interval window);

} // namespace apertune::analysis
