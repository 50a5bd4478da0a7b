// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/recommend.h"
#include "core/stats/block_stats.h"
#include "core/stats/summarize.h"
#include "tests/core/search/trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace apertune::search {
namespace {

using model::OptLevel;
using model::Precision;
using model::Trial;
using test::okTrial;

constexpr auto kFp32 = Precision::fp32;

std::int64_t recommendedOrdinal(const std::vector<Trial>& trials, const model::Goal& goal = {})
{
    const auto result = recommend(trials, goal);
    return result ? result->trial.value - 100 : 0;
}

TEST(Eligible, OnlyMeasuredTrials)
{
    Trial trial = okTrial(1, OptLevel::o1, kFp32, 1, 10);
    EXPECT_TRUE(isEligible(trial, {}));
    for (auto state : {model::TrialState::queued, model::TrialState::running, model::TrialState::failed,
                       model::TrialState::pruned, model::TrialState::cancelled}) {
        trial.state = state;
        EXPECT_FALSE(isEligible(trial, {}));
    }
    trial.state = model::TrialState::ok;
    trial.measurement.latencyNs = {};
    EXPECT_FALSE(isEligible(trial, {}));
    trial.measurement.latencyNs.value = std::nan("");
    EXPECT_FALSE(isEligible(trial, {}));
}

TEST(Eligible, ANanInTheOutputsNeverRanks)
{
    Trial trial = okTrial(1, OptLevel::o2, Precision::bf16, 1, 1);
    trial.measurement.quality->nanCount = 1;
    model::Goal anything;
    anything.minQuality = 0;
    EXPECT_FALSE(isEligible(trial, anything));
    trial.measurement.quality->nanCount = 0;
    trial.measurement.quality->cosine = std::nan("");
    EXPECT_FALSE(isEligible(trial, anything));
}

TEST(Eligible, QualityBelowTheBoundIsOutAndAtTheBoundIsIn)
{
    Trial trial = okTrial(1, OptLevel::o2, Precision::bf16, 1, 1);
    trial.measurement.quality->cosine = 0.999;
    model::Goal goal;
    goal.minQuality = 0.999;
    EXPECT_TRUE(isEligible(trial, goal));
    goal.minQuality = 0.9991;
    EXPECT_FALSE(isEligible(trial, goal));
}

TEST(Eligible, AnErrorThatACosineDoesNotSeeIsOut)
{
    Trial trial = okTrial(1, OptLevel::o2, Precision::bf16, 1, 1);
    trial.measurement.quality->cosine = 0.999999; // a constant factor leaves it near 1
    trial.measurement.quality->maxRel = 0.37;
    trial.measurement.quality->maxAbs = 1.02;
    model::Goal goal;
    EXPECT_TRUE(isEligible(trial, goal)) << "studies of earlier versions have no such bound";
    model::ModelRef net;
    for (const model::TaskType task :
         {model::TaskType::classification, model::TaskType::segmentation, model::TaskType::other}) {
        net.taskType = task;
        goal.maxRelError = model::defaultMaxRelError(net);
        EXPECT_FALSE(isEligible(trial, goal)) << toString(task);
    }
    net.outputs = {{"labels", "int64", {1, 8}}};
    EXPECT_FALSE(model::defaultMaxRelError(net)) << "the difference of two labels has no size";
    net.outputs.push_back({"scores", "float32", {1, 8}});
    EXPECT_TRUE(model::defaultMaxRelError(net));
    net.taskType = model::TaskType::detection;
    goal.maxRelError = model::defaultMaxRelError(net);
    EXPECT_TRUE(isEligible(trial, goal)) << "a box that one side lacks would be an error of 1";
    goal.maxAbsError = 1.02;
    EXPECT_TRUE(isEligible(trial, goal));
    goal.maxAbsError = 1.01;
    EXPECT_FALSE(isEligible(trial, goal));
    trial.measurement.quality->maxAbs = std::nan("");
    EXPECT_FALSE(isEligible(trial, goal));
}

TEST(Eligible, UnknownQualityIsFineForTheReferenceItselfOnly)
{
    Trial reference = okTrial(1, OptLevel::o0, kFp32, 1, 10);
    Trial other = okTrial(2, OptLevel::o1, kFp32, 1, 10);
    Trial nearly = okTrial(3, OptLevel::o0, kFp32, 1, 10);
    nearly.config.switches["freeze"] = true;
    for (Trial* trial : {&reference, &other, &nearly})
        trial->measurement.quality.reset();
    EXPECT_TRUE(isEligible(reference, {}));
    EXPECT_FALSE(isEligible(other, {}));
    EXPECT_FALSE(isEligible(nearly, {}));
}

TEST(Recommend, AMeasurementWithoutAnIntervalDoesNotBeatOneThatHasOne)
{
    const auto single = [](Trial trial) {
        trial.measurement.blocks.resize(1);
        stats::summarize(trial.measurement, trial.config.batch);
        return trial;
    };
    const Trial sure = okTrial(1, OptLevel::o2, kFp32, 1, 10);
    const Trial lucky = single(okTrial(2, OptLevel::o0, kFp32, 1, 9.9));
    const Trial faster = single(okTrial(3, OptLevel::o1, kFp32, 1, 5));
    ASSERT_EQ(faster.measurement.throughput.confidence, 0);
    EXPECT_EQ(recommendedOrdinal({sure, lucky, faster}), 1);
    const auto measured = recommend({lucky, faster}, {}, 0, Candidates::measured);
    ASSERT_TRUE(measured) << "a confirmation is chosen from them";
    EXPECT_EQ(measured->trial, faster.id) << "where none has one, the median decides";
    model::Goal latency;
    latency.objective = model::Objective::latency;
    EXPECT_EQ(recommendedOrdinal({lucky, sure, faster}, latency), 1);
}

TEST(Recommend, NothingIsRecommendedAfterOnePass)
{
    Trial baseline = okTrial(1, OptLevel::o0, kFp32, 1, 10);
    baseline.measurement.blocks.resize(1);
    stats::summarize(baseline.measurement, 1);
    EXPECT_FALSE(recommend({baseline}, {}));
    model::Goal memory;
    memory.objective = model::Objective::memory;
    EXPECT_FALSE(recommend({baseline}, memory));
    EXPECT_TRUE(recommend({baseline, okTrial(2, OptLevel::o2, kFp32, 1, 20)}, {}));
}

TEST(Eligible, APercentileThatIsBoundedMustBeKnownAndKept)
{
    Trial trial = okTrial(1, OptLevel::o1, kFp32, 1, 10);
    model::Goal goal;
    goal.maxPercentiles[99] = base::fromMilliseconds(12);
    EXPECT_EQ(keepsPercentiles(trial.measurement, goal), std::nullopt) << "too few passes were timed";
    EXPECT_FALSE(isEligible(trial, goal));
    trial.measurement.p99Ns = 11.9e6;
    EXPECT_TRUE(isEligible(trial, goal));
    trial.measurement.p99Ns = 12.1e6;
    EXPECT_EQ(keepsPercentiles(trial.measurement, goal), false);
    EXPECT_FALSE(isEligible(trial, goal));
    goal.maxPercentiles = {{90, base::fromMilliseconds(11)}, {99, base::fromMilliseconds(13)}};
    EXPECT_FALSE(isEligible(trial, goal)) << "p90 is not known";
    trial.measurement.p90Ns = 10.5e6;
    EXPECT_TRUE(isEligible(trial, goal));
    goal.maxPercentiles = {{99, base::fromMilliseconds(9)}};
    trial.measurement.p99Ns.reset();
    EXPECT_EQ(keepsPercentiles(trial.measurement, goal), false) << "the median is over it already";
    EXPECT_EQ(model::medianBound(goal), base::fromMilliseconds(9));
    goal.maxLatency = base::fromMilliseconds(8);
    EXPECT_EQ(model::medianBound(goal), base::fromMilliseconds(8));
    EXPECT_EQ(model::medianBound({}), std::nullopt);
}

/// Gives a trial an energy of `joules` a sample, with a little spread.
Trial withEnergy(Trial trial, double joules)
{
    model::Energy energy;
    energy.batch = trial.config.batch;
    for (const double spread : {0.99, 1.0, 1.01, 1.0})
        energy.stretches.push_back({joules * energy.batch * 10 * spread, 10, base::fromSeconds(0.2)});
    trial.measurement.conditions.energy = energy;
    return trial;
}

TEST(Eligible, EnergyThatIsBoundedMustBeKnownAndKept)
{
    Trial trial = okTrial(1, OptLevel::o1, kFp32, 1, 10);
    model::Goal goal;
    goal.maxEnergy = 0.5;
    EXPECT_FALSE(isEligible(trial, goal)) << "it is not known";
    EXPECT_TRUE(isEligible(withEnergy(trial, 0.49), goal));
    EXPECT_FALSE(isEligible(withEnergy(trial, 0.51), goal));
    goal = {};
    goal.objective = model::Objective::energy;
    EXPECT_FALSE(isEligible(trial, goal));
    EXPECT_TRUE(isEligible(withEnergy(trial, 0.51), goal));
}

TEST(Eligible, AFirstAnswerThatIsBoundedIsThatOfColdStartsWhereTheyAreKnown)
{
    Trial trial = okTrial(1, OptLevel::o1, kFp32, 1, 10);
    trial.measurement.load = base::fromMilliseconds(300);
    trial.measurement.first = base::fromMilliseconds(100);
    model::Goal goal;
    goal.maxFirst = base::fromMilliseconds(500);
    EXPECT_TRUE(isEligible(trial, goal));
    trial.measurement.conditions.starts = {{base::fromMilliseconds(300), base::fromMilliseconds(100), false}};
    EXPECT_TRUE(isEligible(trial, goal));
    trial.measurement.conditions.starts.push_back({base::fromMilliseconds(600), base::fromMilliseconds(100), true});
    EXPECT_FALSE(isEligible(trial, goal));
}

TEST(Recommend, TheLeastEnergyWinsAlsoWhereItIsSlower)
{
    const Trial baseline = withEnergy(okTrial(1, OptLevel::o0, kFp32, 1, 10), 0.8);
    const Trial fast = withEnergy(okTrial(2, OptLevel::o1, kFp32, 1, 5), 0.6);
    const Trial frugal = withEnergy(okTrial(3, OptLevel::o2, kFp32, 1, 8), 0.4);
    const Trial unknown = okTrial(4, OptLevel::o2, kFp32, 2, 1);
    model::Goal goal;
    goal.objective = model::Objective::energy;
    const auto best = recommend({baseline, fast, frugal, unknown}, goal);
    ASSERT_TRUE(best);
    EXPECT_EQ(best->trial, frugal.id);
    EXPECT_NEAR(best->speedup.value, 2, 1e-6) << "energy before over after";
    EXPECT_LT(best->speedup.lo, 2);
    EXPECT_GT(best->speedup.hi, 2);
    EXPECT_EQ(best->verdict, stats::Verdict::cannotTell) << "they took no turns";
    EXPECT_FALSE(best->runnerUp);
    goal.also = {model::Objective::throughput};
    const auto front = paretoFront({baseline, fast, frugal}, goal);
    EXPECT_EQ(front.size(), 2U) << "the baseline is worse in both";
}

TEST(Eligible, BoundsActOnTheMedianLatencyAndTheMeasuredMemory)
{
    Trial trial = okTrial(1, OptLevel::o1, kFp32, 1, 10);
    model::Goal goal;
    goal.maxLatency = base::fromMilliseconds(10.1);
    EXPECT_TRUE(isEligible(trial, goal));
    goal.maxLatency = base::fromMilliseconds(9.9);
    EXPECT_FALSE(isEligible(trial, goal));
    goal.maxLatency.reset();
    goal.maxMemory = base::Bytes{1'000'000};
    EXPECT_TRUE(isEligible(trial, goal));
    goal.maxMemory = base::Bytes{999'999};
    EXPECT_FALSE(isEligible(trial, goal));
    trial.measurement.memory.processPeak.reset();
    goal.maxMemory = base::Bytes{1LL << 40};
    EXPECT_FALSE(isEligible(trial, goal)) << "memory that was not read cannot be within a bound";
}

TEST(Eligible, OnAGpuMemoryIsTheDevicesNotTheProcesss)
{
    Trial trial = okTrial(1, OptLevel::o1, kFp32, 1, 10, 0.002, "cuda:0");
    trial.measurement.memory.processPeak = base::Bytes{9'000'000};
    trial.measurement.memory.devicePeak = base::Bytes{2'000'000};
    model::Goal goal;
    goal.maxMemory = base::Bytes{3'000'000};
    EXPECT_TRUE(isEligible(trial, goal));
    trial.measurement.memory.devicePeak = base::Bytes{4'000'000};
    EXPECT_FALSE(isEligible(trial, goal));
}

TEST(Recommend, NothingEligibleGivesNothing)
{
    EXPECT_FALSE(recommend({}, {}));
    Trial failed = okTrial(1, OptLevel::o0, kFp32, 1, 10);
    failed.state = model::TrialState::failed;
    EXPECT_FALSE(recommend({failed}, {}));
}

TEST(Recommend, TheHighestThroughputWithItsSpeedupAgainstTheBaselineOfTheSameBatch)
{
    const std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o0, kFp32, 4, 72),
                                    okTrial(3, OptLevel::o2, kFp32, 1, 12), okTrial(4, OptLevel::o2, kFp32, 4, 36)};
    const auto result = recommend(trials, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->trial.value, 104);
    EXPECT_EQ(result->against.value, 102);
    EXPECT_NEAR(result->speedup.value, 2, 1e-9);
    EXPECT_LT(result->speedup.lo, 2);
    EXPECT_GT(result->speedup.hi, 2);
    EXPECT_GT(result->speedup.lo, 1.98);
    EXPECT_EQ(result->speedup.confidence, 0.95);
}

TEST(Recommend, WithoutABaselineOfThatBatchTheNearestIsComparedPerSample)
{
    const std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o0, kFp32, 2, 38),
                                    okTrial(3, OptLevel::o2, kFp32, 8, 76)};
    const auto result = recommend(trials, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->against.value, 102);
    EXPECT_NEAR(result->speedup.value, 2, 1e-9); // 19 ms a sample against 9.5 ms
}

TEST(Recommend, AnotherEngineIsComparedWithTheOneThatWasPlannedFirst)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 40), okTrial(2, OptLevel::o0, kFp32, 1, 20),
                              okTrial(3, OptLevel::o2, kFp32, 1, 10)};
    trials[1].config.backend = trials[2].config.backend = "other";
    auto result = recommend(trials, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->trial.value, 103);
    EXPECT_EQ(result->against.value, 101) << "the model as it came";
    EXPECT_NEAR(result->speedup.value, 4, 1e-9);
    trials.pop_back();
    result = recommend(trials, {});
    EXPECT_EQ(result->trial.value, 102);
    EXPECT_NEAR(result->speedup.value, 2, 1e-9) << "its own O0 is a gain, too";
    trials[0].state = model::TrialState::failed;
    trials.push_back(okTrial(3, OptLevel::o2, kFp32, 1, 10));
    trials[2].config.backend = "other";
    EXPECT_EQ(recommend(trials, {})->against.value, 102) << "where the first was not measured";
}

TEST(Recommend, TheLatencyGoalComparesForwardPasses)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 4, 80), okTrial(2, OptLevel::o2, kFp32, 1, 10),
                              okTrial(3, OptLevel::o2, kFp32, 4, 20)};
    model::Goal goal;
    goal.objective = model::Objective::latency;
    const auto result = recommend(trials, goal);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->trial.value, 102);
    EXPECT_NEAR(result->speedup.value, 8, 1e-9);
    EXPECT_EQ(recommendedOrdinal(trials), 3) << "throughput would have chosen the larger batch";
}

TEST(Recommend, TheMemoryGoalTakesTheSmallestPeak)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 10), okTrial(2, OptLevel::o2, kFp32, 1, 50),
                              okTrial(3, OptLevel::o1, kFp32, 1, 5)};
    trials[1].measurement.memory.processPeak = base::Bytes{500'000};
    trials[2].measurement.memory.processPeak.reset();
    model::Goal goal;
    goal.objective = model::Objective::memory;
    const auto result = recommend(trials, goal);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->trial.value, 102);
    EXPECT_NEAR(result->speedup.value, 0.2, 1e-9);
}

TEST(Recommend, AmongTrialsThatCannotBeToldApartTheSimplerWins)
{
    // 1 % apart with intervals of about ± 2 %.
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o3, kFp32, 1, 9.9, 0.1),
                              okTrial(3, OptLevel::o1, kFp32, 1, 10, 0.1)};
    const auto result = recommend(trials, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->trial.value, 103);
}

TEST(Recommend, TrialsOfSeveralMachinesAreNotRankedAsOne)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o1, kFp32, 1, 10),
                              okTrial(3, OptLevel::o2, kFp32, 1, 5), okTrial(4, OptLevel::o3, kFp32, 1, 4)};
    EXPECT_EQ(recommendedOrdinal(trials), 4);
    EXPECT_TRUE(bestOfMachines(trials, {}).empty()) << "of one machine nothing has to be confirmed elsewhere";
    for (const std::size_t i : {2U, 3U})
        trials[i].measurement.conditions.machine = "faster CPU";
    EXPECT_EQ(recommendedOrdinal(trials), 0);
    const auto found = bestOfMachines(trials, {});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].trial.value, 102);
    EXPECT_EQ(found[0].against.value, 101);
    EXPECT_EQ(found[1].trial.value, 104);
    EXPECT_FALSE(found[1].against) << "its machine measured no baseline";

    model::StudySnapshot snapshot;
    snapshot.trials = trials;
    addRecommendations(snapshot);
    EXPECT_FALSE(snapshot.recommended);
    ASSERT_EQ(snapshot.shortlist.size(), 2U);
    EXPECT_EQ(snapshot.shortlist[0].trial.value, 102);
    EXPECT_EQ(snapshot.shortlist[1].trial.value, 104);

    // The machine that confirmed is the one whose trials count.
    for (const std::size_t i : {0U, 1U})
        trials[i].measurement.confirmation = 1;
    EXPECT_EQ(recommendedOrdinal(trials), 2);
    snapshot.trials = trials;
    addRecommendations(snapshot);
    EXPECT_TRUE(snapshot.shortlist.empty());
}

TEST(Recommend, ASeparatedWinnerIsTakenHoweverComplicated)
{
    EXPECT_EQ(recommendedOrdinal(
                  {okTrial(1, OptLevel::o1, kFp32, 1, 10, 0.001), okTrial(2, OptLevel::o3, kFp32, 1, 9.9, 0.001)}),
              2);
}

TEST(Recommend, NoiseDoesNotHandTheWinToAMuchSlowerTrial)
{
    EXPECT_EQ(
        recommendedOrdinal({okTrial(1, OptLevel::o0, kFp32, 1, 12, 0.9), okTrial(2, OptLevel::o2, kFp32, 1, 10, 0.9)}),
        2);
}

TEST(Recommend, EqualLevelsAreOrderedBySwitchesThenBatchThenOrdinal)
{
    Trial plain = okTrial(3, OptLevel::o1, kFp32, 1, 10);
    Trial busy = okTrial(1, OptLevel::o1, kFp32, 1, 10);
    busy.config.switches["channels_last"] = true;
    EXPECT_EQ(recommendedOrdinal({busy, plain}), 3);
    EXPECT_EQ(recommendedOrdinal({okTrial(1, OptLevel::o1, kFp32, 4, 40), okTrial(2, OptLevel::o1, kFp32, 1, 10)}), 2);
    EXPECT_EQ(recommendedOrdinal({okTrial(2, OptLevel::o1, kFp32, 1, 10), okTrial(1, OptLevel::o1, kFp32, 1, 10)}), 1);
}

TEST(Recommend, TheBaselineItselfHasNoSpeedup)
{
    const auto result = recommend({okTrial(1, OptLevel::o0, kFp32, 1, 10), okTrial(2, OptLevel::o2, kFp32, 1, 30)}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->trial.value, 101);
    EXPECT_FALSE(result->against);
    EXPECT_EQ(result->speedup.value, 1);
    EXPECT_EQ(result->speedup.confidence, 0);
}

TEST(Recommend, WithoutAnyBaselineOnThatDeviceThereIsNoSpeedup)
{
    const auto result = recommend(
        {okTrial(1, OptLevel::o0, kFp32, 1, 10), okTrial(2, OptLevel::o2, Precision::fp16, 1, 1, 0.002, "cuda:0")}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->trial.value, 102);
    EXPECT_FALSE(result->against);
    EXPECT_EQ(result->speedup.confidence, 0);
}

TEST(Recommend, ABaselineThatFailedTheGoalIsStillComparedWith)
{
    model::Goal goal;
    goal.maxLatency = base::fromMilliseconds(15);
    const auto result =
        recommend({okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o2, kFp32, 1, 10)}, goal);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->against.value, 101);
}

/// A trial that took turns: `ms` of each of its processes.
Trial confirmed(Trial trial, const std::vector<double>& ms, std::int64_t confirmation = 1)
{
    trial.measurement.blocks.clear();
    for (std::size_t k = 0; k < ms.size(); ++k)
        for (int i = -2; i <= 2; ++i)
            trial.measurement.blocks.push_back({.iterations = 1,
                                                .wall = base::fromMilliseconds(ms[k] * (1 + 0.001 * i)),
                                                .process = static_cast<int>(k) + 1});
    trial.measurement.confirmation = confirmation;
    stats::summarize(trial.measurement, trial.config.batch);
    return trial;
}

TEST(Recommend, TrialsThatTookTurnsAreToldApartByTheirTurns)
{
    // The machine gets slower from process to process; the second is faster in two of three, and not by its median.
    const Trial first = confirmed(okTrial(1, OptLevel::o1, kFp32, 1, 10), {10, 20, 30});
    const Trial second = confirmed(okTrial(2, OptLevel::o2, kFp32, 1, 10), {8, 20.4, 24});
    ASSERT_LT(first.measurement.latencyNs.value, second.measurement.latencyNs.value);
    EXPECT_EQ(recommendedOrdinal({first, second}), 2);
    Trial other = first;
    other.measurement.confirmation = 2;
    EXPECT_EQ(recommendedOrdinal({other, second}), 1) << "turns with others say nothing of these two";
}

TEST(Recommend, AnUnconfirmedTrialIsNotRecommendedOverConfirmedOnes)
{
    const Trial baseline = confirmed(okTrial(1, OptLevel::o0, kFp32, 1, 20), {40, 41, 40});
    const Trial winner = confirmed(okTrial(2, OptLevel::o2, kFp32, 1, 10), {20, 20.5, 20});
    const Trial lucky = okTrial(3, OptLevel::o1, kFp32, 1, 11); // measured while the machine was twice as fast
    EXPECT_EQ(recommendedOrdinal({baseline, winner, lucky}), 2);
    const auto amongMeasured = recommend({baseline, winner, lucky}, {}, 0, Candidates::measured);
    EXPECT_EQ(amongMeasured->trial, lucky.id) << "the next confirmation has to hold it";

    const Trial later = confirmed(okTrial(3, OptLevel::o1, kFp32, 1, 11), {22, 22.1, 22}, 2);
    const Trial again = confirmed(winner, {30, 30.1, 30}, 2);
    EXPECT_EQ(recommendedOrdinal({baseline, again, later}), 3) << "the latest turns hold the winner of the earlier";

    Trial alone = winner;
    alone.measurement.quality->cosine = 0;
    EXPECT_EQ(recommendedOrdinal({baseline, alone, lucky}), 3)
        << "a baseline that nothing took turns with is no winner";
}

TEST(Recommend, WhatDidNotTakeTurnsIsNeverSurelyFaster)
{
    const Trial baseline = okTrial(1, OptLevel::o0, kFp32, 1, 20);
    const Trial fast = okTrial(2, OptLevel::o2, kFp32, 1, 10);
    const auto alone = recommend({baseline, fast}, {});
    EXPECT_EQ(alone->verdict, stats::Verdict::cannotTell) << "the machine may have been busy for one of them";
    EXPECT_GT(alone->speedup.lo, 1.9);
    const auto inTurns = recommend({confirmed(baseline, {20, 20.1, 20}), confirmed(fast, {10, 10.1, 10})}, {});
    EXPECT_EQ(inTurns->verdict, stats::Verdict::faster);
}

TEST(Recommend, AFurtherObjectiveIsNotDecidedByTurnsOfAnotherBatch)
{
    model::StudySnapshot snapshot;
    snapshot.study.goal.also = {model::Objective::latency};
    snapshot.trials = {confirmed(okTrial(1, OptLevel::o0, kFp32, 8, 160), {160, 161, 160}),
                       confirmed(okTrial(2, OptLevel::o2, kFp32, 8, 80), {80, 80.1, 80}),
                       okTrial(3, OptLevel::o2, kFp32, 1, 12)};
    addRecommendations(snapshot);
    EXPECT_EQ(snapshot.recommended->trial.value, 102);
    EXPECT_EQ(snapshot.also.front().recommended->trial.value, 103);
    snapshot.trials[2].config.batch = 8;
    addRecommendations(snapshot);
    EXPECT_EQ(snapshot.also.front().recommended->trial.value, 102);
}

std::vector<std::int64_t> shortlisted(const model::StudySnapshot& snapshot)
{
    std::vector<std::int64_t> ids;
    for (const model::Recommendation& candidate : snapshot.shortlist)
        ids.push_back(candidate.trial.value);
    return ids;
}

TEST(Recommend, WithoutTurnsThereIsAShortlistOfWhatCannotBeToldApart)
{
    model::StudySnapshot snapshot;
    snapshot.trials = {okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o2, kFp32, 1, 10),
                       okTrial(3, OptLevel::o1, kFp32, 1, 10.01), okTrial(4, OptLevel::o3, kFp32, 1, 15)};
    addRecommendations(snapshot);
    EXPECT_FALSE(snapshot.recommended);
    EXPECT_EQ(shortlisted(snapshot), (std::vector<std::int64_t>{103, 102})) << "the simpler of a tie leads";
    EXPECT_EQ(snapshot.shortlist[0].against.value, 101);
    EXPECT_NEAR(snapshot.shortlist[0].speedup.value, 2, 0.05);
    EXPECT_EQ(snapshot.shortlist[0].verdict, stats::Verdict::cannotTell);
    ASSERT_TRUE(snapshot.leading());
    EXPECT_EQ(snapshot.leading()->trial.value, 103);

    snapshot.trials[0] = confirmed(snapshot.trials[0], {20, 20.1, 20});
    snapshot.trials[1] = confirmed(snapshot.trials[1], {10, 10.1, 10});
    addRecommendations(snapshot);
    ASSERT_TRUE(snapshot.recommended);
    EXPECT_EQ(snapshot.recommended->trial.value, 102);
    EXPECT_TRUE(snapshot.shortlist.empty());
}

TEST(Recommend, TheModelAsLoadedIsNotRecommendedBecauseItAloneWasMeasured)
{
    model::StudySnapshot snapshot;
    Trial left = okTrial(2, OptLevel::o2, kFp32, 1, 10);
    left.measurement = {};
    left.state = model::TrialState::pruned;
    left.reason = {model::ReasonKind::budget};
    snapshot.trials = {okTrial(1, OptLevel::o0, kFp32, 1, 20), left};
    addRecommendations(snapshot);
    EXPECT_FALSE(snapshot.recommended);
    EXPECT_EQ(shortlisted(snapshot), std::vector<std::int64_t>{101});

    snapshot.trials[1].state = model::TrialState::failed;
    snapshot.trials[1].reason = {model::ReasonKind::compileFailed};
    addRecommendations(snapshot);
    ASSERT_TRUE(snapshot.recommended) << "nothing else can be measured";
    EXPECT_EQ(snapshot.recommended->trial.value, 101);
    EXPECT_TRUE(snapshot.shortlist.empty());
}

TEST(Recommend, MemoryNeedsNoTurns)
{
    model::StudySnapshot snapshot;
    snapshot.study.goal.objective = model::Objective::memory;
    snapshot.trials = {okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o2, kFp32, 1, 10)};
    snapshot.trials[1].measurement.memory.processPeak = base::Bytes{500'000};
    addRecommendations(snapshot);
    ASSERT_TRUE(snapshot.recommended);
    EXPECT_EQ(snapshot.recommended->trial.value, 102);
    EXPECT_TRUE(snapshot.shortlist.empty());
}

TEST(Recommend, TheSimplerIsTakenOfTwoThatTheirTurnsCannotTellApart)
{
    const Trial simple = confirmed(okTrial(1, OptLevel::o1, kFp32, 1, 10), {10, 10.3, 9.9});
    EXPECT_EQ(recommendedOrdinal({simple, confirmed(okTrial(2, OptLevel::o2, kFp32, 1, 10), {10.1, 9.9, 10})}), 1);
    EXPECT_EQ(recommendedOrdinal({simple, confirmed(okTrial(2, OptLevel::o2, kFp32, 1, 10), {8, 8.2, 8})}), 2);
}

TEST(Recommend, ThatKnowsTheMachinesNoiseNamesNothingSmaller)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 10), okTrial(2, OptLevel::o2, kFp32, 1, 9.7)};
    for (Trial& trial : trials)
        trial.measurement.confirmation = 1;
    const auto plain = recommend(trials, {});
    EXPECT_EQ(plain->verdict, stats::Verdict::faster);
    EXPECT_GT(plain->speedup.lo, 1.02);
    const auto noisy = recommend(trials, {}, 0.04);
    EXPECT_EQ(noisy->trial, plain->trial);
    EXPECT_EQ(noisy->verdict, stats::Verdict::cannotTell);
    EXPECT_LT(noisy->speedup.lo, 0.995) << "the interval holds what processes differ by";
    EXPECT_GT(noisy->speedup.hi, 1.06);
    ASSERT_TRUE(noisy->runnerUp);
    EXPECT_EQ(noisy->runnerUp->verdict, stats::Verdict::cannotTell);
}

TEST(Recommend, OneProcessNamesNothingThatProcessesMayDifferBy)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 10), okTrial(2, OptLevel::o2, kFp32, 1, 9.7)};
    for (Trial& trial : trials) {
        trial.measurement.confirmation = 1;
        for (model::Block& block : trial.measurement.blocks)
            block.process = 1; // a confirmation without time for a second process
    }
    const auto near = recommend(trials, {});
    EXPECT_EQ(near->verdict, stats::Verdict::cannotTell);
    EXPECT_LT(near->speedup.lo, 1);
    EXPECT_GT(near->speedup.hi, 1.06);
    for (model::Block& block : trials[1].measurement.blocks)
        block.wall = {block.wall.count / 2};
    stats::summarize(trials[1].measurement, 1);
    EXPECT_EQ(recommend(trials, {})->verdict, stats::Verdict::faster);
}

TEST(Recommend, TheRunnerUpIsTheNextBestThatMayBeUsed)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o1, kFp32, 1, 12),
                              okTrial(3, OptLevel::o2, kFp32, 1, 10), okTrial(4, OptLevel::o3, kFp32, 1, 11)};
    trials[3].measurement.quality->cosine = 0.1;
    auto result = recommend(trials, {});
    ASSERT_TRUE(result->runnerUp);
    EXPECT_EQ(result->runnerUp->over.value, 102);
    EXPECT_NEAR(result->runnerUp->ratio.value, 1.2, 0.01);
    EXPECT_EQ(result->runnerUp->verdict, stats::Verdict::cannotTell) << "neither took turns";

    // One that took turns with the winner before one that looks better.
    trials[0] = confirmed(trials[0], {20, 20, 20});
    trials[1] = confirmed(trials[1], {12, 12, 12});
    trials[2] = confirmed(trials[2], {10, 10.1, 9.9});
    trials.push_back(okTrial(5, OptLevel::o2, kFp32, 2, 2 * 11.7));
    result = recommend(trials, {});
    EXPECT_EQ(result->trial.value, 103);
    EXPECT_EQ(result->runnerUp->over.value, 102);
    EXPECT_EQ(result->runnerUp->verdict, stats::Verdict::faster);
    trials.back() = okTrial(5, OptLevel::o2, kFp32, 2, 2 * 10.5);
    EXPECT_EQ(recommend(trials, {})->runnerUp->over.value, 102);

    EXPECT_FALSE(recommend({trials[0]}, {})->runnerUp);
    model::Goal memory;
    memory.objective = model::Objective::memory;
    EXPECT_FALSE(recommend(trials, memory)->runnerUp);
}

TEST(Recommend, WithoutSamplesTheIntervalsAreDivided)
{
    std::vector<Trial> trials{okTrial(1, OptLevel::o0, kFp32, 1, 20), okTrial(2, OptLevel::o2, kFp32, 2, 20)};
    for (Trial& trial : trials)
        trial.measurement.blocks.clear();
    const auto result = recommend(trials, {});
    ASSERT_TRUE(result);
    EXPECT_NEAR(result->speedup.value, 2, 1e-9);
    EXPECT_LT(result->speedup.lo, 2);
    EXPECT_GT(result->speedup.hi, 2);
    EXPECT_EQ(result->speedup.confidence, 0.95);
}

} // namespace
} // namespace apertune::search
