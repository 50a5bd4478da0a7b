// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/support/plugin_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace apertune::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Switches = std::vector<std::string>;

const Switches kO1{"jit_optimize", "freeze", "optimize_for_inference"};
const Switches kO2{"jit_optimize", "freeze", "onednn_graph"};

std::vector<double> result(const Configuration& configuration)
{
    Client client(configuration);
    EXPECT_EQ(client.status, APERTUNE_OK) << client.error;
    EXPECT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    const auto outputs = client.outputs(0);
    EXPECT_EQ(outputs.size(), 1U);
    return outputs.empty() ? std::vector<double>{} : outputs.front().values;
}

TEST(LibTorchDescribe, NamesItsDevicesAndSaysWhyThereIsNoGpu)
{
    const Json info = describePlugin();
    EXPECT_EQ(info.at("name"), "libtorch");
    EXPECT_THAT(info.at("version").get<std::string>(), StartsWith("2."));
    EXPECT_EQ(info.at("devices").at(0).at("id"), "cpu");
    EXPECT_EQ(info.at("notes").dump().find("CUDA is unavailable") == std::string::npos, hasCuda());
}

TEST(LibTorchOutputs, EverySwitchLeavesTheResultAlmostTheSame)
{
    const auto reference = result({.artifact = "convnet", .batch = 2});
    ASSERT_EQ(reference.size(), 20U);
    for (const Switches& switches : {Switches{"freeze"}, Switches{"jit_optimize"}, Switches{"channels_last"},
                                     Switches{"freeze", "channels_last"}, Switches{"optimize_for_inference"}, kO1, kO2})
        EXPECT_LT(largestDifference(result({.artifact = "convnet", .switches = switches, .batch = 2}), reference), 1e-4)
            << switches.back();
}

TEST(LibTorchOutputs, OfAModelWithStateOrRandomNumbersAreTheSameInEveryPassAndConfiguration)
{
    for (const char* artifact : {"counts", "draws"}) {
        const auto reference = result({.artifact = artifact});
        ASSERT_EQ(reference.size(), 8U);
        for (const Switches& switches : {Switches{}, Switches{"freeze"}, kO1, kO2}) {
            Client client({.artifact = artifact, .switches = switches});
            ASSERT_EQ(client.status, APERTUNE_OK) << client.error;
            ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
            for (int pass = 0; pass < 2; ++pass)
                EXPECT_LT(largestDifference(client.outputs(0).front().values, reference), 1e-5)
                    << artifact << " " << (switches.empty() ? "as loaded" : switches.back()) << " " << pass;
        }
    }
}

TEST(LibTorchOutputs, SixteenBitStaysCloseAndDiffers)
{
    const auto reference = result({.artifact = "convnet"});
    for (const Switches& switches : {Switches{}, Switches{"freeze"}, kO2}) {
        const auto rounded = result({.artifact = "convnet", .switches = switches, .precision = "bf16"});
        EXPECT_GT(cosine(rounded, reference), 0.999);
        EXPECT_GT(largestDifference(rounded, reference), 0);
    }
}

TEST(LibTorchOutputs, ABatchHoldsTheSamplesThatFollowOneAnother)
{
    Client singles({.artifact = "convnet", .inputs = 4});
    Client pairs({.artifact = "convnet", .batch = 2, .inputs = 2});
    std::vector<double> joined = singles.outputs(2).at(0).values;
    const auto fourth = singles.outputs(3).at(0).values;
    EXPECT_GT(largestDifference(joined, fourth), 1e-3) << "the input sets are all alike";
    joined.insert(joined.end(), fourth.begin(), fourth.end());
    EXPECT_LT(largestDifference(pairs.outputs(1).at(0).values, joined), 1e-5);
    EXPECT_LT(largestDifference(pairs.outputs(3).at(0).values, joined), 1e-5) << "the number is taken modulo the sets";
}

TEST(LibTorchOutputs, SeveralInputsAndOutputsKeepTheirNamesAndTypes)
{
    Client client({.artifact = "pair", .batch = 3});
    const auto outputs = client.outputs(0);
    ASSERT_EQ(outputs.size(), 2U) << client.error;
    EXPECT_EQ(outputs[0].name, "score");
    EXPECT_EQ(outputs[0].dtype, APERTUNE_FLOAT32);
    EXPECT_EQ(outputs[0].shape, (std::vector<std::int64_t>{3, 8}));
    EXPECT_EQ(outputs[1].name, "best");
    EXPECT_EQ(outputs[1].dtype, APERTUNE_INT64);
    for (std::size_t row = 0; row < 3; ++row) {
        const auto first = outputs[0].values.begin() + static_cast<std::ptrdiff_t>(row * 8);
        EXPECT_EQ(std::max_element(first, first + 8) - first, outputs[1].values[row]);
    }
}

TEST(LibTorchOutputs, NestedResultsAreFlattenedByPath)
{
    Client client({.artifact = "nested", .batch = 2});
    const auto outputs = client.outputs(0);
    ASSERT_EQ(outputs.size(), 3U) << client.error;
    EXPECT_EQ(outputs[0].name, "0");
    EXPECT_EQ(outputs[1].name, "1.parts.0");
    EXPECT_EQ(outputs[2].name, "1.parts.1");
    EXPECT_EQ(outputs[2].dtype, APERTUNE_INT64);
    EXPECT_EQ(outputs[2].values, (std::vector<double>{1, 1}));
}

TEST(LibTorchReport, FreezeIsReadFromWhatIsLeftInTheModule)
{
    Client loose({.artifact = "convnet"});
    Client frozen({.artifact = "convnet", .switches = {"freeze"}});
    EXPECT_EQ(loose.state("freeze"), "off");
    EXPECT_EQ(frozen.state("freeze"), "on");
    EXPECT_THAT(frozen.evidence("freeze"), StartsWith("0 of "));
    EXPECT_THAT(loose.evidence("freeze"), ::testing::Not(StartsWith("0 of ")));
}

TEST(LibTorchReport, OptimizeForInferenceShowsTheNodesItReplaced)
{
    Client client({.artifact = "convnet", .switches = kO1});
    EXPECT_EQ(client.state("optimize_for_inference"), "on");
    EXPECT_THAT(client.evidence("optimize_for_inference"), HasSubstr("prim::mkldnn_convolution 0 -> 3"));
    EXPECT_EQ(Client({.artifact = "convnet", .switches = {"freeze"}}).state("optimize_for_inference"), "off");
}

TEST(LibTorchReport, OneDnnGraphIsSeenInTheExecutedGraphAndGoneWithTheNextSession)
{
    Client fused({.artifact = "convnet", .switches = kO2});
    EXPECT_EQ(fused.state("onednn_graph"), "requested_not_in_effect") << "nothing ran yet";
    ASSERT_EQ(fused.warmUp(), APERTUNE_OK) << fused.error;
    EXPECT_EQ(fused.state("onednn_graph"), "on") << fused.evidence("onednn_graph");

    Client plain({.artifact = "convnet", .switches = {"jit_optimize", "freeze"}});
    ASSERT_EQ(plain.warmUp(), APERTUNE_OK);
    EXPECT_EQ(plain.state("onednn_graph"), "off") << plain.evidence("onednn_graph");

    EXPECT_EQ(fused.state("onednn_graph"), "on") << "the sessions are told apart";

    Client again({.artifact = "convnet", .switches = kO2});
    ASSERT_EQ(again.warmUp(), APERTUNE_OK);
    EXPECT_EQ(again.state("onednn_graph"), "on") << again.evidence("onednn_graph");
}

TEST(LibTorchReport, AModelThatOneDnnGraphFailsOnRunsWithoutIt)
{
    Client client({.artifact = "windows", .switches = kO2});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("onednn_graph"), "requested_not_in_effect");
    EXPECT_THAT(client.evidence("onednn_graph"), StartsWith("left out"));
    EXPECT_EQ(client.state("freeze"), "on") << "the rest of the level stays";
}

TEST(LibTorchReport, TheExecutorIsReadBack)
{
    Client simple({.artifact = "convnet"});
    ASSERT_EQ(simple.warmUp(), APERTUNE_OK);
    EXPECT_EQ(simple.state("jit_optimize"), "off");
    Client profiling({.artifact = "convnet", .switches = {"jit_optimize"}});
    EXPECT_EQ(profiling.state("jit_optimize"), "requested_not_in_effect") << "nothing ran yet";
    ASSERT_EQ(profiling.warmUp(), APERTUNE_OK);
    EXPECT_EQ(profiling.state("jit_optimize"), "on") << profiling.evidence("jit_optimize");
}

TEST(LibTorchReport, ChannelsLastIsReadFromTheStrides)
{
    EXPECT_EQ(Client({.artifact = "convnet"}).state("channels_last"), "off");
    EXPECT_EQ(Client({.artifact = "convnet", .switches = {"channels_last"}}).state("channels_last"), "on");
    // oneDNN's own weight layout takes the place of NHWC.
    Client both({.artifact = "convnet", .switches = {"freeze", "optimize_for_inference", "channels_last"}});
    EXPECT_EQ(both.state("channels_last"), "requested_not_in_effect") << both.evidence("channels_last");
}

TEST(LibTorchReport, ThePrecisionIsReadFromTheWeights)
{
    EXPECT_THAT(Client({.artifact = "convnet"}).evidence("precision"), HasSubstr(" Float"));
    Client half({.artifact = "convnet", .switches = {"freeze"}, .precision = "bf16"});
    EXPECT_EQ(half.state("precision"), "on");
    EXPECT_THAT(half.evidence("precision"), HasSubstr("BFloat16"));
}

TEST(LibTorchReport, WhatACpuLacksIsNotApplicable)
{
    Client client({.artifact = "convnet"});
    for (const char* name : {"tf32", "cudnn_benchmark", "cuda_graph", "aoti", "aoti_dynamic_batch", "sdpa_math"})
        EXPECT_EQ(client.state(name), "not_applicable") << name;
}

TEST(LibTorchReport, TheKernelsThatComputeAttentionAreSeenInAPass)
{
    Client own({.artifact = "attention"});
    EXPECT_EQ(own.state("sdpa_math"), "off");
    EXPECT_THAT(own.evidence("sdpa_math"), HasSubstr("flash_attention_for_cpu ×1"));
    Client plain({.artifact = "attention", .switches = {"sdpa_math"}});
    EXPECT_EQ(plain.state("sdpa_math"), "on");
    EXPECT_EQ(plain.evidence("sdpa_math"), "attention by attention_math ×1");
    EXPECT_LT(largestDifference(result({.artifact = "attention", .switches = {"sdpa_math"}}),
                                result({.artifact = "attention"})),
              1e-4);
    EXPECT_EQ(Client({.artifact = "attention"}).state("sdpa_math"), "off") << "the next configuration chooses anew";
}

TEST(LibTorchReport, EverySwitchThatIsKnownIsReported)
{
    for (const Switches& switches : {Switches{}, kO1, kO2}) {
        Client client({.artifact = "convnet", .switches = switches});
        const Json described = describePlugin();
        for (const Json& name : described.at("switches"))
            EXPECT_NE(client.state(name), "not reported") << name;
    }
}

TEST(LibTorchMemory, ThePeakGrowsWithTheBatchAndIsForgottenOnReset)
{
    const auto peak = [](Client& client) {
        return client.report().at("memory").at("allocator_peak").get<std::int64_t>();
    };
    Client small({.artifact = "convnet", .batch = 1});
    ASSERT_EQ(small.warmUp(), APERTUNE_OK);
    ASSERT_EQ(small.resetPeaks(), APERTUNE_OK);
    const std::int64_t idle = peak(small);
    ASSERT_EQ(small.run(0), APERTUNE_OK);
    const std::int64_t one = peak(small);
    EXPECT_GT(one, idle);

    Client large({.artifact = "convnet", .batch = 64});
    ASSERT_EQ(large.warmUp(), APERTUNE_OK);
    // The activations of 64 images of 16x16x16 floats at least.
    EXPECT_GT(peak(large), one + 64 * 16 * 16 * 16 * 4);
    large.close();
    ASSERT_EQ(small.resetPeaks(), APERTUNE_OK);
    ASSERT_EQ(small.run(0), APERTUNE_OK);
    EXPECT_LT(peak(small), one + 64 * 16 * 16 * 16 * 4);
    EXPECT_TRUE(small.report().at("memory").at("device_peak").is_null());
}

TEST(LibTorchMemory, KeptMemoryNeedsNoFreshPages)
{
    // A whole batch of activations is several MiB, far above the size from which blocks are mapped on their own.
    Client keeping({.artifact = "convnet", .switches = {"keep_memory"}, .batch = 256});
    ASSERT_EQ(keeping.warmUp(), APERTUNE_OK);
    EXPECT_EQ(keeping.state("keep_memory"), "on");
    const auto faults = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_minflt;
    };
    const long before = faults();
    constexpr int kPasses = 10;
    for (int i = 0; i < kPasses; ++i)
        ASSERT_EQ(keeping.run(0), APERTUNE_OK);
    // Each pass would pay for over 1,000 fresh pages.
    EXPECT_LT(faults() - before, 200 * kPasses);
    keeping.close();
    EXPECT_EQ(Client({.artifact = "convnet"}).state("keep_memory"), "off");
}

TEST(LibTorchMemory, InputsAreMadeInPlaceAndNotCopiedFromABatchOfTheirOwn)
{
    Client client({.artifact = "convnet", .switches = {"channels_last"}, .precision = "bf16"});
    ASSERT_EQ(client.resetPeaks(), APERTUNE_OK);
    const auto peak = [&] { return client.report().at("memory").at("allocator_peak").get<std::int64_t>(); };
    const std::int64_t before = peak();
    constexpr std::int64_t kBatch = 4096;
    constexpr std::int64_t kBytes = kBatch * 3 * 32 * 32 * 2; // bytes of one input set
    const Client large(
        {.artifact = "convnet", .switches = {"channels_last"}, .precision = "bf16", .batch = kBatch, .inputs = 2});
    ASSERT_EQ(large.status, APERTUNE_OK) << large.error;
    EXPECT_GE(peak() - before, 2 * kBytes);
    EXPECT_LT(peak() - before, 3 * kBytes) << "a batch stood in memory that is no input";
}

TEST(LibTorchOutputs, ABatchLargerThanTheReferenceSamplesRepeatsThem)
{
    Client singles({.artifact = "convnet", .inputs = 1});
    Client many({.artifact = "convnet", .switches = {"channels_last"}, .batch = 67, .inputs = 2});
    const auto first = singles.outputs(0).at(0).values;
    const auto all = many.outputs(0).at(0).values;
    ASSERT_EQ(all.size(), 67 * first.size()) << many.error;
    std::size_t like = 0;
    for (std::size_t row = 1; row < 67; ++row) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * first.size());
        like += largestDifference({begin, begin + static_cast<std::ptrdiff_t>(first.size())}, first) < 1e-4;
    }
    EXPECT_GT(like, 0U) << "the first sample does not come again";
    EXPECT_LT(like, 66U) << "every sample is the first";
}

TEST(LibTorchTimer, ACpuHasNoClockOfItsOwn)
{
    EXPECT_EQ(Client({.artifact = "convnet"}).deviceNanoseconds(2), 0U);
}

} // namespace
} // namespace apertune::test
