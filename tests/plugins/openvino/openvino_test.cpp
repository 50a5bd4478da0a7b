// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/plugins/support/plugin_client.h"
#include "tests/support/section.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace apertune::test {

namespace fs = std::filesystem;

namespace {

/// Where the tests run OpenVINO lists the processor alone: its own plugin stands in for two devices more. (It serves
/// names with CPU in them only.)
void addStandIns()
{
    const fs::path file = fs::path(artifacts()) / "plugins.xml";
    fs::create_directories(file.parent_path());
    std::ofstream stream(file);
    stream << "<ie><plugins>";
    for (const char* device : {"CPU_SECOND", "CPU_THIRD"})
        stream << "<plugin name=\"" << device << "\" location=\""
               << (fs::path(APERTUNE_TEST_ENGINE).parent_path() / "libopenvino_intel_cpu_plugin.so").string() << "\"/>";
    stream << "</plugins></ie>\n";
    stream.close();
    ::setenv("APERTUNE_OPENVINO_PLUGINS", file.c_str(), 1); // NOLINT: before anything else runs
}

} // namespace

const apertune_plugin& pluginUnderTest()
{
    static const apertune_plugin& plugin = []() -> const apertune_plugin& {
        addStandIns();
        loadLibrary(APERTUNE_TEST_ENGINE, RTLD_GLOBAL);
        void* library = loadLibrary(APERTUNE_TEST_PLUGIN, RTLD_LOCAL);
        return *reinterpret_cast<const apertune_plugin* (*)()>(dlsym(library, APERTUNE_PLUGIN_ENTRY_SYMBOL))();
    }();
    return plugin;
}

const std::string& artifacts()
{
    static const std::string folder = APERTUNE_TEST_ARTIFACTS;
    return folder;
}

namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Configuration configurationOf(const std::string& name, const std::string& onnx,
                              const std::vector<ArtifactInput>& inputs = {{}})
{
    Configuration configuration;
    configuration.artifact = makeArtifact(name, onnx, inputs);
    configuration.package = configuration.artifact + "/model.onnx";
    configuration.level = "O1";
    return configuration;
}

Configuration convolutions(int batch = 2, std::vector<std::string> switches = {})
{
    Configuration configuration = configurationOf("convolutions", convolutionModel());
    configuration.batch = batch;
    configuration.switches = std::move(switches);
    return configuration;
}

std::vector<double> answer(const Configuration& configuration, std::uint32_t input = 0)
{
    Client client(configuration);
    EXPECT_EQ(client.status, APERTUNE_OK) << client.error;
    const auto outputs = client.outputs(input);
    EXPECT_EQ(outputs.size(), 1U);
    return outputs.empty() ? std::vector<double>{} : outputs[0].values;
}

void expectRefused(const Configuration& configuration, apertune_status status, const std::string& message)
{
    Client client(configuration);
    EXPECT_EQ(client.status, status) << client.error;
    ASSERT_TRUE(client.error.is_object()) << message;
    EXPECT_THAT(client.error.at("message").get<std::string>(), HasSubstr(message));
    EXPECT_FALSE(client.error.at("hint").get<std::string>().empty());
}

TEST(OpenVino, TellsItsOwnLevelsAndSwitches)
{
    const Json description = describePlugin();
    EXPECT_EQ(description.at("levels"),
              (Json{{"O1", Json::array()}, {"O2", {"streams"}}, {"O3", {"streams", "cpu_pinning"}}}));
    EXPECT_EQ(description.at("formats"), (Json{"openvino_ir", "onnx"}));
    EXPECT_EQ(description.at("precisions").at(0), "fp32");
    EXPECT_EQ(description.at("devices").at(0).at("id"), "cpu");
    for (const Json& info : description.at("switches"))
        EXPECT_FALSE(info.at("summary").get<std::string>().empty());
}

TEST(OpenVino, ItsSwitchesStandInTheManual)
{
    expectSection(APERTUNE_MANUAL "/reference/switches.md", "openvino", switchTable());
}

TEST(OpenVino, APassCutIntoPartsGivesTheAnswerOfTheWhole)
{
    Client whole(convolutions(4));
    Client parts(convolutions(4, {"streams"}));
    ASSERT_EQ(whole.warmUp(), APERTUNE_OK) << whole.error;
    ASSERT_EQ(parts.warmUp(), APERTUNE_OK) << parts.error;
    const auto expected = whole.outputs(1);
    const auto got = parts.outputs(1);
    ASSERT_EQ(expected.size(), 1U);
    ASSERT_EQ(got.size(), 1U);
    EXPECT_EQ(got[0].shape, (std::vector<std::int64_t>{4, 10}));
    EXPECT_LT(largestDifference(expected[0].values, got[0].values), 1e-5);
    EXPECT_EQ(whole.state("streams"), "off");
    EXPECT_EQ(parts.state("streams"), "on");
    EXPECT_THAT(parts.evidence("streams"), HasSubstr("2 parts of 2"));
}

TEST(OpenVino, ABatchThatCannotBeCutIsSaidToBeWhole)
{
    Client client(convolutions(1, {"streams"}));
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("streams"), "requested_not_in_effect");
}

TEST(OpenVino, InputSetsHoldTheSamplesInTurn)
{
    Configuration single = convolutions(1);
    single.inputs = 4;
    const auto third = answer(single, 2);
    const auto pair = answer(convolutions(2), 1); // samples 2 and 3
    ASSERT_EQ(pair.size(), 20U);
    EXPECT_LT(largestDifference(third, {pair.begin(), pair.begin() + 10}), 1e-5);
    EXPECT_GT(largestDifference(third, answer(single, 0)), 1e-5);
}

TEST(OpenVino, PrecisionsThatItOffersChangeTheAnswerALittle)
{
    const auto exact = answer(convolutions());
    const Json described = describePlugin();
    for (const Json& precision : described.at("precisions")) {
        Configuration configuration = convolutions();
        configuration.precision = precision;
        const auto got = answer(configuration);
        EXPECT_GT(cosine(exact, got), 0.99) << precision;
        // int8 is another file's affair, and this one is in float.
        if (precision != "fp32" && precision != "int8") {
            EXPECT_GT(largestDifference(exact, got), 0) << precision;
        }
    }
}

TEST(OpenVino, PinningIsReadBackFromTheCompiledModel)
{
    Client off(convolutions());
    Client on(convolutions(2, {"cpu_pinning"}));
    EXPECT_EQ(off.state("cpu_pinning"), "off");
    // A process that may use a part of the processors only cannot pin everywhere.
    EXPECT_THAT(on.state("cpu_pinning"), AnyOf("on", "requested_not_in_effect"));
    EXPECT_THAT(on.evidence("cpu_pinning"), HasSubstr("ENABLE_CPU_PINNING is "));
}

TEST(OpenVino, TheCacheOfCompiledModelsServesTheSecondLoad)
{
    const fs::path cache = fs::path(artifacts()) / "cache";
    fs::remove_all(cache);
    ASSERT_EQ(::setenv("XDG_CACHE_HOME", cache.c_str(), 1), 0);
    Client first(convolutions(2, {"model_cache"}));
    EXPECT_EQ(first.state("model_cache"), "requested_not_in_effect");
    Client second(convolutions(2, {"model_cache"}));
    EXPECT_EQ(second.state("model_cache"), "on");
    EXPECT_LT(largestDifference(first.outputs(0).at(0).values, second.outputs(0).at(0).values), 1e-6);
    ::unsetenv("XDG_CACHE_HOME");
}

TEST(OpenVino, ATraceHasTheLayersInsideTheirPassAndChangesNoAnswer)
{
    for (const char* level : {"", "streams"}) {
        Client client(convolutions(4, *level ? std::vector<std::string>{level} : std::vector<std::string>{}));
        ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
        const auto before = client.outputs(0).at(0).values;
        ASSERT_EQ(client.startTrace({sizeof(apertune_trace_options), APERTUNE_TRACE_OPERATORS, 0, nullptr, nullptr}),
                  APERTUNE_OK);
        // The engine counts in microseconds, and a layer of this model may take none: so many passes.
        for (std::uint32_t pass = 0; pass < 20; ++pass)
            ASSERT_EQ(client.run(pass), APERTUNE_OK);
        RecordedTrace trace;
        ASSERT_EQ(client.stopTrace(trace), APERTUNE_OK);
        const auto operators = trace.of(APERTUNE_TRACE_OPERATOR);
        std::vector<std::string> names;
        const RecordedEvent* pass = nullptr;
        for (auto it = operators.rbegin(); it != operators.rend(); ++it) {
            names.push_back(it->name);
            if (it->name == "openvino infer")
                pass = &*it; // the pass stands behind its layers
            ASSERT_NE(pass, nullptr);
            EXPECT_GE(it->event.start_ns, pass->event.start_ns);
            EXPECT_LE(it->event.start_ns + it->event.duration_ns, pass->event.start_ns + pass->event.duration_ns);
        }
        const auto passes = std::count(names.begin(), names.end(), "openvino infer");
        EXPECT_GE(passes, *level ? 21 : 20); // with streams each part is a pass
        EXPECT_THAT(names, Contains(StartsWith("Convolution ")));
        EXPECT_LT(largestDifference(before, client.outputs(0).at(0).values), 1e-5);
    }
}

TEST(OpenVino, ARecordingKeepsToItsLimitAndCountsTheRest)
{
    Client client(convolutions());
    ASSERT_EQ(client.startTrace({sizeof(apertune_trace_options), APERTUNE_TRACE_OPERATORS, 3, nullptr, nullptr}),
              APERTUNE_OK);
    for (std::uint32_t pass = 0; pass < 5; ++pass) // more than the limit, if no layer took a microsecond
        ASSERT_EQ(client.run(pass), APERTUNE_OK);
    RecordedTrace trace;
    ASSERT_EQ(client.stopTrace(trace), APERTUNE_OK);
    EXPECT_EQ(trace.events.size(), 3U);
    EXPECT_GT(trace.lost, 0U);
}

TEST(OpenVino, FilesThatAreNoModelGetAClearSentence)
{
    const std::string good = convolutionModel();
    const std::vector<std::pair<std::string, std::string>> files{
        {"garbage", "this is no model at all, only a sentence"},
        {"cut", good.substr(0, good.size() / 2)},
        {"zeros", std::string(4096, '\0')},
    };
    for (const auto& [name, bytes] : files)
        expectRefused(configurationOf("broken_" + name, bytes), APERTUNE_BAD_INPUT, "OpenVINO cannot read model.onnx");
    Configuration missing = convolutions();
    missing.package = "/nowhere/model.xml";
    expectRefused(missing, APERTUNE_BAD_INPUT, "does not exist");
    Configuration none = convolutions();
    none.package.clear();
    expectRefused(none, APERTUNE_BAD_INPUT, "no file of the model");
}

TEST(OpenVino, CutFilesAreRefusedAndNoneCrashes)
{
    const std::string good = singleOperatorModel("Sin");
    ArtifactInput input;
    input.shape = {1, 64};
    for (std::size_t size = 1; size < good.size(); size += 3) {
        Client client(configurationOf("cut", good.substr(0, size), {input}));
        EXPECT_NE(client.status, APERTUNE_OK) << size;
    }
}

TEST(OpenVino, AModelOfAnotherShapeThanItsManifestIsRefused)
{
    ArtifactInput wrong;
    wrong.shape = {1, 4, 16, 16};
    Client channels(configurationOf("channels", convolutionModel(), {wrong}));
    EXPECT_NE(channels.status, APERTUNE_OK);
    EXPECT_FALSE(channels.error.at("message").get<std::string>().empty());
}

TEST(OpenVino, OtherDevicesThatTheRuntimeListsAreDevices)
{
    const Json described = describePlugin();
    std::vector<std::string> ids;
    for (const Json& device : described.at("devices")) {
        ids.push_back(device.at("id"));
        EXPECT_THAT(device.at("precisions").get<std::vector<std::string>>(), Contains("fp32"));
    }
    EXPECT_THAT(ids, ElementsAre("cpu", "npu:0", "npu:1"));

    const auto on = [](const char* device, Configuration configuration) {
        configuration.device = device;
        return configuration;
    };
    const auto exact = answer(convolutions(4));
    for (const char* streams : {"", "streams"}) {
        Client client(on("npu:0", convolutions(4, *streams ? std::vector<std::string>{streams, "cpu_pinning"}
                                                           : std::vector<std::string>{})));
        ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
        EXPECT_LT(largestDifference(exact, client.outputs(0).at(0).values), 1e-5);
    }
    expectRefused(on("npu:2", convolutions(2)), APERTUNE_UNSUPPORTED, "npu:2");
    expectRefused(on("xpu:0", convolutions(2)), APERTUNE_UNSUPPORTED, "xpu:0");
    expectRefused(on("npu", convolutions(2)), APERTUNE_UNSUPPORTED, "npu");
}

TEST(OpenVino, WhatItDoesNotHaveIsUnsupported)
{
    expectRefused(convolutions(2, {"cuda_graph"}), APERTUNE_UNSUPPORTED, "cuda_graph");
    Configuration configuration = convolutions();
    configuration.precision = "tf32";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "tf32");
    configuration = convolutions();
    configuration.device = "cuda:0";
    expectRefused(configuration, APERTUNE_UNSUPPORTED, "cuda:0");
}

TEST(OpenVino, Int8IsInEffectOnlyWhereInt8KernelsRun)
{
    Configuration configuration = configurationOf("quantized", quantizedModel());
    configuration.precision = "int8";
    Client client(configuration);
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("precision"), "on");
    configuration = convolutions(); // a float model under the name of int8
    configuration.precision = "int8";
    Client plain(configuration);
    ASSERT_EQ(plain.warmUp(), APERTUNE_OK) << plain.error;
    EXPECT_EQ(plain.state("precision"), "requested_not_in_effect");
    const Json report = plain.report();
    for (const Json& line : report.at("applied"))
        if (line.at("switch") == "precision") {
            EXPECT_THAT(line.at("evidence").get<std::string>(), StartsWith("0 of 3 convolutions"));
        }
}

} // namespace
} // namespace apertune::test
