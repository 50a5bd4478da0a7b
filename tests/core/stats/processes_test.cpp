// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/compare.h"
#include "core/stats/processes.h"
#include "core/stats/summarize.h"
#include "tests/core/stats/samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace apertune::stats {
namespace {

/// A configuration in fresh processes, each of them faster or slower as a whole, and a drift of the machine that meets
/// all sides of a round alike.
class Confirmation
{
public:
    Confirmation(std::uint64_t seed, double processNoise, double roundNoise = 0)
        : m_source(seed), m_processNoise(processNoise), m_roundNoise(roundNoise)
    {
    }

    std::pair<model::Trial, model::Trial> pair(int processes, double slowdown)
    {
        std::pair<model::Trial, model::Trial> sides;
        sides.first.id = {1};
        sides.second.id = {2};
        for (int k = 1; k <= processes; ++k) {
            const double round = factor(m_roundNoise);
            add(sides.first, k, 1e7 * round * factor(m_processNoise));
            add(sides.second, k, 1e7 * slowdown * round * factor(m_processNoise));
        }
        for (model::Trial* trial : {&sides.first, &sides.second}) {
            trial->state = model::TrialState::ok;
            trial->measurement.confirmation = 1;
        }
        return sides;
    }

private:
    double factor(double noise) { return noise > 0 ? m_source.draw(1, 1, noise).front() : 1; }
    void add(model::Trial& trial, int process, double ns)
    {
        for (const double time : m_source.draw(8, ns, 0.003)) {
            model::Block block;
            block.iterations = 1;
            block.wall = {static_cast<std::int64_t>(time)};
            block.process = process;
            trial.measurement.blocks.push_back(block);
        }
    }
    test::SampleSource m_source;
    double m_processNoise, m_roundNoise;
};

bool leavesOutOne(const Effect& effect)
{
    return effect.ratio.lo > 1 || effect.ratio.hi < 1;
}

struct Counts
{
    int apart = 0, faster = 0, slower = 0;
};

/// What `times` comparisons say, of pairs that `change` made something else of.
template <typename Change>
Counts countsOf(int times, int processes, double processNoise, double roundNoise, double slowdown, Change change)
{
    Counts counts;
    for (int i = 0; i < times; ++i) {
        auto [a, b] =
            Confirmation(static_cast<std::uint64_t>(i) + 1, processNoise, roundNoise).pair(processes, slowdown);
        change(a, b);
        const Effect effect = *effectBetween({a}, {b});
        counts.apart += leavesOutOne(effect);
        counts.faster += effect.verdict == Verdict::faster;
        counts.slower += effect.verdict == Verdict::slower;
    }
    return counts;
}

const auto asItIs = [](model::Trial&, model::Trial&) {};
const auto apart = [](model::Trial& a, model::Trial&) { a.measurement.confirmation = 2; };
const auto forgotten = [](model::Trial& a, model::Trial& b) {
    for (model::Trial* trial : {&a, &b})
        for (model::Block& block : trial->measurement.blocks)
            block.process = 0;
};

TEST(StudentQuantile, AgreesWithTables)
{
    const std::pair<std::size_t, double> table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182}, {4, 2.776},
                                                    {7, 2.365},  {10, 2.228}, {30, 2.042}};
    for (const auto& [freedom, t] : table)
        EXPECT_NEAR(studentQuantile(0.025, freedom), t, 6e-4) << freedom;
    EXPECT_NEAR(studentQuantile(0.005, 2), 9.925, 6e-4);
    EXPECT_NEAR(studentQuantile(0.025, 1000), 1.962, 6e-4);
}

TEST(CompareTrials, OfIdenticalCodeInSeveralProcessesErrsAsOftenAsItSays)
{
    constexpr int kTimes = 2000;
    constexpr int kMost = 130; // 5 % and three standard deviations
    for (const int processes : {2, 3, 5}) {
        EXPECT_LE(countsOf(kTimes, processes, 0.02, 0.03, 1, asItIs).apart, kMost) << processes << " in turns";
        EXPECT_LE(countsOf(kTimes, processes, 0.02, 0, 1, apart).apart, kMost) << processes << " apart";
        EXPECT_GE(countsOf(kTimes, processes, 0.02, 0, 1, asItIs).apart, 40)
            << "an interval that is never wrong is too wide";
    }
    EXPECT_GE(countsOf(200, 3, 0.02, 0, 1, forgotten).apart, 100) << "blocks alone do not show it";
    EXPECT_LE(countsOf(kTimes, 3, 0.02, 0, 1,
                       [](model::Trial& a, model::Trial& b) {
                           apart(a, b);
                           std::erase_if(b.measurement.blocks,
                                         [](const model::Block& block) { return block.process > 1; });
                       })
                  .apart,
              kMost)
        << "one of them measured once";
}

/// What `times` intervals of paired processes say of a ratio of 1, where the blocks of a process vary by `blockNoise`.
struct Intervals
{
    double coverage = 0;  ///< share that holds 1
    double halfWidth = 0; ///< median, as a share
};

Intervals intervalsOf(int processes, int rounds, double processNoise, double blockNoise, bool pooled)
{
    constexpr int kTimes = 4000;
    std::vector<double> widths;
    int holds = 0;
    test::SampleSource source(7);
    for (int i = 0; i < kTimes; ++i) {
        Processes a;
        Processes b;
        for (int k = 0; k < processes; ++k) {
            const double own = processNoise > 0 ? source.draw(1, 1, processNoise).front() : 1;
            a.push_back(source.draw(static_cast<std::size_t>(rounds), own, blockNoise));
            b.emplace_back(static_cast<std::size_t>(rounds), 1.0);
        }
        model::Interval ratio = ratioOfProcesses({a}, {b}, Pairing::paired);
        if (pooled && areProcessesAlike({a}, {b})) {
            std::vector<double> all;
            for (const auto& process : a)
                all.insert(all.end(), process.begin(), process.end());
            ratio = compare({all}, {std::vector<double>(all.size(), 1.0)}, {.pairing = Pairing::paired}).ratio;
        }
        holds += ratio.lo <= 1 && ratio.hi >= 1;
        widths.push_back(std::sqrt(ratio.hi / ratio.lo) - 1);
    }
    return {static_cast<double>(holds) / kTimes, median(widths)};
}

TEST(ProcessesAlike, CountAsOneSampleAtAKnownPrice)
{
    for (const auto& [processes, rounds, least] :
         {std::tuple(2, 3, 0.89), std::tuple(2, 5, 0.88), std::tuple(3, 4, 0.92)})
        for (const double byProcess : {0.0, 0.02, 0.04, 0.06, 0.08, 0.12, 0.3}) {
            const double coverage = intervalsOf(processes, rounds, byProcess, 0.06, true).coverage;
            EXPECT_GE(coverage, byProcess > 0 ? least : 0.94)
                << processes << " processes of " << rounds << " rounds, which differ by " << byProcess;
        }
    EXPECT_LT(2 * intervalsOf(2, 5, 0, 0.06, true).halfWidth, intervalsOf(2, 5, 0, 0.06, false).halfWidth);
    EXPECT_LT(1.25 * intervalsOf(3, 4, 0, 0.06, true).halfWidth, intervalsOf(3, 4, 0, 0.06, false).halfWidth);
}

TEST(ProcessesAlike, AreTwoOrThreeThatDifferByNoMoreThanTheirPairs)
{
    const std::vector<double> one{1, 1, 1, 1};
    const auto alike = [&](const Processes& a) { return areProcessesAlike({a}, {Processes(a.size(), one)}); };
    EXPECT_TRUE(alike({{1.0, 1.1, 1.2, 1.3}, {1.02, 1.12, 1.18, 1.31}}));
    EXPECT_FALSE(alike({{1.0, 1.1, 1.2, 1.3}, {2.0, 2.1, 2.2, 2.3}}));
    EXPECT_TRUE(alike({{1.0, 1.1, 1.2, 1.3}, {1.02, 1.12, 1.18, 1.31}, {1.01, 1.11, 1.21, 1.29}}));
    EXPECT_FALSE(alike({{1.0, 1.1, 1.2, 1.3}, {1.02, 1.12, 1.18, 1.31}, {1.5, 1.6, 1.7, 1.8}}));
    EXPECT_FALSE(alike(Processes(4, {1.0, 1.1, 1.2, 1.3}))) << "four have an interval of their own";
    EXPECT_FALSE(alike(Processes(2, one))) << "without any variation there is nothing to compare with";
    EXPECT_FALSE(areProcessesAlike({Processes(2, {1.0, 1.1})}, {Processes(2, {1.0, 1.0})})) << "four pairs in all";
    EXPECT_FALSE(alike({{0.0, 1.1, 1.2, 1.3}, {1.02, 1.12, 1.18, 1.31}}));
}

TEST(CompareTrials, PooledProcessesKeepTheNoiseFloorInTheirInterval)
{
    auto [a, b] = Confirmation(11, 0).pair(2, 1.05);
    const Effect effect = *effectBetween({a}, {b});
    ASSERT_TRUE(effect.pooled);
    EXPECT_EQ(effect.processes, 2u);
    EXPECT_EQ(effect.verdict, Verdict::slower);
    EXPECT_LT(withNoiseFloor(effect, 0.06).lo, effect.ratio.lo - 0.03) << "the floor of two processes is 4 %";
}

TEST(CompareTrials, OfSeveralProcessesFindsFivePercent)
{
    const Counts three = countsOf(400, 3, 0.005, 0.03, 1.05, asItIs);
    EXPECT_GE(three.slower, 380);
    EXPECT_EQ(three.faster, 0);
    EXPECT_GE(countsOf(400, 5, 0.01, 0.03, 1.05, asItIs).slower, 340);
    EXPECT_GE(countsOf(400, 3, 0.005, 0, 1.05, apart).slower, 380);
}

TEST(CompareTrials, PairsWithinOneConfirmationOnly)
{
    const auto compared = [](auto change) {
        auto [a, b] = Confirmation(5, 0.001, 0.03).pair(3, 1);
        change(a, b);
        return *effectBetween({a}, {b});
    };
    const Effect together = compared(asItIs);
    EXPECT_TRUE(together.paired);
    EXPECT_EQ(together.processes, 3u);
    EXPECT_EQ(together.samples, 24u);
    const Effect separate = compared(apart);
    EXPECT_FALSE(separate.paired) << "the second look at one of them was another one";
    EXPECT_EQ(separate.processes, 3u);
    EXPECT_GT(separate.ratio.relativeHalfWidth(), 4 * together.ratio.relativeHalfWidth())
        << "what met both in a round cancels only where it did";
    const auto both = [](std::int64_t number) {
        return [number](model::Trial& a, model::Trial& b) {
            a.measurement.confirmation = b.measurement.confirmation = number;
        };
    };
    EXPECT_FALSE(compared(both(0)).paired);
    EXPECT_TRUE(compared(both(7)).paired);
    EXPECT_FALSE(compared([](model::Trial&, model::Trial& b) { b.study = {9}; }).paired) << "numbers are a study's own";
    EXPECT_FALSE(compared([](model::Trial&, model::Trial& b) { b.measurement.blocks.pop_back(); }).paired);
}

TEST(CompareTrials, AFloorOfSingleProcessesHidesLessOfTheirMean)
{
    auto [a, b] = Confirmation(3, 0.001).pair(4, 1.05);
    CompareOptions options;
    options.noiseFloor = 0.06;
    const Effect effect = *effectBetween({a}, {b}, true, options);
    EXPECT_NEAR(effect.zone, 0.03, 1e-12);
    EXPECT_EQ(effect.verdict, Verdict::slower);
    forgotten(a, b);
    EXPECT_EQ(effectBetween({a}, {b}, true, options)->verdict, Verdict::cannotTell);
}

TEST(Summarize, WhatProcessesDifferByIsNoDriftAndNoMode)
{
    model::Trial trial = Confirmation(1, 0).pair(6, 1).first;
    for (model::Block& block : trial.measurement.blocks)
        if (block.process > 3)
            block.wall = {block.wall.count * 107 / 100};
    model::Measurement known = trial.measurement;
    summarize(known, 1, 1);
    EXPECT_TRUE(known.flags.empty()) << model::toString(known.flags.front());
    for (model::Block& block : trial.measurement.blocks)
        block.process = 0;
    summarize(trial.measurement, 1, 1);
    EXPECT_EQ(trial.measurement.flags, (std::vector{model::TrialFlag::drift, model::TrialFlag::bimodal}));
}

TEST(NoiseFloor, IsABoundThatTheNextComparisonKeeps)
{
    constexpr int kTimes = 4000;
    for (const std::size_t n : {1u, 3u, 8u, 19u, 20u, 60u}) {
        int kept = 0, keptByLargest = 0;
        for (int i = 0; i < kTimes; ++i) {
            test::SampleSource source(static_cast<std::uint64_t>(i) + 1);
            std::vector<double> ratios = source.draw(n + 1, 1, 0.01);
            const double next = std::expm1(std::abs(std::log(ratios.back())));
            ratios.pop_back();
            double largest = 0;
            for (const double ratio : ratios)
                largest = std::max(largest, std::expm1(std::abs(std::log(ratio))));
            kept += next <= noiseFloor(ratios).effect;
            keptByLargest += next <= largest;
        }
        EXPECT_GE(kept, kTimes * (n < kEnoughRatios ? 93 : 98) / 100) << n;
        if (n == 3) {
            EXPECT_LE(kept, kTimes * 97 / 100);
            EXPECT_LE(keptByLargest, kTimes * 80 / 100) << "the largest of three is no bound";
        }
    }
}

} // namespace
} // namespace apertune::stats
