// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/work_class.h"
#include "core/timeline/time_ruler.h"
#include "core/trace/time_mip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

namespace apertune::timeline {
namespace {

trace::EventColumns columnsOf(std::vector<std::pair<std::int64_t, std::int64_t>> events)
{
    trace::EventColumns columns;
    for (const auto& [start, duration] : events) {
        columns.start.push_back(start);
        columns.duration.push_back(duration);
        columns.name.push_back(0);
    }
    return columns;
}

trace::EventColumns randomRow(std::size_t n, std::uint32_t seed, std::int64_t scale = 1000)
{
    std::mt19937 random(seed);
    trace::EventColumns columns;
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

std::int64_t busyByHand(const trace::EventColumns& c, std::int64_t begin, std::int64_t end)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < c.size(); ++i)
        sum += std::max<std::int64_t>(0, std::min(end, c.end(i)) - std::max(begin, c.start[i]));
    return sum;
}

} // namespace

TEST(TimeMip, EveryBucketOfEveryLevelTellsWhatTheEventsInItSay)
{
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        const trace::EventColumns c = randomRow(5000, seed);
        const trace::SeriesMip mip = trace::buildSeriesMip(c, trace::LaneRule::strict);
        ASSERT_EQ(mip.lanes.size(), 1u);
        const trace::LaneMip& lane = mip.lanes.front();
        ASSERT_GE(lane.levels.size(), 4u);
        EXPECT_LE(lane.levels.back().size(), 64u);
        for (std::size_t k = 0; k < lane.levels.size(); ++k) {
            std::size_t counted = 0;
            for (std::size_t i = 0; i < lane.levels[k].size(); ++i) {
                const trace::MipNode& node = lane.levels[k][i];
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
                if (longest < 0)
                    EXPECT_EQ(node.longest, trace::MipNode::kNone);
                else
                    EXPECT_EQ(c.duration[node.longest], longest) << k << "/" << i;
            }
            EXPECT_EQ(counted, c.size());
        }
    }
}

TEST(TimeMip, BucketsLieOnMultiplesOfTheirSizeAlsoBelowZero)
{
    const trace::EventColumns c = randomRow(3000, 9);
    ASSERT_LT(c.start.front(), 0);
    const trace::LaneMip lane = trace::buildSeriesMip(c, trace::LaneRule::strict).lanes.front();
    EXPECT_EQ(lane.firstBucket,
              static_cast<std::int64_t>(std::floor(std::ldexp(static_cast<double>(c.start.front()), -lane.shift))));
}

TEST(TimeMip, BusyTimeAndCountsOfAnyRangeAreExact)
{
    const trace::EventColumns c = randomRow(4000, 5);
    const trace::LaneMip lane = trace::buildSeriesMip(c, trace::LaneRule::strict).lanes.front();
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
    const trace::EventColumns c = columnsOf({{0, 100}, {10, 30}, {15, 5}, {50, 40}, {200, 10}});
    EXPECT_EQ(trace::assignLanes(c, trace::LaneRule::strict), (std::vector<std::uint16_t>{0, 1, 2, 1, 0}));
}

TEST(TimeMip, OverlapsOfRoundedTimesDoNotSplitAStreamButDoSplitAThread)
{
    const trace::EventColumns c = columnsOf({{0, 5000}, {4800, 3000}, {7800, 10}});
    EXPECT_TRUE(trace::assignLanes(c, trace::LaneRule::stream).empty());
    EXPECT_EQ(trace::assignLanes(c, trace::LaneRule::strict), (std::vector<std::uint16_t>{0, 1, 0}));
    // One that ends inside its forerunner runs beside it.
    EXPECT_EQ(trace::assignLanes(columnsOf({{0, 5000}, {4200, 100}}), trace::LaneRule::stream),
              (std::vector<std::uint16_t>{0, 1}));
}

TEST(TimeMip, NoTwoEventsOfALaneOverlapWhateverTheInput)
{
    std::mt19937 random(21);
    trace::EventColumns c;
    for (int i = 0; i < 2000; ++i) {
        c.start.push_back(static_cast<std::int64_t>(random() % 20'000));
        c.duration.push_back(static_cast<std::int64_t>(random() % 400));
        c.name.push_back(0);
    }
    c.sort();
    const trace::SeriesMip mip = trace::buildSeriesMip(c, trace::LaneRule::strict);
    std::size_t total = 0;
    for (const trace::LaneMip& lane : mip.lanes) {
        total += lane.size;
        for (std::size_t i = 1; i < lane.size; ++i)
            EXPECT_LE(c.end(lane.eventAt(i - 1)), c.start[lane.eventAt(i)]);
    }
    EXPECT_EQ(total, c.size());
}

TEST(TimeMip, ASingleInstantHasAMip)
{
    const trace::EventColumns c = columnsOf({{42, 0}});
    const trace::LaneMip lane = trace::buildSeriesMip(c, trace::LaneRule::strict).lanes.front();
    ASSERT_EQ(lane.levels.size(), 1u);
    EXPECT_EQ(lane.levels[0][0].count, 1);
    EXPECT_EQ(lane.levels[0][0].longest, 0u);
}

TEST(TimeMip, AnInstantWhereTheLastEventEndsHasItsBucket)
{
    // 200 ns in buckets of 4: the last instant begins one bucket behind the last nanosecond.
    const trace::EventColumns c = columnsOf({{0, 0}, {50, 0}, {100, 0}, {150, 0}, {200, 0}});
    const trace::LaneMip lane = trace::buildSeriesMip(c, trace::LaneRule::strict, 1).lanes.front();
    ASSERT_EQ(lane.shift, 2);
    ASSERT_EQ(lane.levels[0].size(), 51u);
    EXPECT_EQ(lane.levels[0][50].count, 1);
    EXPECT_EQ(lane.levels[0][50].longest, 4u);
}

TEST(TimeMip, ComesBackFromItsBytes)
{
    trace::EventColumns nested = columnsOf({{0, 100}, {10, 30}, {15, 5}, {50, 40}, {200, 10}});
    for (const trace::EventColumns& c : {randomRow(3000, 4), nested}) {
        const trace::SeriesMip mip = trace::buildSeriesMip(c, trace::LaneRule::strict);
        const auto again = trace::decodeMip(trace::encodeMip(mip.lanes), c.size());
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
    const trace::EventColumns c = randomRow(600, 4);
    const std::vector<std::byte> bytes = trace::encodeMip(trace::buildSeriesMip(c, trace::LaneRule::strict).lanes);
    EXPECT_FALSE(trace::decodeMip(bytes, c.size() - 1));
    EXPECT_FALSE(trace::decodeMip({}, c.size()));
    for (std::size_t cut = 0; cut < bytes.size(); cut += 37)
        EXPECT_FALSE(trace::decodeMip(std::span(bytes).first(cut), c.size())) << cut;
    std::mt19937 random(2);
    for (int i = 0; i < 400; ++i) { // whatever is accepted can be drawn from; sanitizers watch
        std::vector<std::byte> damaged = bytes;
        damaged[random() % 60] = static_cast<std::byte>(random() & 255);
        const auto mip = trace::decodeMip(damaged, c.size());
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
    const trace::CounterMip mip = trace::buildCounterMip(start, value);
    EXPECT_EQ(mip.max, 5000.0F);
    EXPECT_EQ(mip.min, 0.0F);
    for (const std::vector<trace::SampleNode>& level : mip.levels) {
        float highest = 0;
        std::uint64_t count = 0;
        for (const trace::SampleNode& node : level) {
            highest = std::max(highest, node.max);
            count += node.count;
        }
        EXPECT_EQ(highest, 5000.0F);
        EXPECT_EQ(count, 4000u);
    }
}

TEST(WorkClass, TellsWhatAKernelDoesByTheNamesThatLibrariesGive)
{
    EXPECT_EQ(analysis::classify(trace::EventKind::kernel, "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_tn"),
              analysis::WorkClass::matrix);
    EXPECT_EQ(analysis::classify(trace::EventKind::kernel, "sm80_xmma_fprop_implicit_gemm_f16f16"),
              analysis::WorkClass::convolution);
    EXPECT_EQ(analysis::classify(trace::EventKind::kernel, "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>"),
              analysis::WorkClass::normalization);
    EXPECT_EQ(analysis::classify(trace::EventKind::kernel, "void at::native::vectorized_elementwise_kernel<4>"),
              analysis::WorkClass::elementwise);
    EXPECT_EQ(analysis::classify(trace::EventKind::operatorCall, "aten::conv2d"), analysis::WorkClass::convolution);
    EXPECT_EQ(analysis::classify(trace::EventKind::operatorCall, "aten::addmm"), analysis::WorkClass::matrix);
    EXPECT_EQ(analysis::classify(trace::EventKind::runtimeCall, "cudaLaunchKernel"), analysis::WorkClass::launch);
    EXPECT_EQ(analysis::classify(trace::EventKind::runtimeCall, "cudaDeviceSynchronize"), analysis::WorkClass::wait);
    EXPECT_EQ(analysis::classify(trace::EventKind::kernel, "something_else"), analysis::WorkClass::other);
    // As the analyses have it.
    EXPECT_EQ(analysis::classify(trace::EventKind::kernel, "triton_poi_fused_convert_element_type_0"),
              analysis::WorkClass::elementwise);
    EXPECT_EQ(analysis::classify(trace::EventKind::kernel, "void cudnn::ops::nchwToNhwcKernel<float>(int)"),
              analysis::WorkClass::copy);
    EXPECT_EQ(analysis::classify(trace::EventKind::operatorCall, "aten::softmax"), analysis::WorkClass::reduction);
    EXPECT_EQ(analysis::classify(trace::EventKind::graphLaunch, "graph 1"), analysis::WorkClass::other);
}

TEST(TimeRuler, StepsAreRoundAndTextsCarryTheDigitsOfTheStep)
{
    EXPECT_EQ(niceStep(0.3), 1);
    EXPECT_EQ(niceStep(7), 10);
    EXPECT_EQ(niceStep(101), 200);
    EXPECT_EQ(niceStep(450'000), 500'000);
    EXPECT_EQ(timeText(1'302'000'000, 1'000'000), "1.302 s");
    EXPECT_EQ(timeText(350'000, 50'000), "350 µs");
    EXPECT_EQ(timeText(0, 500'000), "0 µs");
    EXPECT_EQ(timeText(12'500'000, 500'000), "12.5 ms");
    EXPECT_EQ(timeText(-2'000, 1'000), "-2 µs");
}

TEST(TimeWindow, ZoomKeepsTheAnchorAndClampingKeepsTheTraceInSight)
{
    const TimeWindow window{1000, 3000};
    const TimeWindow zoomed = zoomAt(window, 1500, 0.5);
    EXPECT_DOUBLE_EQ(zoomed.begin, 1250);
    EXPECT_DOUBLE_EQ(zoomed.end, 2250);
    const trace::TimeRange extent{0, 10'000};
    EXPECT_GE(clampWindow({-90'000, -80'000}, extent).end, 0);
    EXPECT_LE(clampWindow({-1e9, 1e9}, extent).length(), 12'000.1);
    EXPECT_DOUBLE_EQ(clampWindow({500, 501}, extent).length(), 100);
}

TEST(ZoomHistory, OneGestureIsOneStepAndGoingBackLosesNothingButWhatIsOverwritten)
{
    ZoomHistory history;
    history.visit({0, 100}, 0);
    history.visit({0, 50}, 1000);
    history.visit({0, 40}, 1100); // the same gesture
    history.visit({0, 10}, 5000);
    ASSERT_TRUE(history.canGoBack());
    EXPECT_EQ(history.back(), (TimeWindow{0, 40}));
    EXPECT_EQ(history.back(), (TimeWindow{0, 100}));
    EXPECT_FALSE(history.canGoBack());
    EXPECT_EQ(history.forward(), (TimeWindow{0, 40}));
    history.visit({5, 6}, 9000);
    EXPECT_FALSE(history.canGoForward());
    EXPECT_EQ(history.back(), (TimeWindow{0, 40}));
}

} // namespace apertune::timeline
