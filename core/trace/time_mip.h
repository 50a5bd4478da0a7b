// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/event.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace apertune::trace {

/// The summary of one lane in one bucket of time.
struct MipNode
{
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t longest = kNone; ///< index of the longest event that overlaps the bucket
    std::uint16_t coverage = 0;    ///< busy share, 65535 for all of it; at least 1 when anything ran
    std::uint16_t count = 0;       ///< events that begin in the bucket, at most 65535
    bool operator==(const MipNode&) const = default;
};

/// Events of a series that do not overlap each other, with their mip. Level k holds one node for each bucket of
/// 2^(shift + k) ns, so a drawing reads as many nodes as it has columns, however many events there are. Buckets lie at
/// multiples of their size on the time axis of the trace, so panning does not move them.
struct LaneMip
{
    /// Indices into the series, sorted by start. Empty: the lane holds the whole series.
    std::vector<std::uint32_t> events;
    std::size_t size = 0;
    int shift = 0;
    std::int64_t firstBucket = 0; ///< number of the first bucket of level 0; for level k it is firstBucket >> k
    std::vector<std::vector<MipNode>> levels;
    /// Busy ns before every kBusyStep-th event, and after the last event.
    std::vector<std::int64_t> busyBefore;
    std::int64_t lastEnd = 0; ///< end of the lane's last event in ns

    static constexpr std::size_t kBusyStep = 64;

    std::uint32_t eventAt(std::size_t i) const { return events.empty() ? static_cast<std::uint32_t>(i) : events[i]; }
    /// Returns the position of the first event that starts at `time` or later; size when there is none.
    std::size_t lowerBound(const EventColumns& columns, std::int64_t time) const;
    /// Returns the position of the first event that ends after `time`; size when there is none.
    std::size_t firstEndingAfter(const EventColumns& columns, std::int64_t time) const;
    /// Returns the exact busy ns within [begin, end) in O(log size).
    std::int64_t busy(const EventColumns& columns, std::int64_t begin, std::int64_t end) const;
    /// Returns the number of events that overlap [begin, end).
    std::size_t count(const EventColumns& columns, std::int64_t begin, std::int64_t end) const;
};

/// The lanes of a series, from the outermost one inwards.
struct SeriesMip
{
    std::vector<LaneMip> lanes;
};

/// The overlap that a lane tolerates between its events.
enum class LaneRule {
    strict,
    /// A device runs the work of a stream one after the other. Overlaps of up to a microsecond come from rounded times.
    stream,
};

/// Assigns a lane to every event by greedy interval colouring: the first free lane takes it. So nested calls get their
/// depth as lane. Lanes above kMaxLanes are merged into the last one. An empty result means that one lane takes all
/// events.
/// REQUIRES: columns are sorted.
inline constexpr std::size_t kMaxLanes = 512;
std::vector<std::uint16_t> assignLanes(const EventColumns& columns, LaneRule rule);

/// Builds the mip of a series in O(n · lanes). `perBucket` is the mean number of events in a bucket of the finest
/// level.
SeriesMip buildSeriesMip(const EventColumns& columns, LaneRule rule, std::size_t perBucket = 8);

/// Builds the mip of chosen events of one lane.
/// REQUIRES: `events` is sorted by start, and its events do not overlap.
LaneMip buildLaneMip(const EventColumns& columns, std::vector<std::uint32_t> events, std::size_t perBucket = 8);

/// The samples of one bucket. When count is 0, the value before the bucket still holds.
struct SampleNode
{
    float min = 0;
    float max = 0;
    float mean = 0;
    std::uint32_t count = 0;
    bool operator==(const SampleNode&) const = default;
};

/// The mip of a counter. Values are int64 as in EventColumns::value.
struct CounterMip
{
    int shift = 0;
    std::int64_t firstBucket = 0;
    std::vector<std::vector<SampleNode>> levels;
    float min = 0; ///< over all samples
    float max = 0;
};

/// Builds the mip of a counter.
/// REQUIRES: start is sorted, and value is as long as start or empty (all zeros).
CounterMip buildCounterMip(const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& value,
                           std::size_t perBucket = 2);

} // namespace apertune::trace
