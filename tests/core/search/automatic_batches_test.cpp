// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/automatic_batches.h"
#include "core/sentences/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::search {
namespace {

using ::testing::HasSubstr;

/// Batches 1, 2, 4, … with these samples a second.
std::vector<MeasuredBatch> measuredBatches(const std::vector<double>& perSecond)
{
    std::vector<MeasuredBatch> batches;
    int batch = 1;
    for (const double rate : perSecond) {
        batches.push_back({batch, 1e9 * batch / rate});
        batch *= 2;
    }
    return batches;
}

TEST(AutomaticBatches, GoesOnWhileThroughputGrows)
{
    EXPECT_TRUE(endOfGrowth({}).empty());
    EXPECT_TRUE(endOfGrowth(measuredBatches({100})).empty());
    EXPECT_TRUE(endOfGrowth(measuredBatches({100, 180, 300, 500, 800, 1200})).empty());
    EXPECT_TRUE(endOfGrowth(measuredBatches({100, 180, 179})).empty())
        << "one that gains nothing may be a step of the device's";
    EXPECT_TRUE(endOfGrowth(measuredBatches({100, 180, 179, 250})).empty());
}

TEST(AutomaticBatches, EndsWhereThroughputNoLongerGrowsOrFallsApart)
{
    const auto flat = endOfGrowth(measuredBatches({100, 180, 181, 179}));
    EXPECT_EQ(flat.kind, model::ReasonKind::dominated);
    EXPECT_THAT(sentences::sentence(flat.message), HasSubstr("no longer grows"));
    EXPECT_EQ(endOfGrowth(measuredBatches({100, 100, 101})).kind, model::ReasonKind::dominated);
    EXPECT_EQ(endOfGrowth(measuredBatches({100, 40})).kind, model::ReasonKind::dominated)
        << "twice the batch takes five times as long";
    EXPECT_EQ(enoughBatch(measuredBatches({100, 180, 181, 179})), 2) << "larger ones gain less than can be told";
}

TEST(AutomaticBatches, TheLesserOfTheDevicesMemoryAndTheBoundCounts)
{
    model::Device device;
    EXPECT_FALSE(memoryLimit(device, {}));
    EXPECT_EQ(memoryLimit(device, base::Bytes{7})->count, 7);
    device.memory = {1000};
    EXPECT_EQ(memoryLimit(device, {})->count, 800) << "other programs need some of a host's";
    EXPECT_EQ(memoryLimit(device, base::Bytes{900})->count, 800);
    EXPECT_EQ(memoryLimit(device, base::Bytes{500})->count, 500);
    device.type = model::DeviceType::nvidiaGpu();
    EXPECT_EQ(memoryLimit(device, {})->count, 1000);
    EXPECT_EQ(memoryLimit(device, {}, 0.9)->count, 900) << "a share that the user gave";
    EXPECT_EQ(memoryLimit(device, base::Bytes{500}, 0.9)->count, 500);
}

} // namespace
} // namespace apertune::search
