// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/study.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>

namespace apertune::model::test {

TEST(Words, OfEveryEnumAreReadBack)
{
    for (const Precision precision : kAllPrecisions)
        EXPECT_EQ(precisionFromString(toString(precision)), precision);
    for (const OptLevel level : kAllLevels)
        EXPECT_EQ(levelFromString(toString(level)), level);
    for (int i = 0; i <= static_cast<int>(AppliedState::notApplicable); ++i)
        EXPECT_EQ(appliedStateFromString(toString(static_cast<AppliedState>(i))), static_cast<AppliedState>(i));
    for (int i = 0; i <= static_cast<int>(Objective::memory); ++i)
        EXPECT_EQ(objectiveFromString(toString(static_cast<Objective>(i))), static_cast<Objective>(i));
    for (int i = 0; i <= static_cast<int>(ReasonKind::quality); ++i)
        EXPECT_EQ(reasonKindFromString(toString(static_cast<ReasonKind>(i))), static_cast<ReasonKind>(i)) << i;
    for (int i = 0; i <= static_cast<int>(TrialFlag::unreadableConditions); ++i)
        EXPECT_EQ(trialFlagFromString(toString(static_cast<TrialFlag>(i))), static_cast<TrialFlag>(i)) << i;
}

TEST(Words, OfANewerVersionAreInternalFailuresAndNoFlags)
{
    EXPECT_EQ(knownReasonKind("quantum"), ReasonKind::internal);
    EXPECT_EQ(trialFlagsFromStrings({"quantum", "drift"}), std::vector{TrialFlag::drift});
}

TEST(Words, OnlyTheExactOnesAreKnown)
{
    for (const char* bad : {"", "FP32", "fp32 ", "fp", "float32", "o0", "O4", "0"}) {
        EXPECT_FALSE(precisionFromString(bad).has_value()) << bad;
        EXPECT_FALSE(levelFromString(bad).has_value()) << bad;
        EXPECT_FALSE(appliedStateFromString(bad).has_value()) << bad;
        EXPECT_FALSE(objectiveFromString(bad).has_value()) << bad;
    }
}

TEST(Objectives, AreReadAsAListWithTheMainOneFirst)
{
    Goal goal;
    ASSERT_TRUE(setObjectives(goal, "--goal", "memory, latency"));
    EXPECT_EQ(goal.objective, Objective::memory);
    EXPECT_EQ(goal.also, std::vector{Objective::latency});
    EXPECT_EQ(objectivesText(goal), "memory,latency");
    EXPECT_EQ(singleObjectiveGoals(goal).size(), 2u);
    EXPECT_EQ(singleObjectiveGoals(goal)[1].objective, Objective::latency);
    EXPECT_TRUE(asksFor(goal, Objective::latency));
    EXPECT_FALSE(asksFor(goal, Objective::throughput));
    ASSERT_TRUE(setObjectives(goal, "--goal", "latency"));
    EXPECT_TRUE(goal.also.empty()) << "what stood there is gone";
    const Goal before = goal;
    const auto slip = setObjectives(goal, "--goal", "latency,memroy");
    ASSERT_FALSE(slip);
    EXPECT_NE(sentences::sentence(slip.error().hint).find("Did you mean memory?"), std::string::npos)
        << sentences::sentence(slip.error().hint);
    EXPECT_FALSE(setObjectives(goal, "--goal", "latency,latency"));
    EXPECT_FALSE(setObjectives(goal, "--goal", ","));
    EXPECT_EQ(goal.objective, before.objective);
}

TEST(Objectives, SayWhatTheTradeOffIsDrawnOver)
{
    const auto axisOf = [](Objective main, std::vector<Objective> also) {
        Goal goal;
        goal.objective = main;
        goal.also = std::move(also);
        return tradeoffAxis(goal);
    };
    EXPECT_EQ(axisOf(Objective::memory, {}).objective, Objective::latency) << "one objective: as ever";
    EXPECT_TRUE(axisOf(Objective::memory, {}).line);
    EXPECT_EQ(axisOf(Objective::throughput, {Objective::memory}).objective, Objective::memory);
    EXPECT_TRUE(axisOf(Objective::throughput, {Objective::memory}).line);
    EXPECT_FALSE(axisOf(Objective::latency, {Objective::memory}).line) << "the picture has throughput";
    EXPECT_EQ(axisOf(Objective::latency, {Objective::memory, Objective::throughput}).objective, Objective::latency);
    EXPECT_FALSE(axisOf(Objective::latency, {Objective::memory, Objective::throughput}).line);
}

TEST(TrialStates, AreFinalOrNot)
{
    for (const TrialState state : {TrialState::queued, TrialState::leased, TrialState::running})
        EXPECT_FALSE(isFinal(state));
    for (const TrialState state : {TrialState::ok, TrialState::failed, TrialState::pruned, TrialState::cancelled})
        EXPECT_TRUE(isFinal(state));
}

TEST(Devices, AreNamedByTheirSort)
{
    for (const char* id : {"cpu", "cuda:1", "rocm:0", "xpu:0", "mps:0", "npu:12"}) {
        const DeviceType type = typeOfDevice(id);
        EXPECT_TRUE(isDeviceId(id)) << id;
        EXPECT_TRUE(std::string_view(id).starts_with(toString(type))) << id;
        EXPECT_EQ(deviceKindFromString(toString(type.kind)), type.kind);
        EXPECT_EQ(vendorFromString(toString(type.vendor)), type.vendor);
        EXPECT_EQ(type.isCpu(), std::string_view(id) == "cpu");
    }
    for (const char* id : {"", "cpu:0", "cuda", "cuda:", "cuda:x", "tpu:0", "all"})
        EXPECT_FALSE(isDeviceId(id)) << id;
    EXPECT_EQ(typeOfDevice("cuda:0"), DeviceType::nvidiaGpu());
    EXPECT_TRUE(typeOfDevice("xpu:0").hasOwnMemory());
    EXPECT_FALSE(typeOfDevice("mps:0").hasOwnMemory());
    EXPECT_FALSE(typeOfDevice("npu:0").hasOwnMemory());
    EXPECT_FALSE(typeOfDevice("cuda:0").sharesTheHost());
    EXPECT_TRUE(typeOfDevice("xpu:0").sharesTheHost());
}

TEST(Devices, KnowTheirArithmetic)
{
    Device cpu;
    cpu.type = DeviceType::cpu();
    EXPECT_FALSE(cpu.nativeBf16() || cpu.nativeFp16() || cpu.tf32());
    cpu.isa = {"avx2", "avx512f", "avx512_vnni"};
    EXPECT_TRUE(cpu.hasIsa("avx2"));
    EXPECT_FALSE(cpu.hasIsa("avx"));
    EXPECT_FALSE(cpu.nativeBf16());
    cpu.isa = {"avx512_bf16"};
    EXPECT_TRUE(cpu.nativeBf16());
    EXPECT_FALSE(cpu.nativeFp16());
    cpu.isa = {"amx_bf16"};
    EXPECT_TRUE(cpu.nativeBf16());
    cpu.isa = {"avx512_fp16"};
    EXPECT_TRUE(cpu.nativeFp16());
    cpu.computeMajor = 9; // means nothing on a CPU
    EXPECT_FALSE(cpu.tf32());

    Device gpu;
    gpu.type = DeviceType::nvidiaGpu();
    for (const auto& [major, fp16, bf16] :
         {std::tuple{5, false, false}, {6, true, false}, {7, true, false}, {8, true, true}, {9, true, true}}) {
        gpu.computeMajor = major;
        EXPECT_EQ(gpu.nativeFp16(), fp16) << major;
        EXPECT_EQ(gpu.nativeBf16(), bf16) << major;
        EXPECT_EQ(gpu.tf32(), bf16) << major;
    }
}

TEST(Measurements, BlocksAndIntervalsComputeTheirRatios)
{
    EXPECT_DOUBLE_EQ((Block{4, {1000}, {}, {}, 0}).nsPerIteration(), 250);
    EXPECT_DOUBLE_EQ(Block{}.nsPerIteration(), 0);
    EXPECT_DOUBLE_EQ((Interval{10, 9, 12, 0.95}).relativeHalfWidth(), 0.15);
    EXPECT_DOUBLE_EQ(Interval{}.relativeHalfWidth(), 0);
}

TEST(Snapshots, FindTrialsAndDevices)
{
    StudySnapshot snapshot;
    snapshot.trials.resize(2);
    snapshot.trials[1].id = {7};
    snapshot.study.environment.devices.resize(1);
    snapshot.study.environment.devices[0].id = "cuda:0";
    EXPECT_EQ(snapshot.find({7}), &snapshot.trials[1]);
    EXPECT_EQ(snapshot.find({8}), nullptr);
    EXPECT_EQ(snapshot.device("cuda:0"), &snapshot.study.environment.devices[0]);
    EXPECT_EQ(snapshot.device("cpu"), nullptr);
}

} // namespace apertune::model::test
