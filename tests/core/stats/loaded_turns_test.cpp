// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace apertune::stats {
namespace {

/// How other programs keep a machine busy while two sides take turns.
struct Load
{
    double on = 0;              ///< mean length of a burst, in turns; 0: the machine is quiet
    double off = 1;             ///< mean length of a pause
    double beginsAt = 0;        ///< share of the turns before which nothing else runs
    double takesOfFirst = 0.5;  ///< share of processor time that a burst takes from a block of the first side
    double takesOfSecond = 0.5; ///< the same for the second side
    double stretchOfFirst = 1;  ///< factor by which barriers make the first side's passes longer still
    double recorded = 0.95;     ///< share of the lost time that the kernel reports
};

/// Two sides on a machine whose time is simulated: pairs of blocks, in several fresh processes a side.
class SharedMachine
{
public:
    SharedMachine(std::uint64_t seed, int threads, double processNoise = 0.005, double blockNoise = 0.005)
        : m_random(seed), m_threads(threads), m_processNoise(processNoise), m_blockNoise(blockNoise)
    {
    }

    /// `ratio`: what the first side truly takes over what the second takes.
    std::pair<model::Trial, model::Trial> turns(int processes, int blocks, double ratio, const Load& load)
    {
        std::pair<model::Trial, model::Trial> sides;
        sides.first.id = {1};
        sides.second.id = {2};
        const int all = 2 * processes * blocks;
        int turn = 0;
        bool busy = load.on > 0 && load.beginsAt <= 0 && uniform() < load.on / (load.on + load.off);
        for (int k = 1; k <= processes; ++k) {
            const double first = 1e7 * ratio * std::exp(m_processNoise * normal());
            const double second = 1e7 * std::exp(m_processNoise * normal());
            for (int i = 0; i < blocks; ++i)
                for (int side = 0; side < 2; ++side, ++turn) {
                    const bool isFirst = (side == 0) == ((k + i) % 2 == 0); // A B, B A
                    if (load.on > 0 && turn >= load.beginsAt * all)
                        busy = uniform() < 1 / (busy ? load.on : load.off) ? !busy : busy;
                    add(isFirst ? sides.first : sides.second, k, isFirst ? first : second,
                        busy ? (isFirst ? load.takesOfFirst : load.takesOfSecond) : 0,
                        busy && isFirst ? load.stretchOfFirst : 1, load.recorded);
                }
        }
        for (model::Trial* trial : {&sides.first, &sides.second}) {
            trial->state = model::TrialState::ok;
            trial->device = "cpu";
            trial->config.threads = m_threads;
            trial->measurement.confirmation = 1;
        }
        return sides;
    }

private:
    double uniform() { return (static_cast<double>(m_random() >> 11) + 0.5) * 0x1p-53; }
    double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }

    void add(model::Trial& trial, int process, double ns, double taken, double stretch, double recorded)
    {
        taken *= 0.6 + 0.4 * uniform(); // no two bursts are alike
        const double work = ns * std::exp(m_blockNoise * normal());
        const double wall = work / (1 - taken) * stretch;
        model::Block block;
        block.iterations = 1;
        block.wall.count = static_cast<std::int64_t>(wall);
        // Of several threads at a barrier each waits its turn; only the longest of the waits is told.
        block.waited.count = static_cast<std::int64_t>(recorded * (wall - work) / m_threads + 0.002 * uniform() * work);
        block.process = process;
        trial.measurement.blocks.push_back(block);
    }

    std::mt19937_64 m_random;
    int m_threads;
    double m_processNoise, m_blockNoise;
};

struct Verdicts
{
    int named = 0; ///< comparisons with the verdict faster or slower
    int wrong = 0; ///< such verdicts with the wrong sign, or an interval without the truth
};

Verdicts verdictsOf(int times, int processes, int threads, double ratio, const Load& load)
{
    Verdicts verdicts;
    for (int i = 0; i < times; ++i) {
        SharedMachine machine(static_cast<std::uint64_t>(i) * 7919 + 1, threads);
        const auto [first, second] = machine.turns(processes, processes > 3 ? 4 : 12 / processes + 2, ratio, load);
        const Effect effect = *effectBetween({first}, {second});
        const bool named = effect.verdict == Verdict::faster || effect.verdict == Verdict::slower;
        const bool wrongSign = ratio == 1 || (effect.verdict == Verdict::faster) != (ratio > 1);
        const bool without = effect.ratio.lo > ratio || effect.ratio.hi < ratio;
        verdicts.named += named;
        verdicts.wrong += named && (wrongSign || without);
    }
    return verdicts;
}

struct Kind
{
    const char* name;
    Load load;
};

const Kind kLoads[] = {
    {"short bursts", {.on = 1.5, .off = 3}},
    {"long bursts", {.on = 15, .off = 15}},
    {"from the middle on", {.on = 1e9, .off = 1e-9, .beginsAt = 0.5}},
    {"all the time", {.on = 1e9, .off = 1e-9}},
    {"short bursts, one side more", {.on = 1.5, .off = 3, .takesOfSecond = 0.1}},
    {"long bursts, one side more", {.on = 15, .off = 15, .takesOfSecond = 0.1}},
    {"from the middle on, one side more", {.on = 1e9, .off = 1e-9, .beginsAt = 0.5, .takesOfSecond = 0.1}},
    {"all the time, one side more", {.on = 1e9, .off = 1e-9, .takesOfSecond = 0.1}},
    {"one side at barriers", {.on = 1e9, .off = 1e-9, .takesOfSecond = 0.2, .stretchOfFirst = 50}},
    {"one side at barriers in bursts", {.on = 15, .off = 15, .takesOfSecond = 0.2, .stretchOfFirst = 50}},
};

constexpr int kSimulated = 400;
constexpr int kMostWrong = 33; // 5 % and three standard deviations

TEST(InterleavedUnderLoad, LoadThatMeetsOneSideMoreNamesNoFalseWinnerAndNoRatioWithoutTheTruth)
{
    for (const double ratio : {1.0, 1.5})
        for (const int threads : {1, 2})
            for (const int processes : {2, 3, 5})
                for (const Kind& kind : kLoads) {
                    const Verdicts verdicts = verdictsOf(kSimulated, processes, threads, ratio, kind.load);
                    EXPECT_LE(verdicts.wrong, kMostWrong) << kind.name << ", ratio " << ratio << ", " << threads
                                                          << " threads, " << processes << " processes";
                }
}

TEST(InterleavedUnderLoad, AQuietMachineStillNamesWhatItNamedBefore)
{
    for (const int threads : {1, 2}) {
        EXPECT_GE(verdictsOf(kSimulated, 5, threads, 1.03, {}).named, kSimulated * 95 / 100) << threads << " threads";
        EXPECT_GE(verdictsOf(kSimulated, 3, threads, 1.03, {}).named, kSimulated * 50 / 100) << threads << " threads";
        for (const int processes : {2, 3, 5}) {
            EXPECT_EQ(verdictsOf(kSimulated, processes, threads, 1.5, {}).named, kSimulated)
                << threads << ' ' << processes;
            EXPECT_LE(verdictsOf(kSimulated, processes, threads, 1.03, {}).wrong, kMostWrong)
                << threads << ' ' << processes;
        }
    }
}

TEST(InterleavedUnderLoad, AnEffectFarAboveTheLoadIsNamedAllTheSame)
{
    for (const Kind& kind : kLoads)
        if (kind.load.stretchOfFirst == 1) {
            EXPECT_GE(verdictsOf(kSimulated, 5, 1, 3, kind.load).named, kSimulated * 95 / 100) << kind.name;
        }
}

TEST(InterleavedUnderLoad, ARatioThatSpansOrdersOfMagnitudeIsNoNumber)
{
    // Eager at barriers of a busy machine: some processes take hundreds of times as long as others.
    std::pair<model::Trial, model::Trial> sides;
    for (const auto& [process, slow] : {std::pair(1, 1e8), std::pair(2, 4e5), std::pair(3, 9e7)})
        for (int i = 0; i < 5; ++i)
            for (auto* trial : {&sides.first, &sides.second}) {
                model::Block block;
                block.iterations = 1;
                block.wall.count = static_cast<std::int64_t>(trial == &sides.first ? slow : 1.5e5);
                block.process = process;
                trial->measurement.blocks.push_back(block);
                trial->measurement.confirmation = 1;
            }
    sides.second.id = {2};
    const Effect effect = *effectBetween({sides.first}, {sides.second});
    EXPECT_EQ(effect.verdict, Verdict::cannotTell);
    EXPECT_EQ(effect.ratio.confidence, 0);
}

TEST(InterleavedUnderLoad, ProcessesOfTwoStatesThatAgreeByChanceNameNothing)
{
    // Two processes are 8 % faster and alike, one is not: Student's interval alone would be far from 1.
    std::pair<model::Trial, model::Trial> sides;
    const double factors[] = {1.08, 1.081, 1.079, 0.999, 1.08};
    for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 4; ++i)
            for (auto* trial : {&sides.first, &sides.second}) {
                model::Block block;
                block.iterations = 1;
                block.wall.count = static_cast<std::int64_t>(1e7 * (trial == &sides.first ? factors[k] : 1));
                block.process = k + 1;
                trial->measurement.blocks.push_back(block);
                trial->measurement.confirmation = 1;
            }
    sides.second.id = {2};
    const Effect effect = *effectBetween({sides.first}, {sides.second});
    ASSERT_GT(effect.ratio.lo, 1.01);
    EXPECT_EQ(effect.verdict, Verdict::cannotTell) << "one of five processes says the opposite";
}

} // namespace
} // namespace apertune::stats
