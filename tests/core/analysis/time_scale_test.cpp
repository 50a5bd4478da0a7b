// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/time_scale.h"

#include <gtest/gtest.h>

#include <random>

namespace apertune::analysis {
namespace {

TEST(TimeScale, PartsScaleTheirTimeAndShiftWhatFollows)
{
    const TimeScale scale({{{100, 200}, 0.5}, {{300, 400}, 0}});
    EXPECT_EQ(scale(50), 50);
    EXPECT_EQ(scale(150), 125);
    EXPECT_EQ(scale(250), 200);
    EXPECT_EQ(scale(350), 250);
    EXPECT_EQ(scale(500), 350);
    EXPECT_EQ(scale.length({0, 500}), 350);
    EXPECT_FALSE(scale.changesNothing());
    EXPECT_TRUE(TimeScale().changesNothing());
}

TEST(TimeScale, OverlappingPartsMultiply)
{
    const TimeScale scale({{{0, 100}, 0.5}, {{50, 150}, 0.5}, {{60, 60}, 0}});
    EXPECT_EQ(scale.length({0, 50}), 25);
    EXPECT_NEAR(static_cast<double>(scale.length({50, 100})), 12.5, 1);
    EXPECT_EQ(scale.length({100, 150}), 25);
    EXPECT_EQ(scale.length({150, 250}), 100);
}

TEST(TimeScale, IsMonotoneAndAddsUpForAnyParts)
{
    std::mt19937 engine(3);
    std::uniform_int_distribution<std::int64_t> time(0, 10'000);
    std::uniform_real_distribution<double> factor(0, 3);
    for (int round = 0; round < 50; ++round) {
        std::vector<TimeScale::Part> parts;
        double expected = 10'000;
        for (int i = 0; i < 20; ++i) {
            const std::int64_t a = time(engine), b = time(engine);
            parts.push_back({{std::min(a, b), std::max(a, b)}, factor(engine)});
        }
        const TimeScale scale(parts);
        // The definition, ns by ns.
        expected = 0;
        for (std::int64_t t = 0; t < 10'000; ++t) {
            double product = 1;
            for (const TimeScale::Part& part : parts)
                product *= part.time.contains(t) ? part.factor : 1;
            expected += product;
        }
        EXPECT_NEAR(static_cast<double>(scale.length({0, 10'000})), expected, 1);
        for (std::int64_t t = 0; t < 10'000; t += 37)
            EXPECT_LE(scale(t), scale(t + 37));
    }
}

} // namespace
} // namespace apertune::analysis
