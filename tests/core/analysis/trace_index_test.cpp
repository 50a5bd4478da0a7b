// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_forest.h"
#include "core/analysis/trace_index.h"
#include "core/trace/trace_builder.h"

#include <gtest/gtest.h>

namespace apertune::analysis {
namespace {

TEST(TraceIndex, ProcessesThatCountTheirCallsAlikeAreKeptApart)
{
    // Two processes and two devices that do the same a little apart; `recorded`: the recorder says whose a stream is.
    for (const bool recorded : {false, true}) {
        trace::TraceBuilder b;
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            const trace::TrackId host =
                b.track({.type = trace::TrackType::hostThread, .process = 10 + rank, .thread = 1});
            const trace::TrackId stream =
                b.track({.type = trace::TrackType::stream,
                         .process = recorded ? 10 + rank : -1,
                         .device = recorded ? 0 : 1 - rank, // number and order would match the other process
                         .stream = 7 + rank});
            for (std::uint32_t i = 0; i < 20; ++i) {
                trace::Event e;
                e.name = b.intern("cudaLaunchKernel");
                e.correlation = i + 1;
                e.start = {i * 100'000 + rank * 30'000};
                e.duration = {5'000};
                b.add(host, trace::EventKind::runtimeCall, e);
                e.name = b.intern("cuLaunchKernel");
                b.add(host, trace::EventKind::driverCall, e);
                e.name = b.intern("kernel");
                e.start = {e.start.count + 8'000};
                b.add(stream, trace::EventKind::kernel, e);
            }
        }
        const trace::Trace trace = b.finish(false);
        const TraceIndex index(trace);
        for (const Work& work : index.work) {
            ASSERT_NE(work.call, kNone);
            const HostCall& call = index.calls[static_cast<std::size_t>(work.call)];
            EXPECT_EQ(work.time.start - call.time.start, 8'000) << "of the other process";
            EXPECT_EQ(index.text(call.name), "cudaLaunchKernel");
        }
    }
}

TEST(OperatorForest, ARecursionWithoutEndCountsInItsThousandthCall)
{
    trace::TraceBuilder b;
    trace::EventColumns& operators = b.columns(
        b.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1}), trace::EventKind::operatorCall);
    constexpr std::int64_t kCalls = 100'000;
    for (std::int64_t i = 0; i < kCalls; ++i) {
        trace::Event e;
        e.name = b.intern("aten::recurse");
        e.start = {i};
        e.duration = {2 * (kCalls - i)};
        operators.append(e);
    }
    const trace::Trace trace = b.finish(false);
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    ASSERT_EQ(forest.nodes.size(), 1000u);
    EXPECT_EQ(forest.nodes.front().selfTime, 1 + 1) << "before and after the one that it calls";
    EXPECT_EQ(forest.nodes.back().selfTime, 2 * (kCalls - 999)) << "with all that is deeper";
    const TimeRange always{0, 3 * kCalls};
    EXPECT_EQ(summarizeTree(index, forest, always).size(), 1000u);
    const std::vector<OperatorSummary> names = summarizeOperators(index, forest, always);
    ASSERT_EQ(names.size(), 1u);
    EXPECT_EQ(names.front().hostTime, 2 * kCalls);
}

} // namespace
} // namespace apertune::analysis
