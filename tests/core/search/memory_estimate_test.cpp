// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/memory_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::search {
namespace {

using model::Precision;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

constexpr std::int64_t kMebibytes = 1 << 20;

base::Bytes mebibytes(double count)
{
    return {static_cast<std::int64_t>(count * kMebibytes)};
}

/// 100 MiB of parameters; an input of 1 MiB; layers of 4, 8 and 2 MiB in fp32.
model::ModelRef threeLayers()
{
    model::ModelRef model;
    model.parameterBytes = mebibytes(100);
    model.inputs = {{"image", "float32", {1, 1, 512, 512}, 0}};
    model.layers = {{"stem", "Conv2d", 0, 0, {1, 4, 512, 512}},
                    {"body", "Conv2d", 0, 0, {1, 8, 512, 512}},
                    {"head", "Conv2d", 0, 0, {1, 2, 512, 512}}};
    return model;
}

TEST(MemoryEstimate, ALayerAndTheOneBeforeItAreAliveTogether)
{
    const model::ModelRef model = threeLayers();
    EXPECT_EQ(liveBytes(model, Precision::fp32), mebibytes(1 + 4 + 8)) << "the input, and the largest pair";
    EXPECT_EQ(liveBytes(model, Precision::bf16), mebibytes(1 + 2 + 4)) << "the input stays as it is";
    EXPECT_EQ(liveBytes(model, Precision::fp32, 4), mebibytes(4 * 13)) << "twice the height and the width";
    EXPECT_EQ(parameterBytes(model, Precision::fp32), mebibytes(100));
    EXPECT_EQ(parameterBytes(model, Precision::fp16), mebibytes(50));
    EXPECT_EQ(parameterBytes(model, Precision::int8), mebibytes(25));
}

TEST(MemoryEstimate, WithoutMeasurementsTheRangeIsWide)
{
    const MemoryModel line(threeLayers(), Precision::fp32, engineMemory(mebibytes(200)), {});
    EXPECT_EQ(line.basis(), MemoryBasis::engine);
    const MemoryEstimate one = line.at(1);
    EXPECT_EQ(one.parameters, mebibytes(100));
    EXPECT_EQ(one.activations, mebibytes(2.5 * 13));
    EXPECT_EQ(one.total, mebibytes(260 + 200 + 2.5 * 13)) << "engine, two copies of the weights, one sample";
    EXPECT_EQ(one.total, one.parameters + one.activations + one.rest);
    EXPECT_EQ(one.low, mebibytes(210 + 100 + 13));
    EXPECT_EQ(one.high, mebibytes(400 + 300 + 5 * 13));
    EXPECT_EQ(MemoryModel(threeLayers(), Precision::fp32, assumedEngineMemory(), {}).basis(), MemoryBasis::layers);
}

TEST(MemoryEstimate, TwoProbesMakeALine)
{
    const MemoryModel line(threeLayers(), Precision::fp32, assumedEngineMemory(),
                           {{4, mebibytes(580)}, {1, mebibytes(520)}});
    EXPECT_EQ(line.basis(), MemoryBasis::probes);
    EXPECT_EQ(line.at(16).total, mebibytes(580 + 12 * 20));
    EXPECT_LT(line.at(16).low.count, line.at(16).total.count);
    EXPECT_GE(static_cast<double>(line.at(16).high.count), 1.1 * static_cast<double>(line.at(16).total.count))
        << "5 %, and 3 % for each of two doublings";
    EXPECT_EQ(line.largestBatch(mebibytes(1000)), 25);
    EXPECT_LT(line.surelyFits(mebibytes(1000)), 25);
    EXPECT_EQ(line.largestBatch(mebibytes(100)), 0);
    EXPECT_TRUE(line.errors().empty());
}

TEST(MemoryEstimate, TellsItsErrorAtBatchesBetweenTheProbes)
{
    const MemoryModel line(threeLayers(), Precision::fp32, assumedEngineMemory(),
                           {{1, mebibytes(520)}, {2, mebibytes(600)}, {4, mebibytes(580)}});
    EXPECT_THAT(line.errors(), ElementsAre(DoubleNear(1 - 540.0 / 600, 1e-9)));
    EXPECT_LE(line.at(2).low, mebibytes(540 * 0.9001)) << "the range is as wide as the error that was seen";
}

TEST(MemoryEstimate, GrowthThatTheLayersCannotExplainIsNotBelieved)
{
    const MemoryModel noisy(threeLayers(), Precision::fp32, assumedEngineMemory(),
                            {{1, mebibytes(500)}, {2, mebibytes(1500)}});
    EXPECT_EQ(noisy.at(3).total, mebibytes(1500 + 8 * 13)) << "a chance of small batches, not a GiB a sample";
    const MemoryModel falling(threeLayers(), Precision::fp32, assumedEngineMemory(),
                              {{1, mebibytes(600)}, {2, mebibytes(550)}});
    EXPECT_EQ(falling.at(8).total, mebibytes(550)) << "memory does not fall with the batch";
}

TEST(MemoryEstimate, OneProbeGrowsByTheLayersAndAnotherImageSizeByItsArea)
{
    const MemoryModel one(threeLayers(), Precision::fp32, assumedEngineMemory(), {{2, mebibytes(500)}});
    EXPECT_EQ(one.basis(), MemoryBasis::probe);
    EXPECT_EQ(one.at(4).total, mebibytes(500 + 2 * 2.5 * 13));
    EXPECT_EQ(one.at(4).high, mebibytes(500 + 2 * 5 * 13));
    const MemoryModel larger(threeLayers(), Precision::fp32, assumedEngineMemory(),
                             {{1, mebibytes(520)}, {2, mebibytes(540)}}, 4);
    EXPECT_EQ(larger.at(1).total, mebibytes(500 + 4 * 20));
    EXPECT_EQ(larger.at(3).total, mebibytes(500 + 3 * 4 * 20));
}

} // namespace
} // namespace apertune::search
