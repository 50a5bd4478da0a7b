// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/plugins/support/plugin_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace apertune::test {
namespace {

using testing::HasSubstr;

void expectRefused(const Configuration& configuration, apertune_status status, const std::string& message)
{
    Client client(configuration);
    EXPECT_EQ(client.status, status) << client.error;
    ASSERT_TRUE(client.error.is_object()) << message;
    EXPECT_THAT(client.error.at("message").get<std::string>(), HasSubstr(message));
    EXPECT_FALSE(client.error.at("hint").get<std::string>().empty());
}

TEST(OnnxRuntimeFaults, FilesThatAreNoModelGetAClearSentence)
{
    NEEDS_ONNXRUNTIME();
    const std::string good = convolutionModel();
    const std::vector<std::pair<std::string, std::string>> files{
        {"garbage", "this is no model at all, only a sentence"},
        {"cut", good.substr(0, good.size() / 2)},
        {"zeros", std::string(4096, '\0')},
        {"zip", "PK\x03\x04 a zip file"},
    };
    for (const auto& [name, bytes] : files)
        expectRefused({makeArtifact("broken_" + name, bytes)}, APERTUNE_BAD_INPUT,
                      "The model is not an ONNX file, or it is damaged");
}

TEST(OnnxRuntimeFaults, EveryCutOfAFileIsRefusedAndNoneCrashes)
{
    NEEDS_ONNXRUNTIME();
    const std::string good = singleOperatorModel("Sin");
    ArtifactInput input;
    input.shape = {1, 64};
    for (std::size_t size = 1; size < good.size(); ++size) {
        Client client({makeArtifact("cut", good.substr(0, size), {input})});
        EXPECT_NE(client.status, APERTUNE_OK) << size;
        EXPECT_FALSE(client.error.at("message").get<std::string>().empty()) << size;
    }
}

TEST(OnnxRuntimeFaults, FlippedBitsNeverLeaveWithoutAnAnswer)
{
    NEEDS_ONNXRUNTIME();
    const std::string good = singleOperatorModel("Sin");
    ArtifactInput input;
    input.shape = {1, 64};
    for (std::size_t bit = 0; bit < good.size() * 8; bit += 5) {
        std::string bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        Client client({makeArtifact("flipped", bad, {input})});
        if (client.status != APERTUNE_OK) {
            EXPECT_FALSE(client.error.at("hint").get<std::string>().empty()) << bit;
        } else {
            client.run(0); // a name or a number that does not matter, or one that fails when it runs
        }
    }
}

TEST(OnnxRuntimeFaults, AnOperatorThatTheEngineDoesNotHaveIsNamed)
{
    NEEDS_ONNXRUNTIME();
    ArtifactInput input;
    input.shape = {1, 64};
    Client client({makeArtifact("unknown_operator", singleOperatorModel("Teleport"), {input})});
    EXPECT_THAT(client.status, testing::AnyOf(APERTUNE_BAD_INPUT, APERTUNE_UNSUPPORTED));
    EXPECT_THAT(client.error.at("message").get<std::string>(), HasSubstr("Teleport"));
}

TEST(OnnxRuntimeFaults, AFileOfAnotherSizeThanTheManifestSaysIsNotOpened)
{
    NEEDS_ONNXRUNTIME();
    const std::string folder = makeArtifact("resized", convolutionModel());
    std::filesystem::resize_file(folder + "/model.onnx", 1000);
    expectRefused({folder}, APERTUNE_BAD_INPUT, "truncated or was replaced");
    std::filesystem::remove(folder + "/model.onnx");
    expectRefused({folder}, APERTUNE_BAD_INPUT, "lacks the file");
}

TEST(OnnxRuntimeFaults, AFixedBatchRefusesOthers)
{
    NEEDS_ONNXRUNTIME();
    Configuration configuration{makeArtifact("fixed", convolutionModel(1))};
    EXPECT_EQ(Client(configuration).status, APERTUNE_OK);
    configuration.batch = 4;
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "takes batch 1 only");
}

TEST(OnnxRuntimeFaults, InputsThatAreNotTheArtifactsAreRefused)
{
    NEEDS_ONNXRUNTIME();
    ArtifactInput integers;
    integers.dtype = "int64";
    expectRefused({makeArtifact("types", convolutionModel(), {integers})}, APERTUNE_BAD_INPUT,
                  "is not of the type int64");
    ArtifactInput larger;
    larger.shape = {1, 3, 20, 20};
    expectRefused({makeArtifact("shapes", convolutionModel(), {larger})}, APERTUNE_BAD_INPUT, "[1, 3, 20, 20]");
    ArtifactInput second;
    second.name = "z";
    expectRefused({makeArtifact("counts", convolutionModel(), {{}, second})}, APERTUNE_BAD_INPUT, "takes 1 inputs");
}

TEST(OnnxRuntimeFaults, WhatTheBuildLacksIsRefusedWithTheReason)
{
    NEEDS_ONNXRUNTIME();
    const std::string folder = makeArtifact("refusals", convolutionModel());
    const Json description = describePlugin();
    Configuration configuration{folder};
    if (!hasCuda()) {
        configuration.device = "cuda:0";
        expectRefused(configuration, APERTUNE_UNSUPPORTED, "CUDAExecutionProvider");
    }
    configuration = {folder};
    configuration.device = "tpu";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "no device tpu");
    configuration = {folder};
    configuration.precision = "fp16";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "does not compute in fp16 on this processor");
    configuration.precision = "tf32";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "CUDA devices only");
    configuration.precision = "int4";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "no precision int4");
    expectRefused({folder, {"tensorrt"}}, APERTUNE_UNSUPPORTED, "exists on CUDA devices only");
    expectRefused({folder, {"freeze"}}, APERTUNE_UNSUPPORTED, "does not know the switch freeze");
}

TEST(OnnxRuntimeFaults, RequestsThatMakeNoSenseAreRefused)
{
    NEEDS_ONNXRUNTIME();
    apertune_session* session = nullptr;
    const auto ignore = [](void*, const char*, std::size_t) {};
    for (const char* request : {"{", "{\"artifact\": 7}", "[]", ""})
        EXPECT_EQ(pluginUnderTest().open(request, &session, ignore, nullptr), APERTUNE_BAD_INPUT) << request;
    EXPECT_EQ(session, nullptr);
    Configuration configuration{makeArtifact("requests", convolutionModel())};
    configuration.batch = 0;
    expectRefused(configuration, APERTUNE_BAD_INPUT, "batch must be at least 1");
    configuration.batch = 1;
    configuration.threads = -1;
    expectRefused(configuration, APERTUNE_BAD_INPUT, "must not be negative");
    expectRefused({"/nowhere/at/all"}, APERTUNE_BAD_INPUT, "is not a model artifact");
}

TEST(OnnxRuntimeFaults, ACeilingIsAnotherBackendsPart)
{
    NEEDS_ONNXRUNTIME();
    const auto ignore = [](void*, const char*, std::size_t) {};
    EXPECT_EQ(pluginUnderTest().ceilings("{}", ignore, nullptr), APERTUNE_UNSUPPORTED);
}

} // namespace
} // namespace apertune::test
