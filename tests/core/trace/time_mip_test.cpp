// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/time_mip.h"
#include "core/trace/time_mip_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

namespace apertune::trace {
namespace {

EventColumns columnsOf(std::vector<std::pair<std::int64_t, std::int64_t>> events)
{
    EventColumns columns;
    for (const auto& [start, duration] : events) {
        columns.start.push_back(start);
        columns.duration.push_back(duration);
        columns.name.push_back(0);
    }
    return columns;
}

EventColumns randomRow(std::size_t n, std::uint32_t seed, std::int64_t scale = 1000)
{
    std::mt19937 random(seed);
    EventColumns columns;
    std::int64_t time = -static_cast<std::int64_t>(random() % 5000);
    for (std::size_t i = 0; i < n; ++i) {
        const auto duration = static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(scale));
        columns.start.push_back(time);
        columns.duration.push_back(duration);
        columns.name.push_back(0);
        time += duration + static_cast<std::int64_t>(
                               random() % static_cast<std::uint32_t>(random() % 50 == 0 ? scale * 40 : scale / 4 + 1));
    }
    return columns;
}

std::int64_t busyByHand(const EventColumns& c, std::int64_t begin, std::int64_t end)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < c.size(); ++i)
        sum += std::max<std::int64_t>(0, std::min(end, c.end(i)) - std::max(begin, c.start[i]));
    return sum;
}

} // namespace

TEST(TimeMip, AnInstantWhereTheLastEventEndsHasItsBucket)
{
    // 200 ns in buckets of 4: the last instant begins one bucket behind the last nanosecond.
    const EventColumns c = columnsOf({{0, 0}, {50, 0}, {100, 0}, {150, 0}, {200, 0}});
    const LaneMip lane = buildSeriesMip(c, LaneRule::strict, 1).lanes.front();
    ASSERT_EQ(lane.shift, 2);
    ASSERT_EQ(lane.levels[0].size(), 51u);
    EXPECT_EQ(lane.levels[0][50].count, 1);
    EXPECT_EQ(lane.levels[0][50].longest, 4u);
}

TEST(TimeMip, EveryBucketOfEveryLevelTellsWhatTheEventsInItSay)
{
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        const EventColumns c = randomRow(5000, seed);
        const SeriesMip mip = buildSeriesMip(c, LaneRule::strict);
        ASSERT_EQ(mip.lanes.size(), 1u);
        const LaneMip& lane = mip.lanes.front();
        ASSERT_GE(lane.levels.size(), 4u);
        EXPECT_LE(lane.levels.back().size(), 64u);
        for (std::size_t k = 0; k < lane.levels.size(); ++k) {
            std::size_t counted = 0;
            for (std::size_t i = 0; i < lane.levels[k].size(); ++i) {
                const MipNode& node = lane.levels[k][i];
                const int shift = lane.shift + static_cast<int>(k);
                const std::int64_t left = ((lane.firstBucket >> k) + static_cast<std::int64_t>(i)) << shift;
                const std::int64_t size = std::int64_t{1} << shift;
                counted += node.count;
                const double share = static_cast<double>(busyByHand(c, left, left + size)) / static_cast<double>(size);
                // Each level halves sums of 16-bit shares: one unit of rounding a level.
                EXPECT_NEAR(node.coverage / 65535.0, share, (static_cast<double>(k) + 2) / 65535.0) << k << "/" << i;
                std::int64_t longest = -1;
                for (std::size_t e = 0; e < c.size() && c.start[e] < left + size; ++e)
                    if (c.end(e) > left || c.start[e] >= left)
                        longest = std::max(longest, c.duration[e]);
                if (longest < 0) {
                    EXPECT_EQ(node.longest, MipNode::kNone);
                } else {
                    EXPECT_EQ(c.duration[node.longest], longest) << k << "/" << i;
                }
            }
            EXPECT_EQ(counted, c.size());
        }
    }
}

TEST(TimeMip, BucketsLieOnMultiplesOfTheirSizeAlsoBelowZero)
{
    const EventColumns c = randomRow(3000, 9);
    ASSERT_LT(c.start.front(), 0);
    const LaneMip lane = buildSeriesMip(c, LaneRule::strict).lanes.front();
    EXPECT_EQ(lane.firstBucket,
              static_cast<std::int64_t>(std::floor(std::ldexp(static_cast<double>(c.start.front()), -lane.shift))));
}

TEST(TimeMip, BusyTimeAndCountsOfAnyRangeAreExact)
{
    const EventColumns c = randomRow(4000, 5);
    const LaneMip lane = buildSeriesMip(c, LaneRule::strict).lanes.front();
    std::mt19937 random(11);
    for (int i = 0; i < 500; ++i) {
        const std::int64_t begin = static_cast<std::int64_t>(random() % 3'000'000) - 20'000;
        const std::int64_t end = begin + static_cast<std::int64_t>(random() % 200'000);
        EXPECT_EQ(lane.busy(c, begin, end), busyByHand(c, begin, end));
        std::size_t touching = 0;
        for (std::size_t e = 0; e < c.size(); ++e)
            touching += c.start[e] < end && c.end(e) > begin ? 1 : 0;
        // An instant on the left edge may count: it begins in the range.
        EXPECT_NEAR(static_cast<double>(lane.count(c, begin, end)), static_cast<double>(touching), 1.0);
    }
}

TEST(TimeMip, NestedCallsGetTheirDepthAndSiblingsShareALane)
{
    const EventColumns c = columnsOf({{0, 100}, {10, 30}, {15, 5}, {50, 40}, {200, 10}});
    EXPECT_EQ(assignLanes(c, LaneRule::strict), (std::vector<std::uint16_t>{0, 1, 2, 1, 0}));
}

TEST(TimeMip, OverlapsOfRoundedTimesDoNotSplitAStreamButDoSplitAThread)
{
    const EventColumns c = columnsOf({{0, 5000}, {4800, 3000}, {7800, 10}});
    EXPECT_TRUE(assignLanes(c, LaneRule::stream).empty());
    EXPECT_EQ(assignLanes(c, LaneRule::strict), (std::vector<std::uint16_t>{0, 1, 0}));
    // One that ends inside its forerunner runs beside it.
    EXPECT_EQ(assignLanes(columnsOf({{0, 5000}, {4200, 100}}), LaneRule::stream), (std::vector<std::uint16_t>{0, 1}));
}

TEST(TimeMip, NoTwoEventsOfALaneOverlapWhateverTheInput)
{
    std::mt19937 random(21);
    EventColumns c;
    for (int i = 0; i < 2000; ++i) {
        c.start.push_back(static_cast<std::int64_t>(random() % 20'000));
        c.duration.push_back(static_cast<std::int64_t>(random() % 400));
        c.name.push_back(0);
    }
    c.sort();
    const SeriesMip mip = buildSeriesMip(c, LaneRule::strict);
    std::size_t total = 0;
    for (const LaneMip& lane : mip.lanes) {
        total += lane.size;
        for (std::size_t i = 1; i < lane.size; ++i)
            EXPECT_LE(c.end(lane.eventAt(i - 1)), c.start[lane.eventAt(i)]);
    }
    EXPECT_EQ(total, c.size());
}

TEST(TimeMip, ASingleInstantHasAMip)
{
    const EventColumns c = columnsOf({{42, 0}});
    const LaneMip lane = buildSeriesMip(c, LaneRule::strict).lanes.front();
    ASSERT_EQ(lane.levels.size(), 1u);
    EXPECT_EQ(lane.levels[0][0].count, 1);
    EXPECT_EQ(lane.levels[0][0].longest, 0u);
}

TEST(TimeMip, ComesBackFromItsBytes)
{
    EventColumns nested = columnsOf({{0, 100}, {10, 30}, {15, 5}, {50, 40}, {200, 10}});
    for (const EventColumns& c : {randomRow(3000, 4), nested}) {
        const SeriesMip mip = buildSeriesMip(c, LaneRule::strict);
        const auto again = decodeMip(encodeMip(mip.lanes), c.size());
        ASSERT_TRUE(again);
        ASSERT_EQ(again->lanes.size(), mip.lanes.size());
        for (std::size_t i = 0; i < mip.lanes.size(); ++i) {
            EXPECT_EQ(again->lanes[i].levels, mip.lanes[i].levels);
            EXPECT_EQ(again->lanes[i].events, mip.lanes[i].events);
            EXPECT_EQ(again->lanes[i].busyBefore, mip.lanes[i].busyBefore);
            EXPECT_EQ(again->lanes[i].lastEnd, mip.lanes[i].lastEnd);
        }
    }
}

TEST(TimeMip, DamagedBytesAreRefusedAndNeverReadBeyond)
{
    const EventColumns c = randomRow(600, 4);
    const std::vector<std::byte> bytes = encodeMip(buildSeriesMip(c, LaneRule::strict).lanes);
    EXPECT_FALSE(decodeMip(bytes, c.size() - 1));
    EXPECT_FALSE(decodeMip({}, c.size()));
    for (std::size_t cut = 0; cut < bytes.size(); cut += 37)
        EXPECT_FALSE(decodeMip(std::span(bytes).first(cut), c.size())) << cut;
    std::mt19937 random(2);
    for (int i = 0; i < 400; ++i) { // whatever is accepted can be drawn from; sanitizers watch
        std::vector<std::byte> damaged = bytes;
        damaged[random() % 60] = static_cast<std::byte>(random() & 255);
        const auto mip = decodeMip(damaged, c.size());
        if (mip && !mip->lanes.empty())
            (void)mip->lanes.front().busy(c, 0, 100'000);
    }
}

TEST(CounterMip, KeepsTheExtremesOfEveryBucket)
{
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> value;
    for (int i = 0; i < 4000; ++i) {
        start.push_back(i * 100);
        value.push_back(i == 1777 ? 5000 : i % 7);
    }
    const CounterMip mip = buildCounterMip(start, value);
    EXPECT_EQ(mip.max, 5000.0F);
    EXPECT_EQ(mip.min, 0.0F);
    for (const std::vector<SampleNode>& level : mip.levels) {
        float highest = 0;
        std::uint64_t count = 0;
        for (const SampleNode& node : level) {
            highest = std::max(highest, node.max);
            count += node.count;
        }
        EXPECT_EQ(highest, 5000.0F);
        EXPECT_EQ(count, 4000u);
    }
}

} // namespace apertune::trace
