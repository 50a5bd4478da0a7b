// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/tensorrt/fake_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace apertune::test {
namespace {

using testing::HasSubstr;

constexpr std::size_t kSample = 3 * 4 * 4;

TEST(TensorRt, TellsItsOwnLevelsSwitchesAndTheGpu)
{
    const Json description = describePlugin();
    EXPECT_EQ(description.at("name"), "tensorrt");
    EXPECT_EQ(description.at("formats"), (Json{"onnx"}));
    EXPECT_EQ(description.at("levels"), (Json{{"O0", Json::array()},
                                              {"O1", {"builder_optimization_level_2"}},
                                              {"O2", {"builder_optimization_level_3"}},
                                              {"O3", {"builder_optimization_level_5", "cuda_graph"}}}));
    EXPECT_EQ(description.at("precisions"), (Json{"fp32", "tf32", "bf16", "fp16", "int8"}));
    ASSERT_EQ(description.at("devices").size(), 1U);
    EXPECT_EQ(description["devices"][0].at("id"), "cuda:0");
    EXPECT_EQ(description["devices"][0].at("name"), "Fake GPU");
    EXPECT_EQ(description["devices"][0].at("memory_bytes"), 64 << 20);
    EXPECT_EQ(description["devices"][0].at("capability"), "9.0");
    EXPECT_EQ(description["devices"][0].at("uuid"), "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f");
    for (const Json& info : description.at("switches"))
        EXPECT_FALSE(info.at("summary").get<std::string>().empty());
}

TEST(TensorRt, ABatchGivesTheAnswersOfItsSamplesInTurn)
{
    Client single(fakeConfiguration("model"));
    Client pair(fakeConfiguration("model", Json::object(), 2));
    ASSERT_EQ(single.warmUp(), APERTUNE_OK) << single.error;
    ASSERT_EQ(pair.warmUp(), APERTUNE_OK) << pair.error;
    const auto first = single.outputs(0);
    const auto second = single.outputs(1);
    const auto both = pair.outputs(0);
    ASSERT_EQ(both.size(), 1U);
    EXPECT_EQ(both[0].name, first.at(0).name);
    EXPECT_EQ(both[0].shape, (std::vector<std::int64_t>{2, 5}));
    std::vector<double> expected = first[0].values;
    expected.insert(expected.end(), second[0].values.begin(), second[0].values.end());
    EXPECT_EQ(both[0].values, expected);
    EXPECT_NE(first[0].values, second[0].values);
}

TEST(TensorRt, OutputsOfEveryTypeAreWidened)
{
    // DataType's own numbers, and value 1 of the first sample.
    for (const auto& [type, integer, value] :
         {std::tuple{1, false, 1.0}, {3, true, 1.0}, {8, true, 1.0}, {2, true, -1.0}, {4, true, 1.0}}) {
        Client client(fakeConfiguration("types", {{"outputs", {{{"name", "y"}, {"shape", {-1, 5}}, {"type", type}}}}}));
        const auto outputs = client.outputs(0);
        ASSERT_EQ(outputs.size(), 1U) << client.error;
        EXPECT_EQ(outputs[0].dtype, integer ? APERTUNE_INT64 : APERTUNE_FLOAT32) << type;
        EXPECT_EQ(outputs[0].values.at(1), value) << type;
    }
    Client plain(fakeConfiguration("model"));
    Client rounded(fakeConfiguration("types", {{"outputs", {{{"name", "y"}, {"shape", {-1, 5}}, {"type", 7}}}}}));
    EXPECT_LT(largestDifference(plain.outputs(0).at(0).values, rounded.outputs(0).at(0).values), 0.5);
}

TEST(TensorRt, EachLevelBuildsAtItsOwnEffortAsTheBuilderTellsIt)
{
    const std::vector<std::pair<std::vector<std::string>, int>> levels{{{}, 0},
                                                                       {{"builder_optimization_level_2"}, 2},
                                                                       {{"builder_optimization_level_3"}, 3},
                                                                       {{"builder_optimization_level_5"}, 5}};
    for (const auto& [switches, effort] : levels) {
        Client client(fakeConfiguration("model", Json::object(), 1, switches));
        ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
        for (const int other : {2, 3, 5}) {
            const std::string name = "builder_optimization_level_" + std::to_string(other);
            EXPECT_EQ(client.state(name), other == effort ? "on" : "off") << effort;
        }
        EXPECT_THAT(client.evidence("builder_optimization_level_3"), HasSubstr("level " + std::to_string(effort)));
    }
}

TEST(TensorRt, TheHighestOfTwoBuilderLevelsCounts)
{
    Client client(fakeConfiguration("model", Json::object(), 1,
                                    {"builder_optimization_level_2", "builder_optimization_level_5"}));
    EXPECT_EQ(client.state("builder_optimization_level_2"), "requested_not_in_effect");
    EXPECT_EQ(client.state("builder_optimization_level_5"), "on");
}

TEST(TensorRt, Fp32IsFp32AndTf32IsSeenInTheKernels)
{
    Configuration configuration = fakeConfiguration("model");
    Client exact(configuration);
    EXPECT_EQ(exact.state("tf32"), "off") << exact.error;
    configuration.precision = "tf32";
    Client fast(configuration);
    EXPECT_EQ(fast.state("tf32"), "on") << fast.error;
    EXPECT_EQ(fast.state("precision"), "on");
    EXPECT_THAT(fast.evidence("precision"), HasSubstr("2 of 2 layers"));
}

TEST(TensorRt, SixteenBitsAreReadBackLayerByLayer)
{
    for (const char* precision : {"fp16", "bf16"}) {
        Configuration configuration = fakeConfiguration("model");
        configuration.precision = precision;
        Client client(configuration);
        EXPECT_EQ(client.state("precision"), "on") << client.error;
        const Json report = client.report();
        for (const Json& line : report.at("applied"))
            if (line.at("switch") == "precision") {
                EXPECT_EQ(line.at("layers"), (Json{"conv0", "conv1"}));
            }
    }
}

TEST(TensorRt, Int8IsWhatTheFileQuantizes)
{
    Configuration configuration = fakeConfiguration("plain");
    configuration.precision = "int8";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "quantizes nothing");
    configuration = fakeConfiguration("quantized", {{"layers", {"quantize", "conv"}}});
    configuration.precision = "int8";
    Client client(configuration);
    EXPECT_EQ(client.state("precision"), "on") << client.error;
    EXPECT_THAT(client.evidence("precision"), HasSubstr("1 of 2 layers"));
    EXPECT_EQ(client.state("tf32"), "off");
}

TEST(TensorRt, ACudaGraphGivesTheAnswersOfEachInputSet)
{
    const Configuration configuration = fakeConfiguration("model", Json::object(), 2, {"cuda_graph"});
    Client client(configuration);
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    const auto before = std::pair(client.outputs(0).at(0).values, client.outputs(1).at(0).values);
    EXPECT_EQ(client.state("cuda_graph"), "requested_not_in_effect");
    ASSERT_EQ(client.finalize(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("cuda_graph"), "on");
    EXPECT_THAT(client.evidence("cuda_graph"), HasSubstr("1 nodes"));
    EXPECT_EQ(client.outputs(0).at(0).values, before.first);
    EXPECT_EQ(client.outputs(1).at(0).values, before.second);
}

TEST(TensorRt, ACaptureThatFailsIsSaidAndPassesGoOn)
{
    Client client(fakeConfiguration("waits", {{"no_capture", true}}, 1, {"cuda_graph"}));
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    ASSERT_EQ(client.finalize(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("cuda_graph"), "requested_not_in_effect");
    EXPECT_THAT(client.evidence("cuda_graph"), HasSubstr("waits for the host"));
    EXPECT_EQ(client.run(0), APERTUNE_OK) << client.error;
    for (const char* function : {"cuStreamBeginCapture_v2", "cuGraphInstantiateWithFlags"}) {
        Client other(fakeConfiguration("model", Json::object(), 1, {"cuda_graph"}));
        ASSERT_EQ(other.warmUp(), APERTUNE_OK) << other.error;
        failCuda(function, 900);
        ASSERT_EQ(other.finalize(), APERTUNE_OK) << other.error;
        EXPECT_EQ(other.state("cuda_graph"), "requested_not_in_effect") << function;
        EXPECT_EQ(other.run(0), APERTUNE_OK) << other.error;
    }
}

TEST(TensorRt, WhatTheBuilderWasToldIsReadBack)
{
    Client plain(fakeConfiguration("model", Json::object(), 4));
    for (const char* name : {"dynamic_batch", "no_aux_streams", "workspace_256mib", "no_plan_cache", "timing_cache"})
        EXPECT_THAT(plain.state(name), testing::AnyOf("off", "not_applicable", "on")) << plain.error;
    EXPECT_EQ(plain.state("dynamic_batch"), "off");
    EXPECT_EQ(plain.state("workspace_256mib"), "off");
    EXPECT_EQ(plain.state("no_aux_streams"), "off");
    Client description(
        fakeConfiguration("model", Json::object(), 4, {"dynamic_batch", "no_aux_streams", "workspace_256mib"}));
    EXPECT_EQ(description.state("dynamic_batch"), "on") << description.error;
    EXPECT_THAT(description.evidence("dynamic_batch"), HasSubstr("from 1 to 4"));
    EXPECT_EQ(description.state("no_aux_streams"), "on");
    EXPECT_EQ(description.state("workspace_256mib"), "on");
}

TEST(TensorRt, LayersBecomeOperatorsOfTheTraceInsideTheirPass)
{
    Client client(fakeConfiguration("model", Json::object(), 1, {"cuda_graph"}));
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    ASSERT_EQ(client.finalize(), APERTUNE_OK);
    apertune_trace_options options{};
    options.struct_size = sizeof options;
    options.record = APERTUNE_TRACE_OPERATORS;
    ASSERT_EQ(client.startTrace(options), APERTUNE_OK) << client.error;
    for (std::uint32_t i = 0; i < 3; ++i)
        ASSERT_EQ(client.run(i), APERTUNE_OK) << client.error;
    RecordedTrace trace;
    ASSERT_EQ(client.stopTrace(trace), APERTUNE_OK) << client.error;
    const auto events = trace.of(APERTUNE_TRACE_OPERATOR);
    EXPECT_EQ(std::count_if(events.begin(), events.end(), [](const auto& e) { return e.name == "tensorrt infer"; }), 3);
    const auto layer = std::find_if(events.begin(), events.end(), [](const auto& e) { return e.name == "conv"; });
    ASSERT_NE(layer, events.end());
    for (const RecordedEvent& event : events)
        EXPECT_GE(event.event.duration_ns, 0);
    EXPECT_EQ(trace.lost, 0U);
    EXPECT_EQ(client.state("cuda_graph"), "on"); // the measured session is unchanged
    EXPECT_EQ(client.run(0), APERTUNE_OK);
}

TEST(TensorRt, TheDevicesClockAndMemoryAreTold)
{
    const std::size_t before = cudaMemoryInUse();
    {
        Client client(fakeConfiguration("model", Json::object(), 8));
        ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
        EXPECT_EQ(client.deviceNanoseconds(3), 2'500'000U);
        const auto expected = static_cast<std::int64_t>((2 * 8 * kSample + 8 * 5) * sizeof(float));
        EXPECT_EQ(client.report().at("memory").at("device_peak"), expected);
        EXPECT_EQ(client.resetPeaks(), APERTUNE_OK);
        EXPECT_GT(cudaMemoryInUse(), before);
    }
    EXPECT_EQ(cudaMemoryInUse(), before);
}

/// The functions behind host_memory, which the client has none for.
TEST(TensorRt, SamplesOfTheCallersAreCopiedIntoTheirPlaces)
{
    const apertune_plugin& plugin = pluginUnderTest();
    const Configuration configuration = fakeConfiguration("model", Json::object(), 2);
    const std::string request =
        Json{{"artifact", configuration.artifact},
             {"device", "cuda:0"},
             {"package", configuration.package},
             {"inputs", 1},
             {"config", {{"level", "O0"}, {"precision", "fp32"}, {"batch", 2}, {"switches", Json::object()}}}}
            .dump();
    apertune_session* session = nullptr;
    ASSERT_EQ(plugin.open(request.c_str(), &session, nullptr, nullptr), APERTUNE_OK);
    const auto keep = [](void* into, const apertune_tensor* tensors, std::size_t) {
        std::memcpy(into, tensors->data, 10 * sizeof(float));
    };
    std::array<float, 10> values{};
    EXPECT_EQ(plugin.kept_outputs(session, keep, values.data()), APERTUNE_BAD_INPUT);
    void* memory = nullptr;
    ASSERT_EQ(plugin.host_memory(session, APERTUNE_PINNED, kSample * sizeof(float), &memory), APERTUNE_OK);
    for (std::size_t i = 0; i < kSample; ++i)
        static_cast<float*>(memory)[i] = 2;
    const std::array<const void*, 2> data{memory, memory};
    apertune_samples samples{};
    samples.struct_size = sizeof samples;
    samples.kind = APERTUNE_SAMPLE_VALUES;
    samples.count = 2;
    samples.data = data.data();
    ASSERT_EQ(plugin.set_samples(session, 0, &samples), APERTUNE_OK);
    ASSERT_EQ(plugin.run_keeping(session, 0), APERTUNE_OK);
    ASSERT_EQ(plugin.kept_outputs(session, keep, values.data()), APERTUNE_OK);
    EXPECT_FLOAT_EQ(values[0], 2 * kSample);
    EXPECT_FLOAT_EQ(values[9], 2 * kSample + 4);
    samples.kind = APERTUNE_SAMPLE_PIXELS;
    EXPECT_EQ(plugin.set_samples(session, 0, &samples), APERTUNE_UNSUPPORTED);
    plugin.close(session);
}

} // namespace
} // namespace apertune::test
