// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/compare.h"
#include "core/sentences/sentences.h"
#include "tests/support/golden.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace apertune::comparison {
namespace {

using sentences::sentence;

/// The same study a week later on another kernel: O0 fp32 b1 as before, b4 10 % slower, O2 fp32 b4 5 % faster.
model::StudySnapshot laterStudy()
{
    auto s = test::sampleStudy();
    s.study.id = {7};
    s.study.environment.kernel = "6.12.0-1-amd64";
    s.study.environment.settings = {{"governor", "performance"}, {"OMP_NUM_THREADS", "2"}};
    s.trials[1] = test::measuredTrial(12, s.trials[1].config, 288.2);
    s.trials[3] = test::measuredTrial(14, s.trials[3].config, 161.0, 0.006);
    s.trials.erase(s.trials.begin() + 2);
    return s;
}

TEST(CompareStudies, MatchesConfigurationsAndNamesWhatDiffers)
{
    const auto a = test::sampleStudy();
    const auto b = laterStudy();
    const Comparison c = compareStudies(a, b);
    apertune::test::expectGolden("comparison.txt", comparisonTable(c));
    apertune::test::expectGolden("comparison.json",
                                 comparisonDocument(c, "s3", "s7", checkGate(c, 0.03)).dump(2) + "\n");
}

TEST(CompareTrials, OfDifferentBatchesShowTheTimeOfASampleThatTheRatioIsOf)
{
    const auto s = test::sampleStudy();
    const Comparison c = compareTrials(s, s.trials[0], s, s.trials[1]); // O0 fp32, batch 1 against 4
    ASSERT_EQ(c.configurations.size(), 1u);
    const double shown = shownTime(*c.configurations[0].a, true).value / shownTime(*c.configurations[0].b, true).value;
    EXPECT_NEAR(shown / c.configurations[0].ratio.value, 1, 0.02);
    EXPECT_NE(comparisonTable(c).find("A ms/sample"), std::string::npos) << comparisonTable(c);
    EXPECT_NE(comparisonTable(c).find("65.50 ± "), std::string::npos) << comparisonTable(c);
    EXPECT_NE(comparisonTable(compareStudies(s, s)).find("A ms/pass"), std::string::npos);
}

TEST(CompareTrials, OfAnotherToolAreComparedByTheirValues)
{
    auto s = test::sampleStudy();
    s.study.purpose = model::StudyPurpose::imported;
    for (model::Trial& trial : s.trials) {
        trial.measurement.blocks.clear();
        trial.measurement.iterations.clear();
        trial.measurement.latencyNs.confidence = 0;
    }
    const Comparison c = compareTrials(s, s.trials[0], s, s.trials[1]);
    ASSERT_EQ(c.configurations.size(), 1u);
    EXPECT_TRUE(c.configurations[0].byValue);
    EXPECT_EQ(c.configurations[0].verdict, stats::Verdict::cannotTell);
    const double ratio = shownTime(s.trials[0], true).value / shownTime(s.trials[1], true).value;
    EXPECT_DOUBLE_EQ(c.configurations[0].ratio.value, ratio);
    EXPECT_NE(comparisonTable(c).find("(values)"), std::string::npos) << comparisonTable(c);
    EXPECT_NE(comparisonTable(c).find("not in turns"), std::string::npos);
    const base::Json document = comparisonDocument(c);
    EXPECT_DOUBLE_EQ(document["cells"][0]["ratio"]["value"].get<double>(), ratio);
    EXPECT_TRUE(document["cells"][0]["ratio"]["lo"].is_null());
}

TEST(CompareStudies, OfAStudyWithItselfFindsNoEffect)
{
    const auto a = test::sampleStudy();
    const Comparison c = compareStudies(a, a);
    EXPECT_TRUE(c.environment.empty());
    EXPECT_EQ(c.configurations.size(), 5u);
    for (const MatchedConfiguration& configuration : c.configurations) {
        EXPECT_NEAR(configuration.ratio.value, 1, 1e-9);
        EXPECT_NE(configuration.verdict, stats::Verdict::faster) << configuration.label;
        EXPECT_NE(configuration.verdict, stats::Verdict::slower) << configuration.label;
    }
}

TEST(CompareStudies, SayHowFarTheMachineItselfHadChanged)
{
    auto a = test::sampleStudy();
    auto b = a;
    EXPECT_TRUE(machineMessage(compareStudies(a, b)).empty());
    a.trials[0].measurement.conditions.driftReading = model::DriftReading{"o0", 1e6, 0.01, 1};
    b.trials[0].measurement.conditions.driftReading = model::DriftReading{"o0", 1.25e6, 0.01, 1};
    const Comparison c = compareStudies(a, b);
    EXPECT_NEAR(c.configurations[0].machine, 1.25, 1e-9);
    EXPECT_NEAR(c.configurations[0].ratio.value, 1.25, 1e-9) << "as long on a slower machine is faster";
    EXPECT_EQ(c.configurations[1].machine, 1);
    EXPECT_EQ(sentence(machineMessage(c)),
              "The machine itself was up to 1.25 times slower when B was measured, by the drift readings "
              "beside 1 of 5 configurations. The ratios are corrected for it.");
    EXPECT_NE(comparisonTable(c).find(sentence(machineMessage(c))), std::string::npos);
}

TEST(CompareStudies, ThreadsMatterOnlyWhereTheyAreAnAxis)
{
    const auto a = test::sampleStudy();
    auto b = a;
    for (model::Trial& t : b.trials)
        t.config.threads = 64;
    EXPECT_EQ(compareStudies(a, b).configurations.size(), 5u) << "another machine's default";
    b.trials[0].config.threads = 32;
    EXPECT_TRUE(compareStudies(a, b).configurations.empty()) << "now a choice";
}

TEST(CompareStudies, NameEverythingThatWasTriedOrAskedDifferently)
{
    const auto a = test::sampleStudy();
    auto b = a;
    EXPECT_TRUE(compareStudies(a, b).studies.empty());
    // Some configurations of B have other threads and another engine; the rest is as in A.
    b.trials[0].config.threads = 4;
    b.trials[1].config.backend = "openvino";
    b.study.budget = base::fromSeconds(30);
    b.study.goal.also = {model::Objective::memory};
    b.study.space.switches = {{"channels_last", {false, true}}};
    const Comparison c = compareStudies(a, b);
    std::map<std::string, std::pair<std::string, std::string>> found;
    for (const Difference& d : c.studies)
        found[d.name] = {sentence(d.a), sentence(d.b)};
    EXPECT_EQ(found.at("threads").second, found.at("threads").first + ", 4");
    EXPECT_EQ(found.at("backend"), std::pair(std::string("libtorch"), std::string("libtorch, openvino")));
    EXPECT_EQ(found.at("budget").second, "30.0 s");
    EXPECT_EQ(found.at("goal").second, "throughput,memory");
    EXPECT_EQ(found.at("switch channels_last"), std::pair(std::string(), std::string("off, on")));
    EXPECT_FALSE(found.contains("batch")) << "the same on both sides";
    EXPECT_NE(comparisonTable(c).find("libtorch, openvino"), std::string::npos);
    EXPECT_EQ(comparisonDocument(c, "a", "b")["studies"].size(), c.studies.size());

    auto two = a;
    for (model::Trial& trial : two.trials)
        trial.config.threads = 4;
    for (const Difference& d : compareStudies(a, two).studies)
        EXPECT_NE(d.name, "threads") << "the difference of all configurations is told once";
}

TEST(CompareStudies, NeverMatchesACpuWithAGpuWhereAStudyHasBoth)
{
    const auto a = test::twoDeviceStudy();
    for (const MatchedConfiguration& configuration : compareStudies(a, a).configurations)
        EXPECT_EQ(configuration.a->device, configuration.b->device);
    auto b = a;
    std::erase_if(b.trials, [](const model::Trial& t) { return t.device == "cpu"; });
    const Comparison c = compareStudies(a, b);
    EXPECT_TRUE(c.configuration.empty());
    for (const MatchedConfiguration& configuration : c.configurations)
        EXPECT_EQ(configuration.a->device, "cuda:0");
    EXPECT_FALSE(c.onlyInA.empty());
}

TEST(CompareStudies, ThatDifferInThreadsAsAWholeAreMatchedAndTheHeaderSaysSo)
{
    const auto a = test::sampleStudy();
    auto b = a;
    for (model::Trial& t : b.trials)
        t.config.threads = 1;
    const Comparison c = compareStudies(a, b);
    EXPECT_EQ(c.configurations.size(), 5u);
    ASSERT_EQ(c.configuration.size(), 1u);
    EXPECT_NE(comparisonTable(c).find("The studies differ as a whole in threads: 2 against 1."), std::string::npos)
        << comparisonTable(c);
    EXPECT_EQ(comparisonDocument(c)["configuration"][0]["name"], "threads");
}

TEST(CompareStudies, ThatDifferInTheirDeviceAsAWholeAreMatchedByLevelPrecisionAndBatch)
{
    auto a = test::sampleStudy();
    a.trials.resize(2); // O0 fp32, batch 1 and 4
    auto b = a;
    b.study.environment.devices = test::twoDeviceStudy().study.environment.devices;
    for (model::Trial& t : b.trials) {
        t.device = "cuda:0";
        t.config =
            model::makeConfig(t.config.level, t.config.precision, t.config.batch, 0, model::DeviceType::nvidiaGpu());
    }
    const Comparison c = compareStudies(a, b);
    ASSERT_EQ(c.configurations.size(), 2u) << comparisonTable(c);
    EXPECT_EQ(c.configurations[1].b->config.batch, 4);
    EXPECT_NE(comparisonTable(c).find("device: cpu against cuda, threads: 2 against –"), std::string::npos)
        << comparisonTable(c);
}

TEST(CompareStudies, SayWhyAConfigurationHasNoPartner)
{
    const auto a = test::sampleStudy();
    auto b = a;
    b.trials.resize(2);
    for (model::Trial& t : b.trials)
        t.config.threads = t.config.batch; // an axis: not what the whole study differs in
    const Comparison c = compareStudies(a, b);
    EXPECT_TRUE(c.configurations.empty());
    EXPECT_EQ(c.onlyInA.size(), 5u);
    ASSERT_EQ(c.onlyInB.size(), 2u);
    EXPECT_EQ(sentence(c.onlyInB[0].reason), "The nearest configuration of A differs in threads: 1 against 2.");
    EXPECT_EQ(comparisonDocument(c)["unmatched"]["b"][0]["reason"], sentence(c.onlyInB[0].reason));
    const std::string table = comparisonTable(c);
    EXPECT_NE(table.find("The nearest configuration of B differs in threads: 2 against 1."), std::string::npos)
        << table;

    auto later = a;
    later.trials[0].state = model::TrialState::pruned;
    later.trials[0].reason = {model::ReasonKind::budget, base::foreignText("The budget was spent.")};
    EXPECT_EQ(sentence(compareStudies(a, later).onlyInA.at(0).reason),
              "Not measured in B: budget: The budget was spent.");
}

TEST(CompareTrials, ShowsWhichSettingsMakeTheEffect)
{
    const auto s = test::sampleStudy();
    const Comparison c = compareTrials(s, s.trials[0], s, s.trials[2]);
    ASSERT_EQ(c.configurations.size(), 1u);
    EXPECT_EQ(c.configurations[0].verdict, stats::Verdict::faster);
    std::vector<std::string> names;
    for (const Difference& d : c.configuration)
        names.push_back(d.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"level", "freeze", "jit_optimize", "keep_memory", "optimize_for_inference"}));
}

TEST(CompareTrials, LeaveOutSwitchesThatTheOtherEngineHasNot)
{
    auto s = test::sampleStudy();
    model::Trial& other = s.trials[2];
    other.config.backend = "openvino";
    other.config.switches = {{"streams", true}, {"freeze", !s.trials[0].config.isOn("freeze")}};
    std::vector<std::string> names;
    for (const Difference& d : compareTrials(s, s.trials[0], s, other).configuration)
        names.push_back(d.name);
    EXPECT_EQ(names, (std::vector<std::string>{"backend", "level", "freeze"}));
}

TEST(CompareTrials, ComparesTimePerSampleWhenTheBatchesDiffer)
{
    const auto s = test::sampleStudy();
    const Comparison c = compareTrials(s, s.trials[0], s, s.trials[1]);
    EXPECT_NEAR(c.configurations[0].ratio.value, 69.2 / (262.0 / 4), 0.01);
}

TEST(CompareTrials, WithATrialThatHasNoNumberCannotCompare)
{
    const auto s = test::sampleStudy();
    const Comparison c = compareTrials(s, s.trials[0], s, s.trials[5]);
    EXPECT_TRUE(c.configurations.empty());
    EXPECT_EQ(checkGate(c, 0.03).result, GateResult::cannotTell);
}

TEST(Gate, FailsOnlyOnAConfigurationThatIsSurelySlower)
{
    const auto a = test::sampleStudy();
    const auto b = laterStudy();
    EXPECT_EQ(checkGate(compareStudies(a, b), 0.03).result, GateResult::failed);
    EXPECT_EQ(checkGate(compareStudies(b, a), 0.20).result, GateResult::cannotTell)
        << "five blocks give no interval, so the NaN configuration proves nothing";
    EXPECT_EQ(checkGate(compareTrials(a, a.trials[1], b, b.trials[1]), 0.20).result, GateResult::passed);
}

TEST(Gate, FailsOnAConfigurationThatBTriedAndLost)
{
    const auto a = test::sampleStudy();
    auto b = a;
    EXPECT_EQ(checkGate(compareStudies(a, b), 0.2).result, GateResult::cannotTell)
        << "too few blocks in one configuration";
    model::Trial& lost = b.trials[1];
    lost.state = model::TrialState::pruned;
    EXPECT_TRUE(compareStudies(a, b).lost.empty()) << "a search left it out";
    lost.state = model::TrialState::failed;
    lost.reason = {model::ReasonKind::crash, base::foreignText("The worker crashed.")};
    const Comparison c = compareStudies(a, b);
    ASSERT_EQ(c.lost.size(), 1u);
    EXPECT_EQ(sentence(c.lost[0].reason), "The worker crashed.");
    EXPECT_EQ(checkGate(c, 0.2).result, GateResult::failed);
    EXPECT_EQ(checkGate(compareTrials(a, a.trials[1], b, lost), 0.2).result, GateResult::failed);
    EXPECT_EQ(comparisonDocument(c)["lost"][0]["label"], c.lost[0].label);
}

TEST(Gate, CannotTellWhenTheIntervalCrossesTheLimit)
{
    Comparison c;
    c.configurations.push_back(
        {nullptr, nullptr, "", {0.97, 0.95, 0.99, 0.95}, stats::Verdict::cannotTell, 1, 30, false});
    EXPECT_EQ(checkGate(c, 0.03).result, GateResult::cannotTell);
    EXPECT_EQ(checkGate(c, 0.10).result, GateResult::passed);
    EXPECT_EQ(checkGate(c, 0.001).result, GateResult::failed);
}

TEST(Gate, BelowTheNoiseFloorIsRefusedForWhatLiesBelowIt)
{
    const auto a = test::sampleStudy();
    const auto b = laterStudy();
    const Comparison noisy = compareStudies(a, b, 0.05);
    EXPECT_EQ(checkGate(compareStudies(a, b, 0.15), 0.03).result, GateResult::refused) << "10 % lie below 15 %";
    EXPECT_EQ(checkGate(noisy, 0.06).result, GateResult::failed) << "10 % show above a floor of 5 %";
    EXPECT_EQ(noisy.configurations[1].verdict, stats::Verdict::slower);
    EXPECT_EQ(noisy.configurations[2].verdict, stats::Verdict::cannotTell) << "5 % does not";
}

TEST(Gate, FailsOnASlowdownFarBeyondANoiseFloorThatIsAboveTheTolerance)
{
    Comparison c;
    c.noise = {0.25, 12};
    const auto gateOf = [&c](const model::Interval& ratio) {
        c.configurations = {{nullptr, nullptr, "", ratio, stats::Verdict::slower, 1e-12, 30, false}};
        return checkGate(c, 0.03).result;
    };
    EXPECT_EQ(gateOf({1 / 1.86, 1 / 1.9, 1 / 1.82, 0.95}), GateResult::failed);
    EXPECT_EQ(gateOf({1 / 1.15, 1 / 1.17, 1 / 1.13, 0.95}), GateResult::refused) << "the noise floor hides 15 %";
    EXPECT_EQ(gateOf({1, 0.99, 1.01, 0.95}), GateResult::refused) << "3 % may hide in the noise";
    EXPECT_EQ(gateOf({1.86, 1.82, 1.9, 0.95}), GateResult::passed) << "so much faster hides no slowdown";
    EXPECT_EQ(gateOf({1 / 1.86, 1 / 4.0, 1.1, 0.95}), GateResult::refused) << "an interval that wide proves nothing";
}

TEST(Gate, TakesTheNoiseFloorThatTheWorkspaceCertifies)
{
    auto a = test::sampleStudy();
    const auto b = laterStudy();
    a.noise.push_back({"host: cpu", "normal", 0.14, 20, "2026-11-21T14:02:11Z"});
    EXPECT_EQ(checkGate(compareStudies(a, b), 0.03).result, GateResult::refused);
}

TEST(Gate, IsNotFailedByTheOneOfManyConfigurationsThatChanceMadeSlow)
{
    Comparison c;
    for (int i = 0; i < 40; ++i)
        c.configurations.push_back({nullptr, nullptr, "", {1, 0.99, 1.01, 0.95}, stats::Verdict::same, 1, 30, false});
    c.configurations[7].ratio = {0.95, 0.935, 0.968, 0.95}; // alone beyond 3 %, with forty others not
    EXPECT_EQ(checkGate(c, 0.03).result, GateResult::cannotTell);
    c.configurations[7].ratio = {0.85, 0.835, 0.865, 0.95};
    EXPECT_EQ(checkGate(c, 0.03).result, GateResult::failed);
}

} // namespace
} // namespace apertune::comparison
