// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/search/recommend.h"
#include "tests/core/search/trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::search {
namespace {

using model::OptLevel;
using model::Precision;
using model::Trial;
using test::okTrial;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::int64_t> front(const std::vector<Trial>& trials, const model::Goal& goal = {})
{
    std::vector<std::int64_t> ordinals;
    for (model::TrialId id : paretoFront(trials, goal))
        ordinals.push_back(id.value - 100);
    return ordinals;
}

TEST(ParetoFront, OfNothingIsNothing)
{
    EXPECT_THAT(front({}), IsEmpty());
}

TEST(ParetoFront, ATrialOfAnotherMachineDominatesNothing)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, Precision::fp32, 1, 20),
                              okTrial(2, OptLevel::o1, Precision::fp32, 1, 10),
                              okTrial(3, OptLevel::o2, Precision::fp32, 1, 5)};
    EXPECT_THAT(front(trials), ElementsAre(3));
    trials[2].measurement.conditions.machine = "faster CPU";
    EXPECT_THAT(front(trials), ElementsAre(3, 2));
}

TEST(ParetoFront, KeepsWhatIsBestInOneOfTheTwoAndIsSortedByLatency)
{
    EXPECT_THAT(front({okTrial(1, OptLevel::o2, Precision::fp32, 8, 60),   // 133/s
                       okTrial(2, OptLevel::o2, Precision::fp32, 1, 10),   // 100/s
                       okTrial(3, OptLevel::o2, Precision::fp32, 4, 35),   // 114/s
                       okTrial(4, OptLevel::o1, Precision::fp32, 4, 39),   // 103/s: worse than 3 in both
                       okTrial(5, OptLevel::o0, Precision::fp32, 1, 20)}), // worse than 2 in both
                ElementsAre(2, 3, 1));
}

TEST(ParetoFront, OverlappingIntervalsDoNotDominate)
{
    EXPECT_THAT(front({okTrial(1, OptLevel::o1, Precision::fp32, 1, 10.1, 0.1),
                       okTrial(2, OptLevel::o2, Precision::fp32, 1, 10.0, 0.1)}),
                ElementsAre(2, 1));
    EXPECT_THAT(front({okTrial(1, OptLevel::o1, Precision::fp32, 1, 10.1, 0.001),
                       okTrial(2, OptLevel::o2, Precision::fp32, 1, 10.0, 0.001)}),
                ElementsAre(2));
}

TEST(ParetoFront, EqualTrialsBothStayInPlannedOrder)
{
    EXPECT_THAT(
        front({okTrial(2, OptLevel::o1, Precision::fp32, 1, 10), okTrial(1, OptLevel::o2, Precision::fp32, 1, 10)}),
        ElementsAre(1, 2));
}

TEST(ParetoFront, LeavesOutWhatMayNotBeRecommended)
{
    Trial nan = okTrial(1, OptLevel::o3, Precision::bf16, 1, 1);
    nan.measurement.quality->nanCount = 3;
    Trial failed = okTrial(2, OptLevel::o3, Precision::fp32, 1, 1);
    failed.state = model::TrialState::failed;
    model::Goal goal;
    goal.maxLatency = base::fromMilliseconds(12);
    EXPECT_THAT(front({nan, failed, okTrial(3, OptLevel::o1, Precision::fp32, 1, 10),
                       okTrial(4, OptLevel::o1, Precision::fp32, 8, 40)},
                      goal),
                ElementsAre(3));
}

TEST(ParetoFront, IsWhatNoOtherTrialDominatesByTheDefinition)
{
    base::Random random(5);
    for (int round = 0; round < 20; ++round) {
        std::vector<Trial> trials;
        for (int i = 1; i <= 60; ++i) {
            Trial trial = okTrial(i, OptLevel::o1, Precision::fp32, 1, 10);
            // Few distinct values, so that ends and medians often meet.
            const auto interval = [&] {
                const double value = 10 + static_cast<double>(random.below(12));
                const double half = static_cast<double>(random.below(4));
                return model::Interval{value, value - half, value + half, 0.95};
            };
            trial.measurement.latencyNs = interval();
            trial.measurement.throughput = interval();
            trials.push_back(std::move(trial));
        }
        std::vector<Trial> left;
        for (const Trial& a : trials)
            if (std::none_of(trials.begin(), trials.end(), [&a](const Trial& b) {
                    const model::Measurement& m = a.measurement;
                    const model::Measurement& n = b.measurement;
                    return (n.latencyNs.hi < m.latencyNs.lo && n.throughput.value >= m.throughput.value) ||
                           (n.throughput.lo > m.throughput.hi && n.latencyNs.value <= m.latencyNs.value);
                }))
                left.push_back(a);
        std::stable_sort(left.begin(), left.end(), [](const Trial& a, const Trial& b) {
            return a.measurement.latencyNs.value < b.measurement.latencyNs.value;
        });
        std::vector<std::int64_t> expected;
        for (const Trial& trial : left)
            expected.push_back(trial.ordinal);
        EXPECT_EQ(front(trials), expected);
    }
}

TEST(ParetoFront, IsDrawnOverTheObjectivesOfTheGoal)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o2, Precision::fp32, 8, 60),  // 133/s
                              okTrial(2, OptLevel::o2, Precision::fp32, 1, 10),  // 100/s
                              okTrial(3, OptLevel::o1, Precision::fp32, 1, 12)}; // 83/s, the least memory
    trials[0].measurement.memory.processPeak = base::Bytes{900};
    trials[1].measurement.memory.processPeak = base::Bytes{1000};
    trials[2].measurement.memory.processPeak = base::Bytes{500};
    model::Goal goal;
    EXPECT_THAT(front(trials, goal), ElementsAre(2, 1));
    goal.also = {model::Objective::memory};
    EXPECT_THAT(front(trials, goal), ElementsAre(3, 1)) << "2 is beaten by 1 in both";
    goal.also = {model::Objective::memory, model::Objective::latency};
    EXPECT_THAT(front(trials, goal), ElementsAre(2, 3, 1));
}

TEST(ParetoGroups, HoldWhatCannotBeToldApart)
{
    using model::OptLevel;
    using model::Precision;
    std::vector<model::Trial> trials{test::okTrial(1, OptLevel::o0, Precision::fp32, 1, 10.0, 0.02),
                                     test::okTrial(2, OptLevel::o1, Precision::fp32, 1, 10.02, 0.02),
                                     test::okTrial(3, OptLevel::o1, Precision::fp32, 4, 30, 0.002)};
    const auto groups = paretoGroups(trials, {});
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].size(), 2u);
    EXPECT_EQ(groups[1], std::vector<model::TrialId>{trials[2].id});
}

} // namespace
} // namespace apertune::search
