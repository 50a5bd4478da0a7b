// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives.h"
#include "core/analysis/tensor_layout.h"
#include "small_trace.h"

#include <gtest/gtest.h>

#include <string>

namespace apertune::analysis {
namespace {

using testing::SmallTrace;

constexpr const char* kRecorded =
    R"({"Collective name":"allreduce","dtype":"BFloat16","In msg nelems":1048576,"Out msg nelems":1048576,)"
    R"("Process Group Name":"3","Process Group Description":"undefined","Group size":8})";

TEST(CollectiveCall, IsWhatTheRecorderTells)
{
    const auto call = collectiveCall(kRecorded);
    ASSERT_TRUE(call);
    EXPECT_EQ(call->name, "allreduce");
    EXPECT_EQ(call->bytes, 2 << 20);
    EXPECT_EQ(call->ranks, 8);
    EXPECT_EQ(call->group, "3");
    EXPECT_EQ(call->groupDescription, "");
    EXPECT_DOUBLE_EQ(busBytesPerByte(*call), 1.75);

    const auto gather = collectiveCall(R"({"Collective name":"_allgather_base","dtype":"Float","In msg nelems":"10",)"
                                       R"("Out msg nelems":40,"Group size":4,"Process Group Name":0})");
    ASSERT_TRUE(gather);
    EXPECT_EQ(gather->bytes, 160) << "the larger side";
    EXPECT_EQ(gather->group, "0");
    EXPECT_DOUBLE_EQ(busBytesPerByte(*gather), 0.75);
    EXPECT_DOUBLE_EQ(busBytesPerByte({.name = "broadcast", .ranks = 4}), 1);
    EXPECT_DOUBLE_EQ(busBytesPerByte({.name = "allreduce", .ranks = 1}), 0) << "nothing moves";
}

TEST(CollectiveCall, UnknownIsUnknownAndDamageIsNoNumber)
{
    for (const char* const text : {"", "[]", "{}", "{\"dtype\":1}", "{\"Collective name\":\"\"}", "nonsense"})
        EXPECT_FALSE(collectiveCall(text)) << text;
    const auto call = collectiveCall(
        R"({"Collective name":"x","dtype":"Float","In msg nelems":9223372036854775807,"Group size":-3})");
    ASSERT_TRUE(call);
    EXPECT_EQ(call->bytes, 0);
    EXPECT_EQ(call->ranks, 0);
    EXPECT_EQ(collectiveCall(R"({"Collective name":"x","dtype":"Quaternion","In msg nelems":7})")->bytes, 0);
}

TEST(CollectiveTable, JoinsEqualCallsAndTellsWhatNothingHides)
{
    SmallTrace t;
    const auto collective = [&t](std::int64_t at, std::uint32_t correlation) {
        trace::Event e = t.event("record_param_comms", at, at + 10);
        trace::OperatorDetail detail;
        detail.collective = t.b.intern(kRecorded);
        e.detail = t.b.detail(detail);
        t.b.add(t.host, trace::EventKind::operatorCall, e);
        t.op("nccl:all_reduce", at + 1, at + 9); // the innermost operator tells nothing
        t.call("cudaLaunchKernelExC", at + 2, at + 4, correlation);
    };
    collective(0, 1);
    collective(100, 2);
    const auto nccl = t.b.track({.type = trace::TrackType::stream, .process = 1, .device = 0, .stream = 20});
    for (const auto& [from, to, correlation] : {std::tuple{20, 60, 1}, std::tuple{120, 140, 2}})
        t.b.add(nccl, trace::EventKind::kernel,
                t.event("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*)", from, to,
                        static_cast<std::uint32_t>(correlation)));
    t.kernel("gemm", 50, 90);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const auto rows = collectiveTable(index, forest, {0, 1'000'000});
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].count, 2);
    EXPECT_EQ(rows[0].time, 60'000);
    EXPECT_EQ(rows[0].exposed, 50'000);
    EXPECT_EQ(rows[0].fastest, 20'000);
    EXPECT_NEAR(rows[0].busBandwidth(), 1.75 * (2 << 20) / 20e-6, 1);
    EXPECT_TRUE(collectiveTable(index, forest, {0, 20'000}).empty());
}

TEST(TensorLayout, IsTheOrderOfTheFirstInputsStrides)
{
    EXPECT_EQ(isChannelsLast("[[8, 3, 32, 32], [16, 3, 3, 3]]", "[[3072, 1, 96, 3], [27, 1, 9, 3]]"), true);
    EXPECT_EQ(isChannelsLast("[[8, 3, 32, 32], [16, 3, 3, 3]]", "[[3072, 1024, 32, 1], [27, 9, 3, 1]]"), false);
    EXPECT_EQ(isChannelsLast("[[8, 1, 32, 32]]", "[[1024, 1, 32, 1]]"), std::nullopt) << "one channel";
    EXPECT_EQ(isChannelsLast("[[8, 64, 1, 1]]", "[[64, 1, 64, 64]]"), std::nullopt) << "one pixel";
    EXPECT_EQ(isChannelsLast("[[8, 64, 32]]", "[[2048, 1, 64]]"), std::nullopt);
    EXPECT_EQ(isChannelsLast("[[8, 3, 32, 32]]", ""), std::nullopt);
    EXPECT_EQ(isChannelsLast("[[8, 3, 32, 32]]", "[[1, 2]]"), std::nullopt);
}

TEST(TensorLayout, ConvolutionsCountOnceByTheOutermostThatTells)
{
    SmallTrace t;
    const auto convolution = [&t](const char* name, std::int64_t from, std::int64_t to, const char* strides) {
        trace::Event e = t.event(name, from, to);
        trace::OperatorDetail detail;
        detail.inputShapes = t.b.intern("[[8, 3, 32, 32]]");
        if (strides)
            detail.inputStrides = t.b.intern(strides);
        e.detail = t.b.detail(detail);
        t.b.add(t.host, trace::EventKind::operatorCall, e);
    };
    convolution("aten::conv2d", 0, 100, "[[3072, 1, 96, 3]]");
    convolution("aten::mkldnn_convolution", 10, 90, "[[3072, 1024, 32, 1]]");
    convolution("aten::conv2d", 200, 230, "[[3072, 1024, 32, 1]]");
    convolution("aten::conv2d", 300, 320, nullptr);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const ConvolutionLayouts layouts = convolutionLayouts(index, forest, {0, 1'000'000});
    EXPECT_EQ(layouts.last, 100'000);
    EXPECT_EQ(layouts.first, 30'000);
    EXPECT_EQ(layouts.unknown, 20'000);
    EXPECT_TRUE(layouts.isMostlyLast());
}

} // namespace
} // namespace apertune::analysis
