// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/event.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace apertune::trace {

/// What happened in one bucket of time on one lane.
struct MipNode
{
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t longest = kNone; ///< index of the longest event that touches the bucket
    std::uint16_t coverage = 0;    ///< busy share, 65535 is all of it; at least 1 where anything ran
    std::uint16_t count = 0;       ///< events that begin in it; stays at 65535
    bool operator==(const MipNode&) const = default;
};

/// Events of a series that do not overlap each other, with their mip: level k holds one node for each bucket of
/// 2^(shift + k) ns, so that a picture reads as many nodes as it has columns, however many events there are.
/// Buckets lie on multiples of their size on the time axis of the trace: panning does not move them.
struct LaneMip
{
    /// Indices into the series in order of start. Empty: the lane is the whole series.
    std::vector<std::uint32_t> events;
    std::size_t size = 0;
    int shift = 0;
    std::int64_t firstBucket = 0; ///< number of the first bucket of level 0; of level k it is firstBucket >> k
    std::vector<std::vector<MipNode>> levels;
    /// Busy ns before every kBusyStep-th event, and after the last one.
    std::vector<std::int64_t> busyBefore;
    std::int64_t lastEnd = 0; ///< ns, where the lane's last event ends

    static constexpr std::size_t kBusyStep = 64;

    std::uint32_t eventAt(std::size_t i) const { return events.empty() ? static_cast<std::uint32_t>(i) : events[i]; }
    /// Position of the first event of the lane that starts at `time` or later; size when there is none.
    std::size_t lowerBound(const EventColumns& columns, std::int64_t time) const;
    /// Position of the first event that ends after `time`.
    std::size_t firstEndingAfter(const EventColumns& columns, std::int64_t time) const;
    /// Busy ns within [begin, end): exact, O(log size).
    std::int64_t busy(const EventColumns& columns, std::int64_t begin, std::int64_t end) const;
    /// Events that touch [begin, end).
    std::size_t count(const EventColumns& columns, std::int64_t begin, std::int64_t end) const;
};

/// The lanes of a series, from the outermost one inwards.
struct SeriesMip
{
    std::vector<LaneMip> lanes;
};

/// Which events a lane takes although they overlap a little.
enum class LaneRule {
    strict,
    /// A device runs one piece of a stream after the other; overlaps of up to a microsecond come from rounded times.
    stream,
};

/// Lane of every event by greedy interval colouring: the first lane that is free takes it. Calls that nest get their
/// depth. More than kMaxLanes share the last one. An empty answer means that one lane takes all.
/// REQUIRES: columns are sorted.
inline constexpr std::size_t kMaxLanes = 512;
std::vector<std::uint16_t> assignLanes(const EventColumns& columns, LaneRule rule);

/// O(n lanes). `perBucket` is how many events a finest bucket holds on average.
SeriesMip buildSeriesMip(const EventColumns& columns, LaneRule rule, std::size_t perBucket = 8);

/// The same for chosen events of one lane, in order of start and not overlapping.
LaneMip buildLaneMip(const EventColumns& columns, std::vector<std::uint32_t> events, std::size_t perBucket = 8);

/// Samples of one bucket. Without samples count is 0 and the former value goes on.
struct SampleNode
{
    float min = 0;
    float max = 0;
    float mean = 0;
    std::uint32_t count = 0;
    bool operator==(const SampleNode&) const = default;
};

/// A counter over time. Values are int64 as in EventColumns::value.
struct CounterMip
{
    int shift = 0;
    std::int64_t firstBucket = 0;
    std::vector<std::vector<SampleNode>> levels;
    float min = 0; ///< of all samples
    float max = 0;
};

/// REQUIRES: start is sorted and as long as value, or value is empty, which means zeros.
CounterMip buildCounterMip(const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& value,
                           std::size_t perBucket = 2);

/// Bytes to keep beside the trace, 2–3 for each event; little-endian on every machine.
std::vector<std::byte> encodeMip(const std::vector<LaneMip>& lanes);
/// Failures: corrupt, for bytes that do not describe a series of `events` events.
base::Result<SeriesMip> decodeMip(std::span<const std::byte> bytes, std::size_t events);

} // namespace apertune::trace
