// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/support/plugin_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace apertune::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string message(const Client& client)
{
    return client.error.value("message", "");
}

/// A copy of an artifact (or file) that a test may damage, removed at the end.
class Scratch
{
public:
    Scratch() : m_path(fs::temp_directory_path() / ("apertune-libtorch-test-" + std::to_string(getpid())))
    {
        fs::create_directories(m_path);
    }
    ~Scratch() { fs::remove_all(m_path); }

    std::string copyOf(const std::string& name) const
    {
        fs::copy(fs::path(artifacts()) / name, m_path / name, fs::copy_options::recursive);
        return (m_path / name).string();
    }

private:
    fs::path m_path;
};

Json readJson(const std::string& path)
{
    std::ifstream stream(path);
    return Json::parse(stream);
}

void writeJson(const std::string& path, const Json& json)
{
    std::ofstream(path) << json.dump();
}

TEST(LibTorchFaults, AModelThatThrowsAtOneBatchSaysSoAndWorksAtOthers)
{
    Client three({.artifact = "fails_at_three", .batch = 3});
    ASSERT_EQ(three.status, APERTUNE_OK) << three.error;
    EXPECT_EQ(three.run(0), APERTUNE_MODEL_THREW);
    EXPECT_THAT(message(three), HasSubstr("three images are one too many"));
    EXPECT_FALSE(three.error.at("hint").get<std::string>().empty());
    EXPECT_TRUE(three.outputs(0).empty());
    EXPECT_EQ(Client({.artifact = "fails_at_three", .batch = 2}).run(0), APERTUNE_OK);
}

TEST(LibTorchFaults, AnAllocationThatCannotBeMadeIsOutOfMemory)
{
    Client client({.artifact = "hungry"});
    ASSERT_EQ(client.status, APERTUNE_OK) << client.error;
    EXPECT_EQ(client.run(0), APERTUNE_OUT_OF_MEMORY) << client.error;
    EXPECT_THAT(message(client), HasSubstr("Memory ran out"));
}

TEST(LibTorchFaults, WhatIsNotTorchScriptIsNamedForWhatItIs)
{
    for (const auto& [artifact, text] : {std::pair{"truncated", "truncated"}, std::pair{"weights_only", "torch.save"},
                                         std::pair{"exported_program", "exported program"}}) {
        Client client({.artifact = artifact});
        EXPECT_EQ(client.status, APERTUNE_BAD_INPUT) << artifact;
        EXPECT_THAT(message(client), HasSubstr(text));
        EXPECT_FALSE(client.error.at("hint").get<std::string>().empty()) << artifact;
    }
}

TEST(LibTorchFaults, AFileThatIsNoArchiveIsSaidToBeUnreadable)
{
    const Scratch scratch;
    const std::string folder = scratch.copyOf("convnet");
    const std::string file = folder + "/model.ts.pt";
    for (const std::string& begin : {std::string(), std::string("PK\3\4"), std::string("text")}) {
        const std::string padding(fs::file_size(file) - begin.size(), 'x'); // another size would be found before
        std::ofstream(file, std::ios::trunc) << begin << padding;
        Client client({.artifact = folder});
        EXPECT_EQ(client.status, APERTUNE_BAD_INPUT);
        EXPECT_THAT(message(client), HasSubstr("cannot read (truncated, or of another format), not a TorchScript"));
    }
}

TEST(LibTorchFaults, AFileOfTheWrongSizeIsRefusedBeforeItIsLoaded)
{
    const Scratch scratch;
    const std::string folder = scratch.copyOf("convnet");
    fs::resize_file(folder + "/inputs/0.bin", 17);
    Client inputs({.artifact = folder});
    EXPECT_EQ(inputs.status, APERTUNE_BAD_INPUT);
    EXPECT_THAT(message(inputs), HasSubstr("has 17 bytes instead of"));
    fs::remove(folder + "/inputs/0.bin");
    EXPECT_THAT(message(Client({.artifact = folder})), HasSubstr("lacks the file"));
}

TEST(LibTorchFaults, AnUnreadableManifestIsBadInput)
{
    const Scratch scratch;
    const std::string folder = scratch.copyOf("convnet");
    Json manifest = readJson(folder + "/manifest.json");
    manifest["schema"] = "apertune.model/99";
    writeJson(folder + "/manifest.json", manifest);
    EXPECT_THAT(message(Client({.artifact = folder})), HasSubstr("apertune.model/99"));
    std::ofstream(folder + "/manifest.json") << "{\"schema\": ";
    EXPECT_EQ(Client({.artifact = folder}).status, APERTUNE_BAD_INPUT);
    EXPECT_THAT(message(Client({.artifact = "/nowhere"})), HasSubstr("not a model artifact"));
}

TEST(LibTorchFaults, AMalformedRequestIsBadInputAndTheNextOneWorks)
{
    apertune_session* session = nullptr;
    const auto ignore = [](void*, const char*, std::size_t) {};
    EXPECT_EQ(pluginUnderTest().open("{", &session, ignore, nullptr), APERTUNE_BAD_INPUT);
    EXPECT_EQ(pluginUnderTest().open("{\"artifact\": 7}", &session, ignore, nullptr), APERTUNE_BAD_INPUT);
    EXPECT_EQ(session, nullptr);
    EXPECT_EQ(Client({.artifact = "convnet", .batch = 0}).status, APERTUNE_BAD_INPUT);
    EXPECT_EQ(Client({.artifact = "convnet"}).status, APERTUNE_OK);
}

TEST(LibTorchFaults, WhatTheBackendLacksIsUnsupported)
{
    const std::vector<Configuration> configurations{
        {.artifact = "convnet", .switches = {"sdpa_flash"}},
        {.artifact = "convnet", .switches = {"cuda_graph"}},
        {.artifact = "convnet", .switches = {"warp_drive"}},
        {.artifact = "convnet", .precision = "tf32"},
        {.artifact = "convnet", .precision = "int8"},
        {.artifact = "convnet", .precision = "fp8"},
        {.artifact = "convnet", .precision = "fp8", .device = "cuda:0"},
        {.artifact = "convnet", .device = "tpu:0"},
        {.artifact = "convnet", .switches = {"onednn_graph", "jit_optimize"}, .device = "cuda:0"},
    };
    for (const Configuration& configuration : configurations) {
        Client client(configuration);
        EXPECT_EQ(client.status, APERTUNE_UNSUPPORTED) << client.error;
        EXPECT_FALSE(message(client).empty());
        EXPECT_FALSE(client.error.at("hint").get<std::string>().empty());
    }
}

// --- compiled packages ------------------------------------------------------------------------------

Configuration packaged()
{
    return {
        .artifact = "convnet", .switches = {"aoti", "freeze"}, .batch = 2, .package = artifacts() + "/convnet_b2.pt2"};
}

TEST(LibTorchPackage, AgreesWithTorchScriptAndLeavesNothingBehind)
{
    const auto reference = Client({.artifact = "convnet", .batch = 2}).outputs(1).at(0).values;
    Client client(packaged());
    ASSERT_EQ(client.status, APERTUNE_OK) << client.error;
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    const auto outputs = client.outputs(1);
    ASSERT_EQ(outputs.size(), 1U);
    EXPECT_EQ(outputs[0].shape, (std::vector<std::int64_t>{2, 10}));
    EXPECT_LT(largestDifference(outputs[0].values, reference), 1e-4);

    EXPECT_EQ(client.state("aoti"), "on") << client.evidence("aoti");
    EXPECT_EQ(client.state("freeze"), "on") << client.evidence("freeze");
    EXPECT_EQ(client.state("jit_optimize"), "not_applicable");
    const std::string folder = client.opened.at("temporary_folder");
    EXPECT_EQ(fs::path(folder).parent_path(), "/tmp");
    EXPECT_TRUE(fs::exists(folder));
    client.close();
    EXPECT_FALSE(fs::exists(folder));
}

TEST(LibTorchPackage, OnePackageServesEveryBatchAndMayLeaveItsWeightsLoose)
{
    Configuration configuration{
        .artifact = "convnet", .switches = {"aoti", "aoti_dynamic_batch"}, .package = artifacts() + "/convnet_any.pt2"};
    for (const int batch : {1, 3}) {
        configuration.batch = batch;
        Client client(configuration);
        ASSERT_EQ(client.status, APERTUNE_OK) << client.error;
        ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
        const auto reference = Client({.artifact = "convnet", .batch = batch}).outputs(1).at(0).values;
        EXPECT_LT(largestDifference(client.outputs(1).at(0).values, reference), 1e-4);
        EXPECT_EQ(client.state("aoti_dynamic_batch"), "on");
        EXPECT_EQ(client.state("freeze"), "off") << client.evidence("freeze");
    }
    EXPECT_EQ(Client(packaged()).state("aoti_dynamic_batch"), "off");
    configuration.switches = {"aoti"};
    EXPECT_THAT(message(Client(configuration)), HasSubstr("made for aoti_dynamic_batch on, not off"));
    configuration.switches = {"aoti", "aoti_dynamic_batch", "freeze"};
    EXPECT_THAT(message(Client(configuration)), HasSubstr("made for freeze off, not on"));
}

TEST(LibTorchPackage, AnInt8PackageNamesItsInt8KernelsAndStaysNearTheModel)
{
    Configuration configuration = packaged();
    configuration.precision = "int8";
    configuration.package = artifacts() + "/convnet_int8_b2.pt2";
    if (!fs::exists(configuration.package))
        GTEST_SKIP() << "torchao is not installed: make setup";
    Client client(configuration);
    ASSERT_EQ(client.status, APERTUNE_OK) << client.error;
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("precision"), "on") << client.evidence("precision");
    EXPECT_THAT(client.evidence("precision"), HasSubstr("4 of 4 calls of convolutions and linear layers are in int8"));
    EXPECT_THAT(client.evidence("precision"), HasSubstr("qconv"));
    EXPECT_THAT(client.evidence("precision"), HasSubstr("qlinear"));
    const auto reference = Client({.artifact = "convnet", .batch = 2}).outputs(0).at(0).values;
    const auto rounded = client.outputs(0).at(0).values;
    EXPECT_GT(cosine(rounded, reference), 0.98);
    EXPECT_GT(largestDifference(rounded, reference), 0);
}

TEST(LibTorchPackage, APackageThatCallsNoInt8KernelDoesNotPassForInt8)
{
    // What a quantized model becomes when the compiler leaves it in float: no kernel in the description is called.
    const Scratch scratch;
    Configuration configuration = packaged();
    configuration.precision = "int8";
    configuration.package = scratch.copyOf("convnet_b2.pt2");
    const std::string described = scratch.copyOf("convnet_b2.pt2.json");
    Json sidecar = readJson(described);
    sidecar["precision"] = "int8";
    sidecar["quantization"] = {{"layers", {"stem"}},
                               {"kernels", {{"qconv2d_pointwise_tensor", 4}}},
                               {"float_kernels", {{"mkldnn__convolution_pointwise", 4}}}};
    writeJson(described, sidecar);
    Client client(configuration);
    ASSERT_EQ(client.status, APERTUNE_OK) << client.error;
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("precision"), "requested_not_in_effect");
    EXPECT_THAT(client.evidence("precision"), HasSubstr("0 of 4 calls"));
}

TEST(LibTorchPackage, MadeForAnotherConfigurationIsRefused)
{
    const auto refused = [](Configuration configuration, const std::string& text) {
        Client client(configuration);
        EXPECT_EQ(client.status, APERTUNE_BAD_INPUT) << text;
        EXPECT_THAT(message(client), HasSubstr(text));
    };
    Configuration configuration = packaged();
    configuration.batch = 3;
    refused(configuration, "made for batch 2, not 3");
    configuration = packaged();
    configuration.precision = "bf16";
    refused(configuration, "made for precision fp32, not bf16");
    configuration = packaged();
    configuration.switches.push_back("channels_last");
    refused(configuration, "made for channels_last off, not on");
    configuration = packaged();
    configuration.artifact = "pair";
    refused(configuration, "another model");
    configuration = packaged();
    configuration.package.clear();
    refused(configuration, "no compiled package");
    configuration.package = artifacts() + "/convnet/model.ep.pt2";
    refused(configuration, "exported program");
}

TEST(LibTorchPackage, MadeForAnotherMachineIsRefusedBeforeItsCodeIsLoaded)
{
    const Scratch scratch;
    Configuration configuration = packaged();
    configuration.package = scratch.copyOf("convnet_b2.pt2");
    const std::string sidecar = scratch.copyOf("convnet_b2.pt2.json");
    const Json original = readJson(sidecar);
    const auto expectRefused = [&](const char* key, const Json& value, const std::string& text) {
        Json changed = original;
        changed[key] = value;
        writeJson(sidecar, changed);
        Client client(configuration);
        EXPECT_EQ(client.status, APERTUNE_BAD_INPUT) << text;
        EXPECT_THAT(message(client), HasSubstr(text));
    };
    expectRefused("isa", original.at("isa").get<std::string>() + " AVX9000", "another CPU: this one has no avx9000");
    expectRefused("device", "cuda", "made for device cuda, not cpu");
    Json inputs = original.at("inputs");
    inputs[0]["shape"] = {2, 3, 64, 64};
    expectRefused("inputs", inputs, "takes x as 2x3x64x64, not 2x3x32x32");
    fs::remove(sidecar);
    EXPECT_THAT(message(Client(configuration)), HasSubstr("comes without convnet_b2.pt2.json"));
}

TEST(LibTorchPackage, ThatIsTruncatedIsRefused)
{
    const Scratch scratch;
    Configuration configuration = packaged();
    configuration.package = scratch.copyOf("convnet_b2.pt2");
    scratch.copyOf("convnet_b2.pt2.json");
    fs::resize_file(configuration.package, fs::file_size(configuration.package) / 2);
    Client client(configuration);
    EXPECT_EQ(client.status, APERTUNE_BAD_INPUT);
    EXPECT_THAT(message(client), HasSubstr("truncated"));
}

} // namespace
} // namespace apertune::test
