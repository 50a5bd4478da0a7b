// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/stats/energy.h"
#include "core/stats/starts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace apertune::stats {
namespace {

model::Conditions withStretches(std::vector<model::EnergyStretch> stretches, int batch = 4)
{
    model::Conditions conditions;
    conditions.energy = model::Energy{model::EnergySource::packages, batch, std::move(stretches), 5};
    return conditions;
}

TEST(Energy, OfASampleIsAllEnergyOverAllSamples)
{
    const auto energy = energyOfSample(withStretches(
        {{10, 20, base::fromSeconds(1)}, {11, 20, base::fromSeconds(1)}, {18, 40, base::fromSeconds(2)}}));
    ASSERT_TRUE(energy);
    EXPECT_DOUBLE_EQ(energy->value, 39.0 / 80 / 4);
    EXPECT_EQ(energy->confidence, 0.95);
    // Residuals of 39/80 J a pass: 0.25, 1.25, -1.5; t(2) = 4.3027.
    const double half = 4.302653 * std::sqrt((0.25 * 0.25 + 1.25 * 1.25 + 1.5 * 1.5) / 6) / (80.0 / 3) / 4;
    EXPECT_NEAR(energy->hi - energy->value, half, 1e-6);
    EXPECT_NEAR(energy->value - energy->lo, half, 1e-6);
}

TEST(Energy, AboveIdleLeavesOutThePowerBefore)
{
    const auto conditions = withStretches(
        {{10, 10, base::fromSeconds(1)}, {10, 10, base::fromSeconds(1)}, {10, 10, base::fromSeconds(1)}}, 1);
    EXPECT_DOUBLE_EQ(energyOfSample(conditions)->value, 1);
    EXPECT_DOUBLE_EQ(energyOfSample(conditions, EnergyPart::aboveIdle)->value, 0.5);
    auto unknown = conditions;
    unknown.energy->idleWatts = 0;
    EXPECT_FALSE(energyOfSample(unknown, EnergyPart::aboveIdle));
    unknown.energy->idleWatts = 20;
    EXPECT_FALSE(energyOfSample(unknown, EnergyPart::aboveIdle)) << "the machine was busier before";
}

TEST(Energy, HasNoIntervalFromFewStretchesAndNoValueFromNone)
{
    EXPECT_EQ(energyOfSample(withStretches({{10, 20, base::fromSeconds(1)}}))->confidence, 0);
    EXPECT_FALSE(energyOfSample(withStretches({})));
    EXPECT_FALSE(energyOfSample(model::Conditions{}));
    EXPECT_FALSE(energyOfSample(withStretches({{10, 20, base::fromMilliseconds(50)}}))) << "too short";
    EXPECT_FALSE(energyOfSample(withStretches({{10, 20, base::fromSeconds(1)}}, 0))) << "the batch is not known";
}

TEST(Energy, ItsIntervalHoldsTheTruthAsOftenAsItSays)
{
    base::Random random(7);
    int held = 0;
    constexpr int kTrials = 2000;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<model::EnergyStretch> stretches;
        for (int k = 0; k < 8; ++k) {
            const auto passes = static_cast<std::int64_t>(20 + random.below(10));
            double noise = 0;
            for (int i = 0; i < 12; ++i)
                noise += static_cast<double>(random.below(1000)) / 1000;
            stretches.push_back(
                {static_cast<double>(passes) * 0.5 + (noise - 6) * 0.7, passes, base::fromSeconds(0.1)});
        }
        const auto energy = energyOfSample(withStretches(std::move(stretches), 1));
        held += energy->lo <= 0.5 && 0.5 <= energy->hi;
    }
    EXPECT_NEAR(static_cast<double>(held) / kTrials, 0.95, 0.02);
}

TEST(Starts, OfEachKindHaveTheirMeanAndInterval)
{
    model::Measurement m;
    m.load = base::fromMilliseconds(30);
    m.first = base::fromMilliseconds(20);
    EXPECT_FALSE(startsOf(m, StartKind::cold));
    EXPECT_EQ(firstAnswerNs(m), 50e6) << "what the trial itself needed";
    for (const double ms : {90.0, 100.0, 110.0})
        m.conditions.starts.push_back({base::fromMilliseconds(ms - 40), base::fromMilliseconds(40), false});
    const auto warm = startsOf(m, StartKind::warm);
    ASSERT_TRUE(warm);
    EXPECT_EQ(warm->count, 3U);
    EXPECT_NEAR(warm->ns.value, std::cbrt(90.0 * 100 * 110) * 1e6, 1);
    EXPECT_EQ(warm->ns.confidence, 0.95);
    EXPECT_LT(warm->ns.lo, 90e6);
    EXPECT_GT(warm->ns.hi, 110e6);
    EXPECT_EQ(firstAnswerNs(m), warm->ns.value);
    m.conditions.starts.push_back({base::fromMilliseconds(400), base::fromMilliseconds(40), true});
    const auto cold = startsOf(m, StartKind::cold);
    ASSERT_TRUE(cold);
    EXPECT_EQ(cold->ns.confidence, 0) << "one start has no interval";
    EXPECT_NEAR(*firstAnswerNs(m), 440e6, 1) << "cold starts come first";
}

} // namespace
} // namespace apertune::stats
