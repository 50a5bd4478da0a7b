// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/automatic_batches.h"
#include "core/sentences/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::search {
namespace {

using ::testing::HasSubstr;

/// Rungs 1, 2, 4, … with these samples a second and, where told, peaks in MiB.
std::vector<MeasuredBatch> measuredBatches(const std::vector<double>& perSecond,
                                           const std::vector<std::int64_t>& peaks = {})
{
    std::vector<MeasuredBatch> batches;
    int batch = 1;
    for (std::size_t i = 0; i < perSecond.size(); ++i, batch *= 2) {
        batches.push_back({batch, 1e9 * batch / perSecond[i], std::nullopt});
        if (i < peaks.size())
            batches.back().peak = base::Bytes{peaks[i] << 20};
    }
    return batches;
}

TEST(AutomaticBatches, GoesOnWhileThroughputGrows)
{
    EXPECT_TRUE(endOfGrowth({}, {}).empty());
    EXPECT_TRUE(endOfGrowth(measuredBatches({100}), {}).empty());
    EXPECT_TRUE(endOfGrowth(measuredBatches({100, 180, 300, 500, 800, 1200}), {}).empty());
    EXPECT_TRUE(endOfGrowth(measuredBatches({100, 180, 179}), {}).empty())
        << "one that gains nothing may be a step of the device's";
    EXPECT_TRUE(endOfGrowth(measuredBatches({100, 180, 179, 250}), {}).empty());
}

TEST(AutomaticBatches, EndsWhereThroughputNoLongerGrowsOrFallsApart)
{
    const auto flat = endOfGrowth(measuredBatches({100, 180, 181, 179}), {});
    EXPECT_EQ(flat.kind, model::ReasonKind::dominated);
    EXPECT_THAT(sentences::sentence(flat), HasSubstr("no longer grows"));
    EXPECT_EQ(endOfGrowth(measuredBatches({100, 100, 101}), {}).kind, model::ReasonKind::dominated);
    EXPECT_EQ(endOfGrowth(measuredBatches({100, 40}), {}).kind, model::ReasonKind::dominated)
        << "twice the batch takes five times as long";
    EXPECT_EQ(enoughBatch(measuredBatches({100, 180, 181, 179})), 2) << "larger ones gain less than can be told";
}

TEST(AutomaticBatches, EndsAtTheMemoryEdgeByTheGrowthOfThePeaks)
{
    const base::Bytes limit{std::int64_t{1000} << 20};
    EXPECT_TRUE(endOfGrowth(measuredBatches({100, 180, 300}, {200, 300, 500}), limit).empty()) << "900 MiB at batch 8";
    const auto edge = endOfGrowth(measuredBatches({100, 180, 300, 500}, {200, 300, 500, 900}), limit);
    EXPECT_EQ(edge.kind, model::ReasonKind::batchEdge);
    EXPECT_THAT(sentences::sentence(edge), HasSubstr("Batch 16 would take about"));
    EXPECT_TRUE(endOfGrowth(measuredBatches({100, 180, 300, 500}, {200, 300, 500, 900}), {}).empty())
        << "nothing bounds it";
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
}

} // namespace
} // namespace apertune::search
