// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/data_sheets.h"
#include "core/analysis/device_use.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/launches.h"
#include "core/analysis/transfers.h"
#include "small_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace apertune::analysis {
namespace {

using testing::SmallTrace;

std::int64_t part(const DeviceUse& use, IdleCause cause)
{
    return use.idleBy[static_cast<std::size_t>(cause)] / 1000;
}

DeviceUse useOf(const trace::Trace& trace, TimeRange microseconds)
{
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    return deviceUse(index, forest, 0, {microseconds.start * 1000, microseconds.end * 1000});
}

TEST(TimeRanges, UnionsIntersectionsAndDifferencesAgreeWithCountingInstants)
{
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        const auto draw = [&random] {
            std::vector<TimeRange> list;
            for (int i = 0; i < 12; ++i) {
                const std::int64_t start = random() % 60;
                list.push_back({start, start + static_cast<std::int64_t>(random() % 9)});
            }
            return list;
        };
        const std::vector<TimeRange> rawA = draw(), rawB = draw();
        const TimeRanges a = unite(rawA), b = unite(rawB);
        const auto inside = [](const std::vector<TimeRange>& list, std::int64_t t) {
            for (const TimeRange i : list)
                if (i.contains(t))
                    return true;
            return false;
        };
        const TimeRanges both = intersect(a, b), rest = subtract(a, b);
        std::int64_t covered = 0;
        for (std::int64_t t = 0; t < 80; ++t) {
            EXPECT_EQ(inside(a, t), inside(rawA, t));
            EXPECT_EQ(inside(both, t), inside(rawA, t) && inside(rawB, t));
            EXPECT_EQ(inside(rest, t), inside(rawA, t) && !inside(rawB, t));
            covered += t >= 10 && t < 50 && inside(rawA, t) ? 1 : 0;
        }
        EXPECT_EQ(coveredLength(a, {10, 50}), covered);
    }
}

TEST(DeviceUse, BusyIsTheUnionAndIdleIsTheRest)
{
    SmallTrace t;
    t.kernel("a", 0, 40);
    t.copy(trace::CopyDirection::hostToDevice, 1000, 30, 60);
    t.kernel("b", 80, 100);
    const DeviceUse use = useOf(t.finish(), {0, 100});
    EXPECT_EQ(use.busy, 80'000);
    EXPECT_EQ(use.idle, 20'000);
    EXPECT_EQ(use.kernels, 60'000);
    EXPECT_EQ(use.copies, 30'000);
    EXPECT_EQ(use.overlapped, 10'000);
    EXPECT_EQ(use.exposedCopies, 20'000);
    EXPECT_NEAR(use.overlap(), 1.0 / 3, 1e-9);
    EXPECT_EQ(part(use, IdleCause::unknown), 20); // nobody recorded the calls
}

TEST(DeviceUse, AWaitThatDrainedTheQueueTakesTheGapUntilTheNextKernel)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 5, 1);
    t.kernel("a", 10, 100, 1);
    t.call("cudaStreamSynchronize", 6, 104);
    t.call("cudaLaunchKernel", 112, 117, 2);
    t.kernel("b", 120, 150, 2);
    const DeviceUse use = useOf(t.finish(), {10, 150});
    EXPECT_EQ(part(use, IdleCause::synchronization), 20);
    EXPECT_EQ(part(use, IdleCause::launchGap), 0);
}

TEST(DeviceUse, ALongPauseAfterAWaitIsTheHostsAndNotTheWaits)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 5, 1);
    t.kernel("a", 10, 100, 1);
    t.call("cudaStreamSynchronize", 6, 104);
    t.op("aten::conv2d", 900, 960);
    t.call("cudaLaunchKernel", 912, 917, 2);
    t.kernel("b", 920, 950, 2);
    const DeviceUse use = useOf(t.finish(), {10, 950});
    EXPECT_EQ(part(use, IdleCause::synchronization), 4);
    EXPECT_EQ(part(use, IdleCause::launchGap), 20); // 12 in the operator, 8 from the call to the start
    EXPECT_EQ(part(use, IdleCause::hostWait), 796);
    EXPECT_EQ(use.idle, 820'000);
}

TEST(DeviceUse, ShortGapsBeforeALateLaunchAreLaunchGaps)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 5, 1);
    t.kernel("a", 8, 12, 1);
    t.call("cudaLaunchKernel", 25, 30, 2);
    t.kernel("b", 33, 36, 2);
    const DeviceUse use = useOf(t.finish(), {8, 36});
    EXPECT_EQ(part(use, IdleCause::launchGap), 21);
}

TEST(DeviceUse, WorkThatWasQueuedBeforeTheGapIsHeldBackByTheDevice)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 2, 1);
    t.call("cudaLaunchKernel", 2, 4, 2);
    t.kernel("a", 5, 50, 1);
    t.kernel("b", 90, 120, 2);
    const DeviceUse use = useOf(t.finish(), {5, 120});
    EXPECT_EQ(part(use, IdleCause::deviceQueue), 40);
}

TEST(DeviceUse, ALongFirstLaunchAndALoadedModuleAreFirstCalls)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 5, 1);
    t.kernel("a", 8, 12, 1);
    t.call("cuModuleLoadData", 12, 60);
    t.call("cudaLaunchKernel", 60, 2060, 2);
    t.kernel("b", 2065, 2070, 2);
    t.call("cudaLaunchKernel", 2080, 2085, 3);
    t.kernel("b", 2090, 2095, 3);
    const DeviceUse use = useOf(t.finish(), {8, 2095});
    EXPECT_EQ(part(use, IdleCause::firstCall), 2053); // 48 of the module, 2,000 of the launch, 5 of its latency
    EXPECT_EQ(part(use, IdleCause::launchGap), 20);
}

TEST(DeviceUse, WhileTheHostCapturesAGraphTheDeviceWaitsForAFirstCall)
{
    SmallTrace t;
    t.call("hipLaunchKernel", 0, 5, 1);
    t.kernel("k", 10, 50, 1);
    t.call("hipStreamBeginCapture", 60, 61);
    t.call("hipLaunchKernel", 100, 105, 2);
    t.call("hipLaunchKernel", 2000, 2005, 3);
    t.call("hipStreamEndCapture", 3000, 3010);
    t.call("hipGraphLaunch", 3020, 3030, 4);
    t.kernel("k", 3032, 3050, 4);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    ASSERT_EQ(index.captures(index.calls[1].track), (TimeRanges{{60'000, 3'010'000}}));
    EXPECT_EQ(index.capture(index.calls[1]), (TimeRange{60'000, 3'010'000}));
    EXPECT_TRUE(index.calls[2].captured && index.calls[3].captured);
    EXPECT_FALSE(index.calls[1].captured || index.calls[5].captured);
    const DeviceUse use = deviceUse(index, OperatorForest(index), 0, {10'000, 3'050'000});
    EXPECT_EQ(use.idleBy[static_cast<std::size_t>(IdleCause::firstCall)], 2'950'000);
    EXPECT_EQ(use.idleBy[static_cast<std::size_t>(IdleCause::hostWait)], 0);
}

TEST(DeviceUse, ACallThatMakesTheContextIsAFirstCallWhateverItsName)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 5, 1);
    t.kernel("k", 10, 50, 1);
    t.call("cudaFree", 60, 200'060);
    t.call("cudaDeviceGetStreamPriorityRange", 200'060, 400'060);
    t.call("cudaFree", 400'060, 400'160);
    t.call("cudaLaunchKernel", 400'170, 400'175, 2);
    t.kernel("k", 400'180, 400'220, 2);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const DeviceUse use = deviceUse(index, OperatorForest(index), 0, {10'000, 400'220'000});
    EXPECT_EQ(use.idleBy[static_cast<std::size_t>(IdleCause::firstCall)], 400'000'000);
    EXPECT_EQ(use.idleBy[static_cast<std::size_t>(IdleCause::hostWait)], 0);
}

TEST(DataSheet, KnowsADeviceByItsNameAndSizeOrNotAtAll)
{
    trace::DeviceProperties device;
    device.name = "NVIDIA H100 80GB HBM3";
    const Ceilings bf16 = dataSheetCeilings(device, NumberFormat::bf16);
    EXPECT_DOUBLE_EQ(bf16.flops, 990e12);
    EXPECT_DOUBLE_EQ(bf16.memoryBandwidth, 3350e9);
    EXPECT_TRUE(bf16.fromDataSheet);
    EXPECT_EQ(bf16.source, "data sheet of NVIDIA H100 SXM, bf16");
    EXPECT_DOUBLE_EQ(dataSheetCeilings(device, NumberFormat::fp32).flops, 67e12);
    EXPECT_FALSE(dataSheetCeilings(device, NumberFormat::unknown).complete());
    device.name = "NVIDIA H100";
    EXPECT_FALSE(dataSheetCeilings(device, NumberFormat::bf16).complete()) << "SXM or PCIe: unknown";
    device.multiprocessors = 132;
    EXPECT_TRUE(dataSheetCeilings(device, NumberFormat::bf16).complete());
    device = {};
    device.name = "Tesla V100-SXM2-16GB";
    EXPECT_FALSE(dataSheetCeilings(device, NumberFormat::tf32).complete()) << "it has none";
    EXPECT_DOUBLE_EQ(dataSheetCeilings(device, NumberFormat::fp16).flops, 125e12);
    EXPECT_FALSE(dataSheetCeilings(device, NumberFormat::bf16).complete()) << "nor bf16";
    device.name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb";
    EXPECT_FALSE(dataSheetCeilings(device, NumberFormat::fp16).complete()) << "a seventh of one";
    device.name = "AMD Instinct MI250X";
    EXPECT_EQ(dataSheetCeilings(device, NumberFormat::fp16).source,
              "data sheet of AMD Instinct MI250X (one die), fp16");
    device.name = "A GPU of tomorrow";
    EXPECT_FALSE(dataSheetCeilings(device, NumberFormat::fp16).complete());
}

TEST(DeviceUse, ACaptureThatDoesNotEndIsNone)
{
    SmallTrace t;
    t.call("cudaStreamBeginCapture", 0, 5);
    t.call("cudaLaunchKernel", 10, 15, 1);
    t.kernel("k", 20, 50, 1);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    EXPECT_FALSE(index.calls[1].captured);
    EXPECT_FALSE(index.capture(index.calls[0]));
}

TEST(DeviceUse, ALaunchThatTakesAsLongLaterIsNoFirstCall)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 5, 1);
    t.kernel("a", 8, 12, 1);
    t.call("cudaLaunchKernel", 60, 2060, 2);
    t.kernel("b", 2065, 2070, 2);
    t.call("cudaLaunchKernel", 2100, 4100, 3);
    t.kernel("b", 4105, 4110, 3);
    EXPECT_EQ(part(useOf(t.finish(), {8, 4110}), IdleCause::firstCall), 0);
}

TEST(DeviceUse, AllocationsAndCopiesNameTheirGaps)
{
    SmallTrace t;
    t.call("cudaLaunchKernel", 0, 2, 1);
    t.kernel("a", 5, 50, 1);
    t.call("cudaFree", 10, 90); // waits for the device, then takes its time
    t.call("cudaLaunchKernel", 95, 98, 2);
    t.kernel("b", 100, 150, 2);
    t.call("cudaMemcpyAsync", 99, 230, 3); // pageable: blocks
    t.copy(trace::CopyDirection::deviceToHost, 1 << 20, 160, 220, 3, trace::MemoryKind::pageable);
    t.call("cudaLaunchKernel", 236, 238, 4);
    t.kernel("c", 240, 260, 4);
    const DeviceUse use = useOf(t.finish(), {5, 260});
    EXPECT_EQ(part(use, IdleCause::allocation), 50);
    EXPECT_EQ(part(use, IdleCause::copyWait), 30); // 10 before it, 20 after it
    EXPECT_EQ(use.idle, use.window.length() - use.busy);
}

TEST(Kernels, TableSumsByNameAndGivesPercentilesOnlyWhereTheSampleSupportsThem)
{
    SmallTrace t;
    for (int i = 0; i < 300; ++i)
        t.kernel("often", 10 * i, 10 * i + 1 + i % 3);
    t.kernel("rare", 5000, 5700);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const auto rows = kernelTable(index, {0, 10'000'000});
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(index.text(rows[0].name), "rare");
    EXPECT_EQ(rows[0].time.total, 700'000);
    EXPECT_EQ(rows[0].time.p50, 700'000);
    EXPECT_FALSE(rows[0].time.p99.has_value());
    EXPECT_EQ(rows[1].time.count, 300);
    EXPECT_EQ(rows[1].time.total, 600'000);
    EXPECT_EQ(rows[1].time.p50, 2'000);
    EXPECT_EQ(rows[1].time.p99, 3'000);
    EXPECT_NEAR(rows[0].share + rows[1].share, 1, 1e-9);
}

TEST(Occupancy, FollowsTheLimitsOfTheDevice)
{
    trace::DeviceProperties d;
    d.computeMajor = 8;
    d.multiprocessors = 100;
    d.maxThreadsPerMultiprocessor = 2048;
    d.registersPerMultiprocessor = 65536;
    d.sharedBytesPerMultiprocessor = 167936;
    trace::KernelDetail launch;
    launch.grid = {400, 1, 1};
    launch.block = {256, 1, 1};
    launch.registersPerThread = 64;
    OccupancyEstimate e = estimateOccupancy(launch, &d);
    EXPECT_EQ(e.blocksPerMultiprocessor, 4); // 65536 / (8 warps × 2048 registers)
    EXPECT_EQ(e.limiter, "registers");
    EXPECT_DOUBLE_EQ(e.theoretical, 0.5);
    EXPECT_DOUBLE_EQ(e.waves, 1.0);
    EXPECT_DOUBLE_EQ(e.smFill, 1.0);
    launch.grid = {50, 1, 1};
    e = estimateOccupancy(launch, &d);
    EXPECT_DOUBLE_EQ(e.smFill, 0.5);
    EXPECT_DOUBLE_EQ(e.waves, 0.125);
    EXPECT_DOUBLE_EQ(e.achieved, 50.0 * 8 / (100 * 64));
    launch.dynamicSharedBytes = 80 * 1024;
    EXPECT_EQ(estimateOccupancy(launch, &d).limiter, "shared memory");
    EXPECT_LT(estimateOccupancy(launch, nullptr).waves, 0);
    d.multiprocessors = 0;
    EXPECT_LT(estimateOccupancy(launch, &d).smFill, 0);
}

TEST(Transfers, LedgerTellsDirectionMemoryOriginAndWhatNothingHides)
{
    SmallTrace t;
    t.op("aten::to", 0, 10);
    t.call("cudaMemcpyAsync", 2, 8, 1);
    t.copy(trace::CopyDirection::hostToDevice, 12'000'000, 10, 1010, 1, trace::MemoryKind::pageable);
    t.kernel("a", 510, 1510);
    t.call("cudaMemcpy", 1500, 1600, 2);
    t.copy(trace::CopyDirection::deviceToHost, 4000, 1550, 1560, 2);
    trace::Trace trace = t.finish();
    trace::DeviceProperties d;
    d.id = 0;
    d.linkBandwidth = 24'000'000'000;
    trace.devices.push_back(d);
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const TransferLedger ledger = transferLedger(index, forest, {0, 10'000'000}, {});
    ASSERT_EQ(ledger.rows.size(), 2u);
    const TransferRow& up = ledger.rows[0];
    EXPECT_EQ(up.direction, trace::CopyDirection::hostToDevice);
    EXPECT_TRUE(up.touchesPageable());
    EXPECT_EQ(index.text(up.origin), "aten::to");
    EXPECT_EQ(up.exposed, 500'000);
    EXPECT_NEAR(up.bandwidth(), 12e9, 1);
    EXPECT_NEAR(up.linkShare(&trace.devices[0]), 0.5, 1e-9);
    EXPECT_TRUE(ledger.rows[1].blocking);
    EXPECT_EQ(ledger.bytes(trace::CopyDirection::deviceToHost), 4000);
    EXPECT_TRUE(ledger.roundTrips.empty());
}

TEST(Transfers, ARoundTripIsEqualBytesThereAndBackInsideOneIteration)
{
    SmallTrace t;
    for (int i = 0; i < 3; ++i) {
        const int at = i * 100;
        t.copy(trace::CopyDirection::hostToDevice, 9000, at, at + 5);
        t.copy(trace::CopyDirection::deviceToHost, 8000, at + 20, at + 25);
        t.copy(trace::CopyDirection::hostToDevice, 8000, at + 40, at + 45);
        t.copy(trace::CopyDirection::deviceToHost, 9000, at + 80, at + 85); // the output is as large as the next input
    }
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const std::vector<TimeRange> iterations{{0, 100'000}, {100'000, 200'000}, {200'000, 300'000}};
    const TransferLedger ledger = transferLedger(index, forest, {0, 300'000}, iterations);
    ASSERT_EQ(ledger.roundTrips.size(), 3u);
    EXPECT_EQ(ledger.roundTrips[0].bytes, 8000);
}

TEST(Launches, KernelsOfAGraphAreNotShortAgainstTheOneCallThatLaunchesThemAll)
{
    SmallTrace t;
    t.call("cudaGraphLaunch", 0, 40, 1);
    for (int i = 0; i < 4; ++i)
        t.kernelOfGraph("k", 41 + 5 * i, 45 + 5 * i, 1);
    const trace::Trace trace = t.finish();
    const LaunchStatistics s = launchStatistics(TraceIndex(trace), 0, {0, 1'000'000});
    EXPECT_EQ(s.kernels, 4);
    EXPECT_EQ(s.computing, 4);
    EXPECT_EQ(s.shorterThanCall, 0);
    EXPECT_EQ(s.small, 0);
    EXPECT_EQ(s.tiny, 4) << "they are";
}

TEST(Launches, ACallThatLaunchesAGraphCountsOnceWhereTheKernelsDoNotNameTheirGraph)
{
    SmallTrace t;
    t.call("hipLaunchKernel", 0, 6, 1);
    t.kernel("k", 10, 30, 1);
    t.call("hipGraphLaunch", 40, 80, 2);
    for (int i = 0; i < 4; ++i)
        t.kernel("k", 81 + 20 * i, 100 + 20 * i, 2);
    const trace::Trace trace = t.finish();
    const LaunchStatistics s = launchStatistics(TraceIndex(trace), 0, {0, 1'000'000});
    EXPECT_EQ(s.kernels, 5);
    EXPECT_EQ(s.shorterThanCall, 0);
    EXPECT_EQ(s.small, 0);
    EXPECT_EQ(s.call.count, 2);
    EXPECT_EQ(s.graphs, 1);
    EXPECT_EQ(s.delay.total, 5'000) << "of the kernel and of the graph's first one: 4 and 1 µs";
    EXPECT_EQ(s.withoutCall, 0);
}

TEST(Launches, KernelsWhoseLaunchIsNotInTheRecordingAreCounted)
{
    SmallTrace t;
    t.kernel("k", 0, 30, 1);
    t.kernel("k", 30, 50, 2);
    t.call("cudaLaunchKernel", 40, 45, 3);
    t.kernel("k", 50, 60, 3);
    const trace::Trace trace = t.finish();
    const LaunchStatistics s = launchStatistics(TraceIndex(trace), 0, {0, 1'000'000});
    EXPECT_EQ(s.kernels, 3);
    EXPECT_EQ(s.withoutCall, 2);
    EXPECT_EQ(s.withoutCallTime, 50'000);
}

TEST(Launches, CountsKernelsShorterThanTheirCallAndTheDepthOfTheQueue)
{
    SmallTrace t;
    for (int i = 0; i < 4; ++i)
        t.call("cudaLaunchKernel", 10 * i, 10 * i + 8, static_cast<std::uint32_t>(i + 1));
    t.kernel("a", 50, 55, 1);
    t.kernel("b", 55, 60, 2);
    t.kernel("c", 60, 75, 3);
    t.kernel("d", 200, 260, 4);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const LaunchStatistics s = launchStatistics(index, 0, {0, 1'000'000});
    EXPECT_EQ(s.kernels, 4);
    EXPECT_EQ(s.shorterThanCall, 2);
    EXPECT_EQ(s.tiny, 2);
    EXPECT_EQ(s.deepestQueue, 4);
    EXPECT_EQ(s.longDelays, 1);
    EXPECT_EQ(s.delay.shortest, 32'000);
    const auto enqueue = enqueueTimes(index, 0, {{0, 300'000}});
    EXPECT_THAT(enqueue, ::testing::ElementsAre(38'000));
}

} // namespace
} // namespace apertune::analysis
