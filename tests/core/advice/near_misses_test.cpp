// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules.h"
#include "core/sentences/sentences.h"
#include "planted_traces.h"
#include "recorder.h"

#include <gtest/gtest.h>

#include <algorithm>

// Traces that look like a rule's cause and are none.
namespace apertune::advice {
namespace {

using testing::Dice;
using testing::Recorder;

RuleResult resultOf(const trace::Trace& trace, const Context& context, const std::string& rule)
{
    const std::vector<RuleResult> results = evaluateRules(Facts(trace, context));
    return *std::find_if(results.begin(), results.end(), [&](const RuleResult& r) { return r.rule == rule; });
}

RuleState stateOf(const trace::Trace& trace, const std::string& rule, const Context& context = {})
{
    return resultOf(trace, context, rule).state;
}

/// Passes of a device with one kernel that `change` makes and others beside it.
template <typename Change>
trace::Trace passes(int count, Change change)
{
    Dice dice(7);
    Recorder r(dice);
    for (int i = 0; i < count; ++i) {
        const std::int64_t began = r.now();
        for (int k = 0; k < 6; ++k)
            r.run({.op = "aten::relu_", .name = "void at::native::vectorized_elementwise_kernel<4>(int)"});
        change(r, i);
        r.synchronize();
        r.range("ProfilerStep#" + std::to_string(i), began, r.now());
    }
    return r.finish();
}

trace::Trace withConvolution(const char* shapes, const char* types)
{
    return passes(12, [&](Recorder& r, int) {
        r.run({.op = "aten::cudnn_convolution",
               .name = "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc",
               .time = 400e3,
               .shapes = shapes,
               .types = types});
    });
}

TEST(NearMisses, OnlyConvolutionsThatPadTheirChannelsAreUnaligned)
{
    constexpr const char* kRule = "unaligned-channels";
    constexpr const char* kHalf = "[\"c10::Half\", \"c10::Half\"]";
    EXPECT_EQ(stateOf(withConvolution("[[8, 100, 28, 28], [64, 100, 3, 3]]", kHalf), kRule), RuleState::fired);
    EXPECT_EQ(stateOf(withConvolution("[[8, 64, 28, 28], [64, 64, 3, 3]]", kHalf), kRule), RuleState::quiet);
    EXPECT_EQ(stateOf(withConvolution("[[8, 3, 224, 224], [64, 3, 7, 7]]", kHalf), kRule), RuleState::quiet)
        << "libraries have kernels for images";
    EXPECT_EQ(stateOf(withConvolution("[[8, 100, 28, 28], [100, 1, 3, 3]]", kHalf), kRule), RuleState::quiet)
        << "a convolution of each channel by itself";
    EXPECT_EQ(stateOf(withConvolution("[[8, 100, 28, 28], [64, 100, 3, 3]]", "[\"float\", \"float\"]"), kRule),
              RuleState::quiet)
        << "another multiple counts for wide numbers";
    EXPECT_EQ(stateOf(withConvolution("[[8, 100", kHalf), kRule), RuleState::quiet) << "damaged shapes";
}

TEST(NearMisses, ATrialThatAsksForWideNumbersHasNoFloatLayers)
{
    testing::Planted planted = testing::plantedTrace(testing::Plant::cpuFloatLayers, testing::kSeed);
    EXPECT_EQ(stateOf(planted.trace, "float-layers", planted.context), RuleState::fired);
    planted.context.config->precision = model::Precision::fp32;
    EXPECT_EQ(stateOf(planted.trace, "float-layers", planted.context), RuleState::quiet);
    testing::Planted unknown = testing::plantedTrace(testing::Plant::cpuNone, testing::kSeed);
    unknown.context.config->precision = model::Precision::int8;
    EXPECT_EQ(stateOf(unknown.trace, "float-layers", unknown.context), RuleState::quiet)
        << "operators without recorded types are what was asked for";
}

trace::Trace withClock(const std::string& reason, std::int64_t mhz)
{
    Dice dice(3);
    Recorder r(dice);
    for (int i = 0; i < 60; ++i)
        r.run({.op = "aten::relu_", .name = "void at::native::vectorized_elementwise_kernel<4>(int)"});
    r.clockState(reason, r.now() / 3, r.now(), mhz);
    r.clockState("application clocks", 0, r.now() / 4, 1980);
    return r.finish();
}

TEST(NearMisses, AClockThatNobodyHoldsDownIsFree)
{
    EXPECT_EQ(stateOf(withClock("heat, by software", 1200), "held-clock"), RuleState::fired);
    EXPECT_EQ(stateOf(withClock("idle", 1200), "held-clock"), RuleState::quiet);
    EXPECT_EQ(stateOf(withClock("application clocks", 1200), "held-clock"), RuleState::quiet) << "somebody chose it";
    EXPECT_EQ(stateOf(withClock("power cap", 1950), "held-clock"), RuleState::quiet) << "it lost next to nothing";
    const RuleResult held = resultOf(withClock("power cap", 1200), {}, "held-clock");
    ASSERT_EQ(held.state, RuleState::fired);
    EXPECT_NE(sentences::sentence(held.findings[0].text).find("at 1200 MHz where it reaches 1980 MHz"),
              std::string::npos)
        << sentences::sentence(held.findings[0].text);
    EXPECT_EQ(held.findings[0].shareOf, ShareOf::trust) << "no gain is promised";
}

TEST(NearMisses, TwoKindsOfIterationsAreNoSlowOnes)
{
    const auto alternating = [](int every) {
        return passes(40, [every](Recorder& r, int i) {
            if (i % every == every - 1)
                r.spend(5'000'000);
        });
    };
    EXPECT_EQ(stateOf(alternating(2), "slow-iterations"), RuleState::quiet) << "every other one is another kind";
    const RuleResult few = resultOf(alternating(13), {}, "slow-iterations");
    ASSERT_EQ(few.state, RuleState::fired);
    EXPECT_EQ(few.findings[0].cause, Cause::host);
    EXPECT_NE(sentences::sentence(few.findings[0].text).find("3 of 4"), std::string::npos)
        << sentences::sentence(few.findings[0].text);
    EXPECT_EQ(stateOf(passes(15, [](Recorder& r, int i) { r.spend(i == 9 ? 5'000'000 : 0); }), "slow-iterations"),
              RuleState::quiet)
        << "one of fifteen says nothing";
}

TEST(NearMisses, APauseOfACpuMayBeAnotherProgram)
{
    const auto slowBy = [](const char* op) {
        Dice dice(11);
        Recorder r(dice);
        for (int i = 0; i < 40; ++i) {
            const std::int64_t began = r.now();
            for (int k = 0; k < 3; ++k)
                r.hostOperator("aten::addmm", dice.about(1e6, 0.01));
            if (i % 13 == 12 && op)
                r.hostOperator(op, 9'000'000);
            else if (i % 13 == 12)
                r.spend(9'000'000);
            r.hostOperator("aten::addmm", dice.about(1e6, 0.01));
            r.range("ProfilerStep#" + std::to_string(i), began, r.now());
        }
        return resultOf(r.finish(), {}, "slow-iterations");
    };
    const RuleResult pause = slowBy(nullptr);
    ASSERT_EQ(pause.state, RuleState::fired);
    EXPECT_EQ(pause.findings[0].shareOf, ShareOf::trust) << sentences::sentence(pause.findings[0].text);
    const RuleResult copies = slowBy("aten::copy_");
    ASSERT_EQ(copies.state, RuleState::fired);
    EXPECT_EQ(copies.findings[0].shareOf, ShareOf::time);
    EXPECT_NE(sentences::sentence(copies.findings[0].text).find("moving data"), std::string::npos)
        << sentences::sentence(copies.findings[0].text);
}

TEST(NearMisses, NetworksThatResizeAndWorkersThatDecodePrepareNoImages)
{
    const auto onHost = [](const char* op) {
        return passes(12, [op](Recorder& r, int) {
            r.synchronize();
            r.hostOperator(op, 1'000'000);
        });
    };
    EXPECT_EQ(stateOf(onHost("image::decode_jpeg"), "image-preparation"), RuleState::fired);
    EXPECT_EQ(stateOf(onHost("aten::upsample_bilinear2d"), "image-preparation"), RuleState::quiet);
    EXPECT_EQ(stateOf(onHost("torchvision::nms"), "slow-nms"), RuleState::fired);
    EXPECT_EQ(stateOf(onHost("aten::nms_like_sort"), "slow-nms"), RuleState::quiet);
    Dice dice(5);
    Recorder r(dice);
    for (int i = 0; i < 200; ++i)
        r.run({.op = "aten::relu_", .name = "void at::native::vectorized_elementwise_kernel<4>(int)"});
    const trace::TrackId worker = r.builder().track({.type = trace::TrackType::hostThread, .process = 1, .thread = 9});
    trace::Event decode;
    decode.start = {2'000'000};
    decode.duration = {r.now() - 3'000'000};
    decode.name = r.builder().intern("image::decode_jpeg");
    r.builder().add(worker, trace::EventKind::operatorCall, decode);
    EXPECT_EQ(stateOf(r.finish(), "image-preparation"), RuleState::quiet) << "nothing waits for it";
}

} // namespace
} // namespace apertune::advice
