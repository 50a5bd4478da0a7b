// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/support/plugin_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class LibTorchCuda : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!hasCuda())
            GTEST_SKIP() << "no CUDA device: " << describePlugin().at("notes").dump();
    }
};

TEST(LibTorchWithoutCuda, ADeviceThatIsNotThereIsUnsupported)
{
    if (hasCuda())
        GTEST_SKIP() << "this machine has a CUDA device";
    Client client({.artifact = "convnet", .device = "cuda:0"});
    EXPECT_EQ(client.status, APERTUNE_UNSUPPORTED);
    EXPECT_THAT(client.error.at("message").get<std::string>(), HasSubstr("CUDA is unavailable"));
}

TEST_F(LibTorchCuda, DescribesTheDeviceFully)
{
    const Json info = describePlugin();
    const Json& device = info.at("devices").at(1);
    EXPECT_EQ(device.at("id"), "cuda:0");
    EXPECT_GT(device.at("memory_bytes").get<std::int64_t>(), 0);
    EXPECT_THAT(device.at("uuid").get<std::string>(), StartsWith("GPU-"));
    EXPECT_FALSE(device.at("driver").get<std::string>().empty());
}

TEST_F(LibTorchCuda, AgreesWithTheCpu)
{
    const auto reference = Client({.artifact = "convnet", .batch = 2}).outputs(0).at(0).values;
    Client client({.artifact = "convnet", .batch = 2, .device = "cuda:0"});
    ASSERT_EQ(client.status, APERTUNE_OK) << client.error;
    EXPECT_LT(largestDifference(client.outputs(0).at(0).values, reference), 1e-4);
    EXPECT_EQ(client.state("tf32"), "off") << client.evidence("tf32");
    EXPECT_GT(client.deviceNanoseconds(10), 0U);
}

TEST_F(LibTorchCuda, Tf32DiffersFromFp32)
{
    Client exact({.artifact = "convnet", .batch = 8, .device = "cuda:0"});
    const auto reference = exact.outputs(0).at(0).values;
    Client client({.artifact = "convnet", .switches = {"tf32"}, .precision = "tf32", .batch = 8, .device = "cuda:0"});
    ASSERT_EQ(client.status, APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("tf32"), "on");
    EXPECT_GT(largestDifference(client.outputs(0).at(0).values, reference), 0);
}

TEST_F(LibTorchCuda, AGraphGivesTheSameResultForEveryInput)
{
    Client eager({.artifact = "convnet", .switches = {"freeze", "cudnn_benchmark"}, .device = "cuda:0"});
    Client graph({.artifact = "convnet", .switches = {"freeze", "cudnn_benchmark", "cuda_graph"}, .device = "cuda:0"});
    ASSERT_EQ(graph.warmUp(), APERTUNE_OK) << graph.error;
    EXPECT_EQ(graph.state("cuda_graph"), "requested_not_in_effect");
    ASSERT_EQ(graph.finalize(), APERTUNE_OK) << graph.error;
    EXPECT_EQ(graph.state("cuda_graph"), "on") << graph.evidence("cuda_graph");
    for (std::uint32_t input : {0U, 1U})
        EXPECT_LT(largestDifference(graph.outputs(input).at(0).values, eager.outputs(input).at(0).values), 1e-4);
}

TEST_F(LibTorchCuda, AModelThatCannotBeCapturedRunsWithoutAGraph)
{
    Client client({.artifact = "synchronises", .switches = {"cuda_graph"}, .device = "cuda:0"});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    ASSERT_EQ(client.finalize(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("cuda_graph"), "requested_not_in_effect");
    EXPECT_THAT(client.evidence("cuda_graph"), StartsWith("capture failed"));
    EXPECT_EQ(client.run(0), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.outputs(1).size(), 1U);
}

TEST_F(LibTorchCuda, MemoryIsReportedForTensorsAndDevice)
{
    Client client({.artifact = "convnet", .batch = 64, .device = "cuda:0"});
    ASSERT_EQ(client.warmUp(), APERTUNE_OK);
    ASSERT_EQ(client.resetPeaks(), APERTUNE_OK);
    ASSERT_EQ(client.run(0), APERTUNE_OK);
    const Json memory = client.report().at("memory");
    EXPECT_GT(memory.at("allocator_peak").get<std::int64_t>(), 64 * 3 * 32 * 32 * 4);
    EXPECT_GE(memory.at("device_peak").get<std::int64_t>(), memory.at("allocator_peak").get<std::int64_t>());
}

} // namespace
} // namespace apertune::test
