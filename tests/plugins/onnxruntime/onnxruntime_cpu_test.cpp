// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/plugins/support/plugin_client.h"
#include "tests/support/environment_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace apertune::test {
namespace {

using testing::HasSubstr;

std::string convolutions()
{
    static const std::string folder = makeArtifact("convolutions", convolutionModel());
    return folder;
}

Configuration at(const std::string& level, std::vector<std::string> switches = {}, int batch = 2)
{
    Configuration configuration{convolutions(), std::move(switches)};
    configuration.level = level;
    configuration.batch = batch;
    return configuration;
}

TEST(OnnxRuntimeCpu, EveryLevelGivesTheSameAnswer)
{
    NEEDS_ONNXRUNTIME();
    Client plain(at("O0"));
    ASSERT_EQ(plain.status, APERTUNE_OK) << plain.error;
    EXPECT_GT(plain.opened.at("load_ns").get<std::int64_t>(), 0);
    const auto expected = plain.outputs(1);
    ASSERT_EQ(expected.size(), 1U);
    EXPECT_EQ(expected[0].name, "y");
    EXPECT_EQ(expected[0].shape, (std::vector<std::int64_t>{2, 10}));
    EXPECT_GT(std::abs(expected[0].values[0]), 1e-3);
    for (const char* level : {"O1", "O2", "O3"}) {
        Client client(at(level));
        ASSERT_EQ(client.warmUp(), APERTUNE_OK);
        const auto got = client.outputs(1);
        ASSERT_EQ(got.size(), 1U);
        EXPECT_LT(largestDifference(expected[0].values, got[0].values), 1e-4) << level;
    }
}

TEST(OnnxRuntimeCpu, EveryOptionGivesTheSameAnswer)
{
    NEEDS_ONNXRUNTIME();
    Client plain(at("O3"));
    const auto expected = plain.outputs(0);
    ASSERT_EQ(expected.size(), 1U);
    for (const char* change : {"io_binding", "parallel_execution", "no_spinning", "no_arena", "no_memory_pattern"}) {
        Client client(at("O3", {change}));
        ASSERT_EQ(client.warmUp(), APERTUNE_OK) << change;
        const auto got = client.outputs(0);
        ASSERT_EQ(got.size(), 1U) << change;
        EXPECT_LT(largestDifference(expected[0].values, got[0].values), 1e-4) << change;
    }
}

TEST(OnnxRuntimeCpu, InputSetsHoldTheSamplesInTurn)
{
    NEEDS_ONNXRUNTIME();
    Client single(at("O1", {}, 1));
    Client pairs(at("O1", {}, 2));
    // Set 1 of batch 2 holds samples 2 and 3; the artifact has four.
    const auto both = pairs.outputs(1);
    ASSERT_EQ(both.size(), 1U);
    Configuration four = at("O1", {}, 1);
    four.inputs = 4;
    Client singles(four);
    const auto third = singles.outputs(2);
    ASSERT_EQ(third.size(), 1U);
    EXPECT_LT(largestDifference(third[0].values, {both[0].values.begin(), both[0].values.begin() + 10}), 1e-5);
    EXPECT_GT(largestDifference(third[0].values, single.outputs(0)[0].values), 1e-5);
}

TEST(OnnxRuntimeCpu, TheGraphLevelsAreReadBackFromWhatAPassRuns)
{
    NEEDS_ONNXRUNTIME();
    Client none(at("O0"));
    none.warmUp();
    for (const char* name : {"graph_basic", "graph_extended", "graph_all"})
        EXPECT_EQ(none.state(name), "off") << none.report();

    Client basic(at("O1"));
    basic.warmUp();
    EXPECT_EQ(basic.state("graph_basic"), "on") << basic.report();
    EXPECT_EQ(basic.evidence("graph_basic"), "a pass runs 7 operators instead of 9: 2 fewer BatchNormalization");
    EXPECT_EQ(basic.state("graph_extended"), "off");

    Client extended(at("O2"));
    extended.warmUp();
    EXPECT_EQ(extended.state("graph_extended"), "on") << extended.report();
    EXPECT_THAT(extended.evidence("graph_extended"), HasSubstr("2 more FusedConv"));

    Client all(at("O3"));
    all.warmUp();
    EXPECT_EQ(all.state("graph_basic"), "on") << all.report();
    EXPECT_EQ(all.state("graph_extended"), "on") << all.report();
    const std::string layout = all.state("graph_all"); // blocked convolutions are a matter of the processor
    EXPECT_THAT(layout, testing::AnyOf("on", "requested_not_in_effect"));
    EXPECT_THAT(all.evidence("graph_all"), HasSubstr(layout == "on" ? "Reorder" : "the same"));
}

TEST(OnnxRuntimeCpu, ALevelThatFindsNothingToDoIsNotInEffect)
{
    NEEDS_ONNXRUNTIME();
    ArtifactInput input;
    input.shape = {1, 64};
    Configuration configuration{makeArtifact("single", singleOperatorModel("Sin"), {input})};
    configuration.level = "O3";
    Client client(configuration);
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("graph_all"), "requested_not_in_effect") << client.report();
    EXPECT_EQ(client.evidence("graph_all"), "a pass runs the same 1 operator at the level below");
    EXPECT_EQ(client.state("graph_basic"), "off") << client.report();
}

TEST(OnnxRuntimeCpu, MemoryOptionsAreReadBackFromTheArenaItself)
{
    NEEDS_ONNXRUNTIME();
    Client with(at("O1"));
    with.warmUp();
    const Json report = with.report();
    EXPECT_EQ(with.state("no_arena"), "off") << report;
    EXPECT_EQ(with.state("no_memory_pattern"), "off") << report;
    EXPECT_GT(report.at("memory").at("allocator_peak").get<std::int64_t>(), 0);

    Client unplanned(at("O1", {"no_memory_pattern"}));
    unplanned.warmUp();
    EXPECT_EQ(unplanned.state("no_memory_pattern"), "on") << unplanned.report();
    EXPECT_NE(unplanned.evidence("no_memory_pattern"), with.evidence("no_memory_pattern"));

    Client bare(at("O1", {"no_arena"}));
    bare.warmUp();
    EXPECT_EQ(bare.state("no_arena"), "on") << bare.report();
    EXPECT_TRUE(bare.report().at("memory").at("allocator_peak").is_null());
}

TEST(OnnxRuntimeCpu, SpinningAndBindingAreReadBack)
{
    NEEDS_ONNXRUNTIME();
    const EnvironmentVariables noPolicy("OMP_WAIT_POLICY", std::nullopt);
    Client on(at("O1"));
    EXPECT_EQ(on.state("no_spinning"), "off");
    EXPECT_EQ(on.state("io_binding"), "off");
    Client off(at("O1", {"no_spinning", "io_binding"}));
    EXPECT_EQ(off.state("no_spinning"), "on") << off.report();
    EXPECT_THAT(off.evidence("no_spinning"), HasSubstr("session.intra_op.allow_spinning reads 0"));
    EXPECT_EQ(off.state("io_binding"), "on");
    Configuration alone = at("O1");
    alone.threads = 1;
    EXPECT_EQ(Client(alone).state("no_spinning"), "not_applicable");
}

TEST(OnnxRuntimeCpu, ThreadsSleepWhereTheWaitPolicyIsPassive)
{
    NEEDS_ONNXRUNTIME();
    const EnvironmentVariables policy("OMP_WAIT_POLICY", "PASSIVE");
    EXPECT_EQ(Client(at("O1")).state("no_spinning"), "on");
}

TEST(OnnxRuntimeCpu, ParallelExecutionShowsInTheThreadsOfAPass)
{
    NEEDS_ONNXRUNTIME();
    ArtifactInput input;
    input.shape = {1, 64};
    Configuration configuration{makeArtifact("branches", branchesModel(), {input}), {"parallel_execution"}};
    Client chain(at("O0", {"-parallel_execution"}));
    chain.warmUp();
    EXPECT_EQ(chain.state("parallel_execution"), "off");
    EXPECT_THAT(chain.evidence("parallel_execution"), HasSubstr("on 1 thread"));
    Client client(configuration);
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    // Whether the second thread is quick enough to take a branch is the machine's affair; what is said must agree.
    const std::string state = client.state("parallel_execution");
    EXPECT_THAT(state, testing::AnyOf("on", "requested_not_in_effect"));
    EXPECT_THAT(client.evidence("parallel_execution"), HasSubstr(" thread"));
}

TEST(OnnxRuntimeCpu, OutputsOfEveryTypeArriveAsNumbers)
{
    NEEDS_ONNXRUNTIME();
    ArtifactInput input;
    input.shape = {1, 64};
    const auto outputOf = [&](int type) {
        Client client({makeArtifact("cast", castModel(type), {input})});
        EXPECT_EQ(client.status, APERTUNE_OK) << type << client.error;
        auto got = client.outputs(0);
        EXPECT_EQ(got.size(), 1U) << type << client.error;
        return got.empty() ? OutputTensor{} : got[0];
    };
    const std::vector<double> x = outputOf(1).values; // float: sines from -1 to 1, zero first
    ASSERT_EQ(x.size(), 64U);
    EXPECT_LT(largestDifference(x, outputOf(11).values), 1e-9); // double
    EXPECT_LT(largestDifference(x, outputOf(10).values), 1e-3); // float16 has 11 bits
    EXPECT_LT(largestDifference(x, outputOf(16).values), 1e-2); // bfloat16 has 8
    EXPECT_GT(largestDifference(x, outputOf(10).values), 0);
    for (const int type : {7, 6, 5, 3}) { // int64, int32, int16, int8
        const OutputTensor whole = outputOf(type);
        EXPECT_EQ(whole.dtype, APERTUNE_INT64) << type;
        for (std::size_t i = 0; i < whole.values.size(); ++i)
            EXPECT_EQ(whole.values[i], std::trunc(x[i])) << type;
    }
    const OutputTensor truth = outputOf(9);
    EXPECT_EQ(truth.values.at(0), 0);
    EXPECT_EQ(truth.values.at(1), 1);
}

TEST(OnnxRuntimeCpu, AFileOutsideTheArtifactIsUsedWhenOneIsGiven)
{
    NEEDS_ONNXRUNTIME();
    const std::string elsewhere = makeArtifact("elsewhere", convolutionModel());
    Configuration configuration{makeArtifact("without_onnx", "")};
    EXPECT_EQ(Client(configuration).status, APERTUNE_BAD_INPUT);
    configuration.package = elsewhere + "/model.onnx";
    Client client(configuration);
    EXPECT_EQ(client.status, APERTUNE_OK) << client.error;
    EXPECT_EQ(client.outputs(0).size(), 1U);
}

TEST(OnnxRuntimeCpu, Int8IsInEffectOnlyWhereInt8KernelsRun)
{
    NEEDS_ONNXRUNTIME();
    Configuration configuration{makeArtifact("quantized", quantizedModel())};
    configuration.precision = "int8";
    configuration.switches = {"graph_extended"};
    Client fused(configuration);
    ASSERT_EQ(fused.warmUp(), APERTUNE_OK) << fused.error;
    EXPECT_EQ(fused.state("precision"), "on");
    const Json fusedReport = fused.report();
    for (const Json& line : fusedReport.at("applied"))
        if (line.at("switch") == "precision") {
            EXPECT_THAT(line.at("evidence").get<std::string>(), testing::HasSubstr("1 of 1 convolutions"));
            EXPECT_EQ(line.at("layers").size(), 1U);
        }
    configuration.switches = {}; // the engine computes in float what it does not fuse
    Client plain(configuration);
    ASSERT_EQ(plain.warmUp(), APERTUNE_OK) << plain.error;
    EXPECT_EQ(plain.state("precision"), "requested_not_in_effect");
}

} // namespace
} // namespace apertune::test
