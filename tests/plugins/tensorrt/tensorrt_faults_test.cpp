// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/tensorrt/fake_models.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace apertune::test {
namespace {

using testing::HasSubstr;

constexpr int kCudaOutOfMemory = 2;
constexpr int kCudaIllegalAddress = 700;

TEST(TensorRtFaults, WhatTheParserFindsIsOneSentence)
{
    const auto refused = [](int code, apertune_status status, const std::string& message) {
        expectRefused(fakeConfiguration("parse", {{"parse_fails",
                                                   {{"code", code},
                                                    {"desc", "No importer registered for op: Teleport."},
                                                    {"op", "Teleport"},
                                                    {"node", "beam"}}}}),
                      status, message);
    };
    refused(
        8, APERTUNE_UNSUPPORTED,
        "TensorRT does not take the model: No importer registered for op: Teleport (operator Teleport, node beam).");
    refused(5, APERTUNE_BAD_INPUT, "is not valid for TensorRT");
    refused(2, APERTUNE_OUT_OF_MEMORY, "Memory ran out");
    refused(3, APERTUNE_BAD_INPUT, "is not an ONNX file, or it is damaged");
    expectRefused(fakeConfiguration("silent", {{"parse_fails", true}}), APERTUNE_BAD_INPUT, "parsing stopped");
}

TEST(TensorRtFaults, AFileThatIsNoModelIsRefused)
{
    Configuration configuration = fakeConfiguration("garbage");
    configuration.artifact = makeArtifact("garbage", "this is no model at all");
    expectRefused(configuration, APERTUNE_BAD_INPUT, "is not an ONNX file, or it is damaged");
    configuration.package += ".gone";
    expectRefused(configuration, APERTUNE_BAD_INPUT, "cannot be read");
    configuration.package.clear();
    expectRefused(configuration, APERTUNE_BAD_INPUT, "no file of the model that TensorRT opens");
}

TEST(TensorRtFaults, InputsThatAreNotTheArtifactsAreRefused)
{
    const auto input = [](const Json& shape, int type) {
        return Json{{"inputs", {{{"name", "x"}, {"shape", shape}, {"type", type}}}}};
    };
    expectRefused(fakeConfiguration("shape", input({-1, 3, 8, 8}, 0)), APERTUNE_BAD_INPUT, "[any, 3, 8, 8]");
    expectRefused(fakeConfiguration("type", input({-1, 3, 4, 4}, 8)), APERTUNE_BAD_INPUT,
                  "is int64 in the file and float32");
    expectRefused(
        fakeConfiguration(
            "count",
            {{"inputs", {{{"name", "x"}, {"shape", {-1, 3, 4, 4}}}, {{"name", "z"}, {"shape", {-1, 3, 4, 4}}}}}}),
        APERTUNE_BAD_INPUT, "takes 2 inputs, the artifact describes 1");
}

TEST(TensorRtFaults, AFixedBatchRefusesOthersAndNeedsNoProfile)
{
    const Json fixed{{"inputs", {{{"name", "x"}, {"shape", {1, 3, 4, 4}}}}},
                     {"outputs", {{{"name", "y"}, {"shape", {1, 5}}}}}};
    EXPECT_EQ(Client(fakeConfiguration("fixed", fixed)).warmUp(), APERTUNE_OK);
    expectRefused(fakeConfiguration("fixed", fixed, 4), APERTUNE_UNSUPPORTED, "takes batch 1 only");
}

TEST(TensorRtFaults, WhatTensorRtLogsIsWhyAPlanIsNotThere)
{
    expectRefused(
        fakeConfiguration("build", {{"build_fails", "10: Could not find any implementation for node {Teleport}."}}),
        APERTUNE_UNSUPPORTED, "Could not find any implementation for node {Teleport}.");
    expectRefused(
        fakeConfiguration("oom", {{"build_fails", "[resizingAllocator.cpp::allocate] Error Code 1: Cuda Runtime "
                                                  "(out of memory)"}}),
        APERTUNE_OUT_OF_MEMORY, "Memory ran out in TensorRT");
    expectRefused(
        fakeConfiguration("context", {{"context_fails", "Requested amount of GPU memory (9 bytes) could not be "
                                                        "allocated."}}),
        APERTUNE_OUT_OF_MEMORY, "Memory ran out in TensorRT");
    expectRefused(fakeConfiguration("load", {{"load_fails", true}}), APERTUNE_INTERNAL, "magic tag does not match");
}

TEST(TensorRtFaults, AnOutputOfUnknownSizeOrTypeIsRefused)
{
    expectRefused(fakeConfiguration("values", {{"outputs", {{{"name", "y"}, {"shape", {-1, -1}}}}}}),
                  APERTUNE_UNSUPPORTED, "depends on the values");
    expectRefused(fakeConfiguration("fp8", {{"outputs", {{{"name", "y"}, {"shape", {-1, 5}}, {"type", 6}}}}}),
                  APERTUNE_UNSUPPORTED, "cannot be compared");
}

TEST(TensorRtFaults, MemoryOfTheDeviceThatRunsOutIsToldAndFreed)
{
    const std::size_t before = cudaMemoryInUse();
    expectRefused(fakeConfiguration("large", Json::object(), 1 << 20), APERTUNE_OUT_OF_MEMORY,
                  "Memory ran out on the device");
    failCuda("cuMemAlloc_v2", kCudaOutOfMemory, 2);
    expectRefused(fakeConfiguration("model"), APERTUNE_OUT_OF_MEMORY, "Memory ran out on the device");
    EXPECT_EQ(cudaMemoryInUse(), before);
}

TEST(TensorRtFaults, APassThatFailsSaysWhyAndADeadDeviceIsToldApart)
{
    Client threw(fakeConfiguration("throws", {{"enqueue_fails_after", 1},
                                              {"enqueue_error", "IExecutionContext::enqueueV3: "
                                                                "Error Code 7: Internal Error"}}));
    EXPECT_EQ(threw.run(0), APERTUNE_OK);
    EXPECT_EQ(threw.run(0), APERTUNE_MODEL_THREW);
    EXPECT_THAT(threw.error.at("message").get<std::string>(), HasSubstr("Error Code 7"));
    Client full(
        fakeConfiguration("full", {{"enqueue_fails_after", 0}, {"enqueue_error", "Cuda Runtime (out of memory)"}}));
    EXPECT_EQ(full.run(0), APERTUNE_OUT_OF_MEMORY);
    Client lost(fakeConfiguration("model"));
    ASSERT_EQ(lost.status, APERTUNE_OK);
    failCuda("cuMemcpyDtoH_v2", kCudaIllegalAddress);
    EXPECT_TRUE(lost.outputs(0).empty());
    EXPECT_THAT(lost.error.at("message").get<std::string>(), HasSubstr("The device stopped working"));
}

TEST(TensorRtFaults, RequestsForWhatThereIsNotAreRefused)
{
    Configuration configuration = fakeConfiguration("model");
    configuration.device = "cpu";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "NVIDIA GPUs only");
    configuration.device = "cuda:7";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "There is no device cuda:7");
    configuration = fakeConfiguration("model");
    configuration.precision = "int4";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "no precision int4");
    expectRefused(fakeConfiguration("model", Json::object(), 1, {"freeze"}), APERTUNE_UNSUPPORTED,
                  "does not know the switch");
}

/// describe() in a process of its own, where nothing is loaded yet: what it says is printed, and is the exit code.
[[noreturn]] void describeWithout(const char* folder, const char* version)
{
    setenv("APERTUNE_TENSORRT", folder, 1); // NOLINT: one thread
    setenv("APERTUNE_FAKE_TENSORRT_VERSION", version, 1);
    void* library = dlopen(APERTUNE_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    const auto entry = reinterpret_cast<const apertune_plugin* (*)()>(dlsym(library, APERTUNE_PLUGIN_ENTRY_SYMBOL));
    const auto print = [](void*, const char* text, std::size_t size) {
        std::cerr.write(text, static_cast<long>(size));
    };
    const apertune_status status = entry()->describe(print, nullptr);
    entry()->last_error(nullptr, print, nullptr);
    std::exit(status);
}

TEST(TensorRtFaultsDeathTest, WithoutItsLibrariesItSaysHowToAddThem)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(describeWithout("/nowhere", "101600"), testing::ExitedWithCode(APERTUNE_UNSUPPORTED),
                "TensorRT was not found: libnvinfer.so.10 does not load.*pip install.*APERTUNE_TENSORRT");
}

TEST(TensorRtFaultsDeathTest, AVersionThatTheHeadersDoNotFitIsRefused)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    for (const char* version : {"90300", "100000", "110100"})
        EXPECT_EXIT(describeWithout(APERTUNE_TEST_FAKES, version), testing::ExitedWithCode(APERTUNE_UNSUPPORTED),
                    "is not supported: this build was made for");
    EXPECT_EXIT(describeWithout(APERTUNE_TEST_FAKES, "109900"), testing::ExitedWithCode(APERTUNE_OK), "10.99.0");
}

} // namespace
} // namespace apertune::test
