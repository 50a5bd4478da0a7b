// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/time_mip.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace apertune::trace {
namespace {

constexpr std::size_t kTopNodes =
    64; ///< the coarsest level has at most this many nodes, fewer than a drawing has columns
constexpr std::int64_t kFull = 65535;

int shiftFor(std::int64_t span, std::size_t buckets)
{
    int shift = 0;
    // Buckets are powers of two, so that levels halve them.
    while ((span >> shift) > static_cast<std::int64_t>(std::max<std::size_t>(buckets, kTopNodes)))
        ++shift;
    return shift;
}

std::uint16_t toCoverage(std::int64_t busy, int shift)
{
    if (busy <= 0)
        return 0;
    // The product would overflow for buckets of more than 2^44 ns (5 hours).
    const std::int64_t share = shift < 44 ? (busy * kFull) >> shift : (busy >> (shift - 16));
    // A bucket with any work shows at least the smallest share.
    return static_cast<std::uint16_t>(std::clamp<std::int64_t>(share, 1, kFull));
}

/// Merges two nodes. Of equally long events the earlier one wins, so that a drawing does not depend on the level that
/// it reads.
MipNode combine(const EventColumns& columns, const MipNode& a, const MipNode& b)
{
    MipNode node;
    // Both may name the same event, which then overlaps both buckets.
    if (a.longest == MipNode::kNone || a.longest == b.longest)
        node.longest = b.longest;
    else if (b.longest == MipNode::kNone)
        node.longest = a.longest;
    else
        node.longest = columns.duration[b.longest] > columns.duration[a.longest] ? b.longest : a.longest;
    // Rounded up, so that a short event stays visible on every level.
    node.coverage = static_cast<std::uint16_t>((std::uint32_t{a.coverage} + b.coverage + 1) / 2);
    node.count = static_cast<std::uint16_t>(std::min<std::uint32_t>(std::uint32_t{a.count} + b.count, 65535));
    return node;
}

template <typename Node, typename Combine>
void addCoarserLevels(std::vector<std::vector<Node>>& levels, std::int64_t firstBucket, Combine combineNodes)
{
    while (levels.back().size() > kTopNodes) {
        const std::vector<Node>& fine = levels.back();
        // Buckets lie at multiples of their size, so the pairing depends on whether the first bucket is even.
        const std::int64_t first = firstBucket >> (levels.size() - 1);
        const std::size_t odd = static_cast<std::size_t>(first & 1);
        std::vector<Node> coarse((fine.size() + odd + 1) / 2);
        for (std::size_t i = 0; i < coarse.size(); ++i) {
            const std::size_t left = 2 * i - odd; // wraps for the first node of an odd level, which has no left half
            const Node a = left < fine.size() ? fine[left] : Node{};
            const Node b = left + 1 < fine.size() ? fine[left + 1] : Node{};
            coarse[i] = combineNodes(a, b);
        }
        levels.push_back(std::move(coarse));
    }
}

void fillFinestLevel(const EventColumns& columns, LaneMip& lane, std::size_t perBucket)
{
    const std::int64_t first = columns.start[lane.eventAt(0)];
    const std::int64_t span = std::max<std::int64_t>(lane.lastEnd - first, 1);
    // The number of buckets is that which the events would fill with `perBucket` each.
    lane.shift = shiftFor(span, lane.size / std::max<std::size_t>(perBucket, 1));
    lane.firstBucket = first >> lane.shift;
    // An instant may begin where the last event ends.
    const std::int64_t last = std::max(lane.lastEnd - 1, columns.start[lane.eventAt(lane.size - 1)]);
    const auto buckets = static_cast<std::size_t>((last >> lane.shift) - lane.firstBucket) + 1;
    std::vector<MipNode> nodes(buckets);
    std::size_t open = 0; // the bucket whose busy time is being summed up
    std::int64_t busy = 0;
    std::int64_t longest = -1;
    std::int64_t reached = first; // events of a stream may overlap by a rounding error, which counts once
    const auto close = [&] {
        nodes[open].coverage = toCoverage(busy, lane.shift);
        busy = 0;
        longest = -1;
    };
    for (std::size_t i = 0; i < lane.size; ++i) {
        const std::uint32_t event = lane.eventAt(i);
        const std::int64_t duration = columns.duration[event];
        const std::int64_t end = columns.start[event] + duration;
        const auto begins = static_cast<std::size_t>((columns.start[event] >> lane.shift) - lane.firstBucket);
        const auto ends =
            std::min(buckets - 1, static_cast<std::size_t>((std::max(end - 1, columns.start[event]) >> lane.shift) -
                                                           lane.firstBucket));
        // A count stays at its largest value instead of wrapping.
        if (nodes[begins].count < 65535)
            ++nodes[begins].count;
        for (std::size_t bucket = begins; bucket <= ends; ++bucket) {
            if (bucket != open && bucket > open) {
                close();
                open = bucket;
            }
            const std::int64_t left = (lane.firstBucket + static_cast<std::int64_t>(bucket)) << lane.shift;
            const std::int64_t right = left + (std::int64_t{1} << lane.shift);
            // Only the part behind `reached` counts.
            busy += std::max<std::int64_t>(0, std::min(end, right) -
                                                  std::max(std::max(columns.start[event], reached), left));
            if (duration > longest) {
                longest = duration;
                nodes[bucket].longest = event;
            }
        }
        reached = std::max(reached, end);
    }
    close();
    lane.levels.push_back(std::move(nodes));
}

void fillBusy(const EventColumns& columns, LaneMip& lane)
{
    lane.busyBefore.reserve(lane.size / LaneMip::kBusyStep + 2);
    std::int64_t busy = 0;
    for (std::size_t i = 0; i < lane.size; ++i) {
        if (i % LaneMip::kBusyStep == 0)
            lane.busyBefore.push_back(busy);
        const std::uint32_t event = lane.eventAt(i);
        busy += columns.duration[event];
        lane.lastEnd = i == 0 ? columns.end(event) : std::max(lane.lastEnd, columns.end(event));
    }
    // One sum more than steps, so that a range to the end needs no special case.
    lane.busyBefore.push_back(busy);
}

LaneMip buildLane(const EventColumns& columns, std::vector<std::uint32_t> events, std::size_t size,
                  std::size_t perBucket)
{
    LaneMip lane;
    lane.events = std::move(events);
    lane.size = size;
    if (size == 0)
        return lane;
    fillBusy(columns, lane);
    fillFinestLevel(columns, lane, perBucket);
    addCoarserLevels(lane.levels, lane.firstBucket,
                     [&](const MipNode& a, const MipNode& b) { return combine(columns, a, b); });
    return lane;
}

} // namespace

std::size_t LaneMip::lowerBound(const EventColumns& columns, std::int64_t time) const
{
    if (events.empty()) {
        const auto begin = columns.start.begin();
        return static_cast<std::size_t>(std::lower_bound(begin, begin + static_cast<std::ptrdiff_t>(size), time) -
                                        begin);
    }
    return static_cast<std::size_t>(
        std::lower_bound(events.begin(), events.end(), time,
                         [&](std::uint32_t event, std::int64_t t) { return columns.start[event] < t; }) -
        events.begin());
}

std::size_t LaneMip::firstEndingAfter(const EventColumns& columns, std::int64_t time) const
{
    std::size_t i = lowerBound(columns, time);
    // Two steps are enough: events of a stream may overlap their successor by a rounding error.
    for (int step = 0; step < 2 && i > 0 && columns.end(eventAt(i - 1)) > time; ++step)
        --i;
    return i;
}

std::int64_t LaneMip::busy(const EventColumns& columns, std::int64_t begin, std::int64_t end) const
{
    if (size == 0 || end <= begin)
        return 0;
    const auto before = [&](std::size_t i) {
        // At most kBusyStep events are added by hand.
        std::int64_t sum = busyBefore[i / kBusyStep];
        for (std::size_t k = i - i % kBusyStep; k < i; ++k)
            sum += columns.duration[eventAt(k)];
        return sum;
    };
    const std::size_t first = firstEndingAfter(columns, begin);
    const std::size_t last = lowerBound(columns, end);
    if (first >= last)
        return 0;
    // The sum counts the first and the last event as a whole. Cut off the parts outside of the range.
    std::int64_t sum = before(last) - before(first);
    sum -= std::max<std::int64_t>(0, begin - columns.start[eventAt(first)]);
    sum -= std::max<std::int64_t>(0, columns.end(eventAt(last - 1)) - end);
    // Overlaps by rounding could give more than the range.
    return std::clamp<std::int64_t>(sum, 0, end - begin);
}

std::size_t LaneMip::count(const EventColumns& columns, std::int64_t begin, std::int64_t end) const
{
    const std::size_t first = firstEndingAfter(columns, begin);
    const std::size_t last = lowerBound(columns, end);
    return last > first ? last - first : 0;
}

std::vector<std::uint16_t> assignLanes(const EventColumns& columns, LaneRule rule)
{
    constexpr std::int64_t kRounding = 1000; // ns; some recorders write whole microseconds
    const std::int64_t slack = rule == LaneRule::stream ? kRounding : 0;
    const auto fits = [&](std::int64_t laneEnd, std::size_t i) {
        const std::int64_t over = laneEnd - columns.start[i];
        // An event that ends within its predecessor is nested in it and not its successor.
        return over <= 0 || (over <= slack && columns.end(i) >= laneEnd);
    };
    const std::size_t n = columns.size();
    // The usual series fits into one lane, which needs no list.
    std::size_t i = 1;
    for (std::int64_t end = n ? columns.end(0) : 0; i < n && fits(end, i); ++i)
        end = std::max(end, columns.end(i));
    if (i >= n)
        return {};
    std::vector<std::uint16_t> lanes(n, 0);
    std::vector<std::int64_t> ends;
    for (i = 0; i < n; ++i) {
        std::size_t lane = 0;
        while (lane < ends.size() && !fits(ends[lane], i))
            ++lane;
        if (lane == ends.size() && lane < kMaxLanes)
            ends.push_back(columns.end(i));
        // When all lanes are in use, the last one takes what does not fit.
        lane = std::min(lane, kMaxLanes - 1);
        ends[lane] = std::max(ends[lane], columns.end(i));
        lanes[i] = static_cast<std::uint16_t>(lane);
    }
    return lanes;
}

SeriesMip buildSeriesMip(const EventColumns& columns, LaneRule rule, std::size_t perBucket)
{
    SeriesMip mip;
    if (columns.empty())
        return mip;
    const std::vector<std::uint16_t> laneOf = assignLanes(columns, rule);
    if (laneOf.empty()) {
        mip.lanes.push_back(buildLane(columns, {}, columns.size(), perBucket));
        return mip;
    }
    std::vector<std::vector<std::uint32_t>> members(std::size_t{*std::max_element(laneOf.begin(), laneOf.end())} + 1);
    for (std::size_t i = 0; i < laneOf.size(); ++i)
        members[laneOf[i]].push_back(static_cast<std::uint32_t>(i));
    for (std::vector<std::uint32_t>& events : members)
        mip.lanes.push_back(buildLaneMip(columns, std::move(events), perBucket));
    return mip;
}

LaneMip buildLaneMip(const EventColumns& columns, std::vector<std::uint32_t> events, std::size_t perBucket)
{
    const std::size_t size = events.size();
    return buildLane(columns, std::move(events), size, perBucket);
}

CounterMip buildCounterMip(const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& value,
                           std::size_t perBucket)
{
    CounterMip mip;
    if (start.empty())
        return mip;
    mip.shift = shiftFor(std::max<std::int64_t>(start.back() - start.front(), 1), start.size() / perBucket);
    mip.firstBucket = start.front() >> mip.shift;
    std::vector<SampleNode> nodes(static_cast<std::size_t>((start.back() >> mip.shift) - mip.firstBucket) + 1);
    std::size_t open = 0;
    double sum = 0;
    const auto close = [&] {
        // An empty bucket keeps its zeros and is not drawn.
        if (nodes[open].count > 0)
            nodes[open].mean = static_cast<float>(sum / nodes[open].count);
        sum = 0;
    };
    for (std::size_t i = 0; i < start.size(); ++i) {
        const auto bucket = static_cast<std::size_t>((start[i] >> mip.shift) - mip.firstBucket);
        if (bucket != open) {
            close();
            open = bucket;
        }
        const auto sample = static_cast<float>(valueAt(value, i));
        SampleNode& node = nodes[bucket];
        node.min = node.count == 0 ? sample : std::min(node.min, sample);
        node.max = node.count == 0 ? sample : std::max(node.max, sample);
        ++node.count;
        sum += static_cast<double>(sample);
        // The range of the whole counter scales the drawing.
        mip.min = i == 0 ? sample : std::min(mip.min, sample);
        mip.max = i == 0 ? sample : std::max(mip.max, sample);
    }
    close();
    mip.levels.push_back(std::move(nodes));
    addCoarserLevels(mip.levels, mip.firstBucket, [](const SampleNode& a, const SampleNode& b) {
        if (a.count == 0 || b.count == 0)
            return a.count == 0 ? b : a;
        // Means are weighted by their samples.
        const double count = static_cast<double>(a.count) + b.count;
        return SampleNode{
            std::min(a.min, b.min), std::max(a.max, b.max),
            static_cast<float>((static_cast<double>(a.mean) * a.count + static_cast<double>(b.mean) * b.count) / count),
            a.count + b.count};
    });
    return mip;
}

} // namespace apertune::trace
