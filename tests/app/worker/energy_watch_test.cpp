// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/energy_watch.h"

#include <gtest/gtest.h>

namespace apertune::worker {
namespace {

EnergyReading counted(double milliseconds, double joules)
{
    return {base::fromMilliseconds(milliseconds), joules, 0};
}

EnergyReading powered(double milliseconds, double watts)
{
    return {base::fromMilliseconds(milliseconds), std::nullopt, watts};
}

TEST(EnergySum, CountsTheTimeBetweenBlocks)
{
    EnergySum sum(model::EnergySource::packages);
    sum.add(counted(0, 0), counted(60, 6), 3);
    sum.add(counted(80, 8), counted(140, 14), 3);
    const auto energy = sum.result();
    ASSERT_TRUE(energy);
    ASSERT_EQ(energy->stretches.size(), 1U) << "of at least 0.1 s";
    EXPECT_EQ(energy->total().joules, 14);
    EXPECT_EQ(energy->total().passes, 6);
    EXPECT_EQ(energy->total().time, base::fromMilliseconds(140));
    EXPECT_EQ(energy->source, model::EnergySource::packages);
}

TEST(EnergySum, EndsAStretchWhereTheCounterWasRenewed)
{
    EnergySum sum(model::EnergySource::gpuCounter);
    double joules = 0;
    for (int i = 0; i < 60; ++i) {
        const double begin = joules;
        if (i % 7 == 6)
            joules += 35; // the driver renews its counter every seventh block
        sum.add(counted(i * 20, begin), counted(i * 20 + 20, joules), 1);
    }
    const auto energy = sum.result();
    ASSERT_TRUE(energy);
    EXPECT_EQ(energy->total().passes, 60);
    EXPECT_EQ(energy->total().joules, 8 * 35);
    for (std::size_t i = 0; i + 1 < energy->stretches.size(); ++i) {
        EXPECT_EQ(energy->stretches[i].passes, 7);
        EXPECT_EQ(energy->stretches[i].joules, 35);
    }
    EXPECT_EQ(energy->stretches.back().passes, 7 + 4) << "what is left belongs to the last one";
}

TEST(EnergySum, IntegratesThePowerWhereThereIsNoCounter)
{
    EnergySum sum(model::EnergySource::gpuCounter);
    sum.add(powered(0, 100), powered(1000, 300), 10);
    sum.add(powered(1000, 300), powered(2000, 300), 10);
    const auto energy = sum.result();
    ASSERT_TRUE(energy);
    EXPECT_DOUBLE_EQ(energy->total().joules, 200 + 300);
    EXPECT_EQ(energy->source, model::EnergySource::gpuPower);
}

TEST(EnergySum, TellsNothingOfATimeThatIsTooShort)
{
    EnergySum gpu(model::EnergySource::gpuCounter);
    gpu.add(counted(0, 0), counted(900, 90), 10);
    EXPECT_FALSE(gpu.result());
    EnergySum packages(model::EnergySource::packages);
    packages.add(counted(0, 0), counted(90, 9), 10);
    EXPECT_FALSE(packages.result());
}

TEST(EnergySum, TellsNothingWhereAReadingIsMissing)
{
    EnergySum sum(model::EnergySource::packages);
    sum.add(counted(0, 0), counted(500, 50), 10);
    sum.add(counted(500, 50), {base::fromMilliseconds(1000), {}, 0}, 10);
    EXPECT_FALSE(sum.result());
    EXPECT_FALSE(EnergySum(model::EnergySource::packages).result());
}

TEST(EnergySum, PowerIsTheDifferenceOverTheTime)
{
    EXPECT_DOUBLE_EQ(powerBetween(counted(0, 1), counted(200, 5)), 20);
    EXPECT_DOUBLE_EQ(powerBetween(powered(0, 30), powered(200, 50)), 40);
    EXPECT_EQ(powerBetween(counted(0, 1), powered(200, 50)), 0);
}

} // namespace
} // namespace apertune::worker
