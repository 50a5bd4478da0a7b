// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/phase.h"
#include "core/study/schedule.h"

#include <gmock/gmock.h>

namespace apertune::study {
namespace {

using base::fromSeconds;
using base::Nanoseconds;
using model::OptLevel;
using model::Precision;
using model::Trial;
using model::TrialState;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Trial trial(OptLevel level, int batch, TrialState state = TrialState::queued, double latencyMs = 0,
            const std::string& device = "cpu")
{
    Trial t;
    t.device = device;
    t.config = model::makeConfig(level, Precision::fp32, batch, 1, model::DeviceType::cpu());
    t.state = state;
    t.measurement.latencyNs.value = latencyMs * 1e6;
    return t;
}

std::vector<std::vector<std::size_t>> positions(const std::vector<WorkerRun>& runs)
{
    std::vector<std::vector<std::size_t>> all;
    for (const WorkerRun& run : runs)
        all.push_back(run.trials);
    return all;
}

TEST(Phases, OfTheWorkerAreKnownAndNewerOnesAreLeftOut)
{
    // Users know one warm-up, which the worker splits.
    for (const char* word : {"first", "warm-up", "finalize"})
        EXPECT_EQ(phaseFromString(word), Phase::warmUp) << word;
    for (const char* word : {"load", "measure", "quality", "bare", "trace", "write", "images", "stages", "serve"}) {
        ASSERT_TRUE(phaseFromString(word)) << word;
        EXPECT_EQ(toString(*phaseFromString(word)), word);
    }
    EXPECT_FALSE(phaseFromString("teleport"));
}

TEST(SearchSpace, ACompiledGroupKnowsWhatItIsWithoutCompiling)
{
    const std::vector<Trial> trials{trial(OptLevel::o0, 1),
                                    trial(OptLevel::o2, 1),
                                    trial(OptLevel::o2, 2),
                                    trial(OptLevel::o3, 1),
                                    trial(OptLevel::o3, 2, TrialState::failed),
                                    trial(OptLevel::o1, 1, TrialState::queued, 0, "cuda:0")};
    model::Device cpu;
    cpu.id = "cpu";
    cpu.type = model::DeviceType::cpu();
    const SearchSpace space = searchSpace(trials, cpu, {});
    EXPECT_THAT(space.trials, ElementsAre(0, 1, 2, 3));
    ASSERT_EQ(space.task.groups.size(), 3u);
    EXPECT_EQ(space.task.configurations[2].group, 1u);
    EXPECT_FALSE(space.task.groups[1].plain);
    EXPECT_EQ(space.task.groups[1].compile.count, 0);
    EXPECT_GT(space.task.groups[2].compile.count, 0);
    EXPECT_EQ(space.task.groups[2].plain, 1u) << "O2, not O0";
}

TEST(Schedule, AHostIsNotFilledToItsEdge)
{
    const std::vector<Trial> trials{trial(OptLevel::o0, 1)};
    model::Device cpu;
    cpu.id = "cpu";
    EXPECT_FALSE(searchSpace(trials, cpu, {}).task.memory) << "not known";
    cpu.memory = base::Bytes{1000};
    EXPECT_EQ(searchSpace(trials, cpu, {}).task.memory, base::Bytes{800});
    cpu.type = model::DeviceType::nvidiaGpu();
    EXPECT_EQ(searchSpace(trials, cpu, {}).task.memory, base::Bytes{1000});
}

TEST(Schedule, TheFirstProbesTakeOneTrialOfEachGroup)
{
    const std::vector<Trial> trials{trial(OptLevel::o0, 1), trial(OptLevel::o0, 2), trial(OptLevel::o1, 1),
                                    trial(OptLevel::o1, 2), trial(OptLevel::o2, 1)};
    EXPECT_THAT(positions(breadthFirstPass(trials, "cpu")), ElementsAre(ElementsAre(0), ElementsAre(4), ElementsAre(2)))
        << "the baseline, and then what promises most";
}

TEST(Schedule, TheFirstProbesCompileLast)
{
    std::vector<Trial> trials{trial(OptLevel::o0, 1), trial(OptLevel::o1, 1), trial(OptLevel::o2, 1),
                              trial(OptLevel::o3, 1)};
    trials[3].config.switches["aoti"] = true;
    EXPECT_THAT(positions(breadthFirstPass(trials, "cpu")),
                ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(1), ElementsAre(3)));
}

TEST(Schedule, TheFirstProbesLeaveOutWhatWasProbedBeforeAnInterruption)
{
    const std::vector<Trial> trials{trial(OptLevel::o0, 1, TrialState::ok, 1), trial(OptLevel::o0, 2),
                                    trial(OptLevel::o1, 1), trial(OptLevel::o1, 2)};
    EXPECT_THAT(positions(breadthFirstPass(trials, "cpu")), ElementsAre(ElementsAre(2)));
}

TEST(Schedule, TheCloseLookTakesTheReferenceFirstAndThenWhatPromisesMost)
{
    const std::vector<Trial> trials{
        trial(OptLevel::o0, 1, TrialState::ok, 10), trial(OptLevel::o0, 2),
        trial(OptLevel::o1, 1, TrialState::ok, 5),  trial(OptLevel::o1, 2),
        trial(OptLevel::o2, 2, TrialState::ok, 4),  trial(OptLevel::o2, 4),
        trial(OptLevel::o3, 1, TrialState::failed), trial(OptLevel::o3, 2),
    };
    EXPECT_THAT(positions(refinementPass(trials, "cpu")),
                ElementsAre(ElementsAre(1), ElementsAre(5), ElementsAre(3), ElementsAre(7)));
}

TEST(Schedule, OnlyOpenTrialsOfTheDeviceAreTaken)
{
    const std::vector<Trial> trials{trial(OptLevel::o0, 1, TrialState::pruned),
                                    trial(OptLevel::o1, 1, TrialState::queued, 0, "cuda:0")};
    EXPECT_THAT(breadthFirstPass(trials, "cpu"), IsEmpty());
    EXPECT_THAT(refinementPass(trials, "cpu"), IsEmpty());
    EXPECT_EQ(refinementPass(trials, "cuda:0").size(), 1u);
}

TEST(Schedule, OnlyO0Fp32WithNothingOnIsTheReference)
{
    EXPECT_TRUE(trial(OptLevel::o0, 4).config.isReference());
    EXPECT_FALSE(trial(OptLevel::o1, 1).config.isReference());
    Trial changed = trial(OptLevel::o0, 1);
    changed.config.switches["channels_last"] = true;
    EXPECT_FALSE(changed.config.isReference());
    changed = trial(OptLevel::o0, 1);
    changed.config.precision = Precision::bf16;
    EXPECT_FALSE(changed.config.isReference());
}

TEST(Schedule, MeasuringTimeIsAnEvenShareWithinItsLimits)
{
    const auto time = [](std::optional<double> left, int open, double overhead) {
        const auto budget = left ? std::optional(fromSeconds(*left)) : std::nullopt;
        return measuringTime(budget, open, fromSeconds(overhead), fromSeconds(1), fromSeconds(15)).seconds();
    };
    EXPECT_DOUBLE_EQ(time(std::nullopt, 40, 3), 15);
    EXPECT_DOUBLE_EQ(time(60, 10, 0), 6);
    EXPECT_DOUBLE_EQ(time(60, 10, 2), 4);
    EXPECT_DOUBLE_EQ(time(600, 10, 0), 15);
    EXPECT_DOUBLE_EQ(time(1, 10, 0), 1);
    EXPECT_DOUBLE_EQ(time(-5, 10, 0), 1);
    EXPECT_DOUBLE_EQ(time(8, 0, 0), 8);
}

TEST(Schedule, TheFirstEstimateIsThePlanAndLaterOnesAreTheTrials)
{
    using model::BudgetKind;
    const Eta planned{fromSeconds(1), fromSeconds(15)};
    const Eta first = estimateRemaining({{}, {}, planned, 5, 0}, {}, BudgetKind::measuring);
    EXPECT_DOUBLE_EQ(first.low.seconds(), 5);
    EXPECT_DOUBLE_EQ(first.high.seconds(), 75);
    const Eta second = estimateRemaining({{fromSeconds(1), fromSeconds(1)}, {}, planned, 5, 0}, fromSeconds(30),
                                         BudgetKind::measuring);
    EXPECT_DOUBLE_EQ(second.high.seconds(), 31) << "the budget bounds it, and the last trial may begin before its end";
    const Eta known = estimateRemaining({{fromSeconds(1), fromSeconds(2), fromSeconds(3)}, {}, planned, 10, 0}, {}, {});
    EXPECT_DOUBLE_EQ(known.low.seconds(), 10);
    EXPECT_DOUBLE_EQ(known.high.seconds(), 20);
}

TEST(Schedule, TheEstimateKnowsTheBudgetAndTheCompiles)
{
    using model::BudgetKind;
    const std::vector<Nanoseconds> durations(8, fromSeconds(4));
    const Eta bounded = estimateRemaining({durations, {}, {}, 100, 0}, fromSeconds(20), BudgetKind::measuring);
    EXPECT_DOUBLE_EQ(bounded.low.seconds(), 20);
    EXPECT_DOUBLE_EQ(bounded.high.seconds(), 24);
    const TrialTimes compiling{durations, {fromSeconds(25)}, {}, 1, 2};
    EXPECT_DOUBLE_EQ(estimateRemaining(compiling, fromSeconds(20), BudgetKind::measuring).low.seconds(), 54);
    EXPECT_DOUBLE_EQ(estimateRemaining(compiling, fromSeconds(20), BudgetKind::wall).high.seconds(), 24)
        << "a budget of wall time holds the compiles";
    EXPECT_DOUBLE_EQ(estimateRemaining({durations, {}, {}, 0, 1}, {}, BudgetKind::measuring).low.seconds(),
                     kTypicalCompile.seconds());
}

} // namespace
} // namespace apertune::study
