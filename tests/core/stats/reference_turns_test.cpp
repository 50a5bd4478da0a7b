// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"
#include "core/stats/reference_turns.h"
#include "core/stats/summarize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace apertune::stats {
namespace {

/// A trial of 20 blocks on a machine that is `slower` times slower than at its best, with a reference of 1 ms.
model::Trial trialOf(double ns, double slower, std::uint64_t seed, const std::string& identity = "one")
{
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, 0.01);
    model::Trial trial;
    trial.id = {static_cast<std::int64_t>(seed)};
    trial.state = model::TrialState::ok;
    trial.device = "cpu";
    trial.config.threads = 1;
    for (int i = 0; i < 20; ++i) {
        const double now = slower * (1 + 0.1 * std::sin(i)); // it wanders, too
        model::Block block;
        block.iterations = 1;
        block.wall.count = static_cast<std::int64_t>(ns * now * std::exp(noise(random)));
        block.referenceNs = 1e6 * now * std::exp(noise(random));
        trial.measurement.blocks.push_back(block);
    }
    trial.measurement.conditions.driftReading = model::DriftReading{identity, 1e6 * slower, 0.01, slower};
    summarize(trial.measurement, 1);
    return trial;
}

TEST(ReferenceTurns, OfTrialsMeasuredAtDifferentTimesGiveTheirTrueRatio)
{
    int held = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const model::Trial slow = trialOf(2e7, 1, 2 * seed);
        const model::Trial fast = trialOf(1e7, 2.5, 2 * seed + 1);
        ASSERT_GT(fast.measurement.latencyNs.value, slow.measurement.latencyNs.value) << "the clock says the opposite";
        const auto effect = effectBetween({slow}, {fast});
        ASSERT_TRUE(effect);
        EXPECT_NEAR(effect->ratio.value, 2, 0.1);
        EXPECT_EQ(effect->verdict, Verdict::faster);
        held += effect->ratio.lo <= 2 && 2 <= effect->ratio.hi ? 1 : 0;
    }
    EXPECT_GE(held, 184) << "of 200 intervals of 95 %";
}

TEST(ReferenceTurns, OfDifferentReferencesCompareNothing)
{
    const model::Trial a = trialOf(2e7, 1, 1, "one");
    const model::Trial b = trialOf(2e7, 1, 2, "two");
    EXPECT_FALSE(haveCommonReference(a, b));
    model::Trial without = trialOf(2e7, 1, 3);
    without.measurement.blocks.back().referenceNs = 0;
    EXPECT_FALSE(hasReference(without));
    EXPECT_FALSE(relativeToReference(without, true));
    EXPECT_FALSE(hasReference(model::Trial{}));
}

TEST(ReferenceTurns, RelativeTimesArePerSampleWhereThatIsAsked)
{
    model::Trial trial = trialOf(8e6, 1, 4);
    trial.config.batch = 4;
    EXPECT_NEAR(relativeToReference(trial, false)->value, 8, 0.3);
    EXPECT_NEAR(relativeToReference(trial, true)->value, 2, 0.1);
}

/// Passes of which most meet other programs and become `stretch` times longer.
model::Trial contended(double ns, double stretch, std::int64_t id)
{
    model::Trial trial;
    trial.id = {id};
    trial.state = model::TrialState::ok;
    trial.device = "cpu";
    trial.config.threads = 2;
    for (int i = 0; i < 40; ++i) {
        const double pass = ns * (i % 5 == 0 ? 1 : stretch);
        model::Block block;
        block.iterations = 1;
        block.wall.count = static_cast<std::int64_t>(pass);
        trial.measurement.blocks.push_back(block);
        trial.measurement.iterations.push_back(block.wall);
    }
    trial.measurement.conditions.contended = 32; // 32 of the 40 blocks
    return trial;
}

TEST(Contention, TheRatioOfPassesThatOtherProgramsStretchedIsNotTold)
{
    // At a barrier, two threads of one side wait for each other 500 times longer than they compute.
    const auto effect = effectBetween({contended(3e6, 500, 1)}, {contended(1e6, 1.5, 2)});
    ASSERT_TRUE(effect);
    EXPECT_NEAR(effect->ratio.value, 3, 1e-6) << "that of the undisturbed passes";
    EXPECT_LE(effect->ratio.lo, 3);
    EXPECT_EQ(effect->verdict, Verdict::cannotTell);
}

} // namespace
} // namespace apertune::stats
