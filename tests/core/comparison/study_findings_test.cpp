// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rule_info.h"
#include "core/report/study_findings_report.h"
#include "core/sentences/sentences.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace apertune::comparison {
namespace {

using model::AppliedState;
using model::Config;
using model::DeviceType;
using model::OptLevel;
using model::Precision;
using model::TrialFlag;
using test::measuredTrial;

/// A study of one processor, trial by trial.
struct CpuStudy
{
    CpuStudy()
    {
        model::Device cpu;
        cpu.id = "cpu";
        cpu.name = "Processor of the tests";
        cpu.cores = 4;
        cpu.threads = 8;
        cpu.isa = {"avx2", "avx512f", "avx512_vnni", "avx512_bf16"};
        snapshot.study.id = {3};
        snapshot.study.environment.devices = {cpu};
    }

    model::Trial& add(OptLevel level, Precision precision, int batch, double latencyMs, int threads = 2)
    {
        const Config config = model::makeConfig(level, precision, batch, threads, DeviceType::cpu());
        snapshot.trials.push_back(measuredTrial(static_cast<int>(snapshot.trials.size()) + 1, config, latencyMs));
        snapshot.trials.back().device = "cpu";
        return snapshot.trials.back();
    }
    model::Trial& fp32(int batch, double latencyMs) { return add(OptLevel::o1, Precision::fp32, batch, latencyMs); }
    model::Trial& int8(int batch, double latencyMs, AppliedState state, const std::string& evidence)
    {
        model::Trial& trial = add(OptLevel::o1, Precision::int8, batch, latencyMs);
        trial.config.quantization = model::Quantization{};
        trial.measurement.applied.push_back({"precision", state, evidence});
        return trial;
    }
    model::Device& cpu() { return snapshot.study.environment.devices.front(); }

    std::vector<StudyFinding> of(std::string_view rule, const advice::Thresholds& thresholds = {}) const
    {
        std::vector<StudyFinding> found = studyFindings(snapshot, thresholds);
        std::erase_if(found, [&](const StudyFinding& f) { return f.rule != rule; });
        return found;
    }
    /// The text of the only finding of a rule, with its reasons; empty without one.
    std::string text(std::string_view rule) const
    {
        const std::vector<StudyFinding> found = of(rule);
        std::string all;
        for (const StudyFinding& finding : found) {
            all += sentences::sentence(finding.text);
            for (const base::Message& reason : finding.why)
                all += " | " + sentences::sentence(reason);
        }
        return found.size() > 1 ? "several: " + all : all;
    }

    model::StudySnapshot snapshot;
};

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

constexpr const char* kAllInInt8 = "53 of 53 convolutions and matrix products run in int8: brgconv ×53";

TEST(StudyFindings, ASoundStudyHasNone)
{
    CpuStudy study;
    study.fp32(1, 10);
    study.fp32(4, 28);
    study.fp32(16, 105);
    study.int8(1, 4, AppliedState::on, kAllInInt8);
    study.int8(4, 11, AppliedState::on, kAllInInt8);
    study.int8(16, 36, AppliedState::on, kAllInInt8);
    EXPECT_TRUE(studyFindings(study.snapshot).empty())
        << report::studyFindingsText(study.snapshot, studyFindings(study.snapshot), {}, 0);
    EXPECT_TRUE(contains(report::studyFindingsText(study.snapshot, {}, {}, 0), "No rule over a study applies"));
    EXPECT_TRUE(studyFindings({}).empty());
}

TEST(StudyFindings, APrecisionThatTheEngineRefusedDoesNotPayForThatReasonAlone)
{
    CpuStudy study;
    study.cpu().isa = {"avx2"};
    study.fp32(1, 10);
    study.int8(1, 10.1, AppliedState::requestedNotInEffect, "no operator is quantized");
    const std::string text = study.text("precision-does-not-pay");
    EXPECT_TRUE(contains(text, "did not take int8: no operator is quantized")) << text;
    EXPECT_FALSE(contains(text, "no instructions")) << "what did not run cannot lack instructions: " << text;
}

TEST(StudyFindings, APartInInt8AndAProcessorWithoutItsArithmeticAreTold)
{
    CpuStudy study;
    study.fp32(1, 10);
    study.int8(1, 10.2, AppliedState::on, "20 of 53 convolutions and matrix products run in int8: brgconv ×20");
    std::string text = study.text("precision-does-not-pay");
    EXPECT_TRUE(contains(text, "1 of 1 pairs")) << text;
    EXPECT_TRUE(contains(text, "Only a part runs in int8")) << text;
    EXPECT_FALSE(contains(text, "no instructions")) << text;
    study.cpu().isa = {"avx2"};
    text = study.text("precision-does-not-pay");
    EXPECT_TRUE(contains(text, "Processor of the tests has no instructions for products in int8")) << text;
    study.cpu().isa = {};
    EXPECT_FALSE(contains(study.text("precision-does-not-pay"), "no instructions")) << "unknown is not missing";
}

TEST(StudyFindings, WithoutAReasonRecordingBothIsAdvised)
{
    CpuStudy study;
    study.fp32(1, 10);
    study.int8(1, 10.2, AppliedState::on, kAllInInt8);
    const std::vector<StudyFinding> found = study.of("precision-does-not-pay");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].why.empty()) << "nothing is guessed";
    EXPECT_TRUE(contains(sentences::sentence(found[0].change), "apertune trace record t1"));
    EXPECT_EQ(found[0].trials, (std::vector<model::TrialId>{{2}, {1}}));
}

TEST(StudyFindings, APrecisionThatPaysWithALargerBatchSaysSo)
{
    CpuStudy study;
    study.fp32(1, 10);
    study.fp32(16, 160);
    study.int8(1, 10.2, AppliedState::on, kAllInInt8);
    study.int8(16, 60, AppliedState::on, kAllInInt8);
    const std::string text = study.text("precision-does-not-pay");
    EXPECT_TRUE(contains(text, "1 of 2 pairs")) << text;
    EXPECT_TRUE(contains(text, "It pays with other settings")) << text;
    CpuStudy mostly = study;
    mostly.fp32(32, 330);
    mostly.int8(32, 110, AppliedState::on, kAllInInt8);
    EXPECT_EQ(mostly.text("precision-does-not-pay"), "") << "most pairs pay";
}

TEST(StudyFindings, AnUncertainSpeedupDecidesNothing)
{
    CpuStudy study;
    const Config wide = model::makeConfig(OptLevel::o1, Precision::fp32, 1, 2, DeviceType::cpu());
    Config narrow = wide;
    narrow.precision = Precision::bf16;
    study.snapshot.trials = {measuredTrial(1, wide, 10, 0.3), measuredTrial(2, narrow, 9.5, 0.3)};
    for (model::Trial& trial : study.snapshot.trials)
        trial.device = "cpu";
    EXPECT_EQ(study.text("precision-does-not-pay"), "");
}

TEST(StudyFindings, ThroughputThatNoLongerGrowsHasAKnee)
{
    CpuStudy study;
    for (const auto& [batch, ms] :
         std::array<std::pair<int, double>, 5>{{{1, 10}, {2, 12}, {4, 16}, {8, 31.6}, {16, 63}}})
        study.fp32(batch, ms);
    const std::vector<StudyFinding> found = study.of("batch-past-knee");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(contains(sentences::sentence(found[0].change), "batch 4")) << sentences::sentence(found[0].change);
    EXPECT_EQ(found[0].trials, (std::vector<model::TrialId>{{3}, {5}}));
    EXPECT_EQ(study.text("batch-too-small"), "");
    CpuStudy growing;
    for (const auto& [batch, ms] : std::array<std::pair<int, double>, 4>{{{1, 10}, {2, 12}, {4, 16}, {8, 28}}})
        growing.fp32(batch, ms);
    EXPECT_EQ(growing.text("batch-past-knee"), "");
}

TEST(StudyFindings, LargerBatchesAreAdvisedOnlyWhereThroughputCountsAndNoneWasTried)
{
    CpuStudy study;
    study.fp32(1, 10);
    study.fp32(4, 16);
    EXPECT_TRUE(contains(study.text("batch-too-small"), "largest batch")) << study.text("batch-too-small");
    study.snapshot.study.goal.objective = model::Objective::latency;
    EXPECT_EQ(study.text("batch-too-small"), "");
    study.snapshot.study.goal.objective = model::Objective::throughput;
    model::Trial tooLarge = study.snapshot.trials.back();
    tooLarge.id = {9};
    tooLarge.config.batch = 8;
    tooLarge.state = model::TrialState::failed;
    study.snapshot.trials.push_back(tooLarge);
    EXPECT_EQ(study.text("batch-too-small"), "") << "it was tried";
    CpuStudy flat;
    flat.fp32(1, 10);
    flat.fp32(4, 36);
    EXPECT_EQ(flat.text("batch-too-small"), "");
}

TEST(StudyFindings, EnergyThatNearlyTheSameSpeedSavesIsTold)
{
    const auto studyWith = [](double joules, double latencyMs) {
        CpuStudy study;
        study.add(OptLevel::o1, Precision::fp32, 1, 10, 4);
        study.add(OptLevel::o1, Precision::fp32, 1, latencyMs, 3);
        for (std::size_t i = 0; i < 2; ++i) {
            model::Conditions& conditions = study.snapshot.trials[i].measurement.conditions;
            conditions.energy = model::Energy{model::EnergySource::packages, 1, {}, 0};
            for (const double spread : {0.99, 1.0, 1.01, 1.0, 1.0})
                conditions.energy->stretches.push_back(
                    {(i == 0 ? 1.0 : joules) * 10 * spread, 10, base::fromSeconds(0.3)});
        }
        return study;
    };
    const std::string text = studyWith(0.7, 10.1).text("energy-knee");
    EXPECT_TRUE(contains(text, "700")) << text;
    EXPECT_EQ(studyWith(0.97, 10.1).text("energy-knee"), "") << "it saves too little";
    EXPECT_EQ(studyWith(0.5, 12).text("energy-knee"), "") << "it is too slow";
}

TEST(StudyFindings, ThreadsThatMakeItSlowerAreTold)
{
    CpuStudy study;
    study.add(OptLevel::o1, Precision::fp32, 1, 10, 4);
    study.add(OptLevel::o1, Precision::fp32, 1, 13, 8);
    const std::string text = study.text("too-many-threads");
    EXPECT_TRUE(contains(text, "4 than with 8 threads")) << text;
    EXPECT_TRUE(contains(text, "has 4 cores")) << text;
    CpuStudy scaling;
    scaling.add(OptLevel::o1, Precision::fp32, 1, 20, 1);
    scaling.add(OptLevel::o1, Precision::fp32, 1, 11, 2);
    EXPECT_EQ(scaling.text("too-many-threads"), "");
}

TEST(StudyFindings, CompilingThatIsNeverSavedDoesNotPay)
{
    const auto studyWith = [](double compiledMs) {
        CpuStudy study;
        study.fp32(1, 10);
        study.add(OptLevel::o2, Precision::fp32, 1, compiledMs).measurement.compile = base::fromSeconds(60);
        return study;
    };
    const std::string text = studyWith(11).text("compiling-does-not-pay");
    EXPECT_TRUE(contains(text, "never pays off")) << text;
    EXPECT_EQ(studyWith(6).text("compiling-does-not-pay"), "") << "after 15,000 passes";
    advice::Thresholds few;
    few.set(advice::Threshold::compilePasses, 1000);
    EXPECT_EQ(studyWith(6).of("compiling-does-not-pay", few).size(), 1u) << "a shorter life";
}

TEST(StudyFindings, NumbersThatOverflowInFp16AloneAreTold)
{
    CpuStudy study;
    study.fp32(1, 10);
    study.add(OptLevel::o1, Precision::fp16, 1, 6).measurement.quality->nanCount = 12;
    std::string text = study.text("number-overflow");
    EXPECT_TRUE(contains(text, "1 of them") && contains(text, "65 504")) << text;
    study.add(OptLevel::o1, Precision::bf16, 1, 6);
    EXPECT_TRUE(contains(sentences::sentence(study.of("number-overflow")[0].change), "bf16"));
    study.snapshot.trials.front().measurement.quality->nanCount = 12;
    EXPECT_EQ(study.text("number-overflow"), "") << "the model itself gives NaN";
}

TEST(StudyFindings, DevicesOfOneNameThatDifferAreTold)
{
    const auto studyWith = [](double secondMs, const char* name) {
        CpuStudy study;
        model::Device gpu;
        gpu.type = DeviceType::nvidiaGpu();
        gpu.name = "GPU of the tests";
        study.snapshot.study.environment.devices = {gpu, gpu};
        study.snapshot.study.environment.devices[0].id = "cuda:0";
        study.snapshot.study.environment.devices[1].id = "cuda:1";
        study.snapshot.study.environment.devices[1].name = name;
        study.fp32(1, 10).device = "cuda:0";
        model::Trial& second = study.fp32(1, secondMs);
        second.device = "cuda:1";
        second.measurement.conditions.gpu = model::GpuConditions{};
        second.measurement.conditions.gpu->heatTime = base::fromSeconds(1);
        return study;
    };
    const std::string text = studyWith(12, "GPU of the tests").text("devices-differ");
    EXPECT_TRUE(contains(text, "cuda:1 takes 1.2")) << text;
    EXPECT_TRUE(contains(text, "held down by heat")) << text;
    EXPECT_EQ(studyWith(10.2, "GPU of the tests").text("devices-differ"), "");
    EXPECT_EQ(studyWith(12, "another GPU").text("devices-differ"), "");
}

TEST(StudyFindings, DisturbedTrialsAreCountedByTheirFlags)
{
    CpuStudy study;
    for (int i = 0; i < 10; ++i)
        study.fp32(1 << i, 10 << i);
    using Flagged = std::pair<const char*, TrialFlag>;
    for (const auto& [rule, flag] :
         {Flagged{"throttled-trials", TrialFlag::throttled}, Flagged{"noisy-trials", TrialFlag::notConverged},
          Flagged{"shared-machine", TrialFlag::contended}}) {
        CpuStudy disturbed = study;
        disturbed.snapshot.trials[0].measurement.flags = {flag};
        EXPECT_EQ(disturbed.text(rule), "") << "one of ten";
        disturbed.snapshot.trials[1].measurement.flags = {flag};
        EXPECT_TRUE(contains(disturbed.text(rule), "2 ") && contains(disturbed.text(rule), "10")) << rule;
        for (model::Trial& trial : disturbed.snapshot.trials)
            trial.measurement.flags.push_back(TrialFlag::contended);
        EXPECT_EQ(disturbed.text(rule).empty(), flag != TrialFlag::contended) << "other programs explain it";
    }
}

TEST(StudyFindings, OneDisturbedTrialIsAnAccident)
{
    CpuStudy study;
    study.fp32(1, 10).measurement.flags = {TrialFlag::throttled};
    study.fp32(2, 20);
    EXPECT_EQ(study.text("throttled-trials"), "") << "half of them, and yet one";
}

TEST(StudyFindings, EveryRuleOfTheCatalogueHasAStudyHere)
{
    // The tests above, by the rules that they make fire.
    const std::set<std::string_view> tested{"throttled-trials",       "noisy-trials",          "batch-past-knee",
                                            "batch-too-small",        "number-overflow",       "devices-differ",
                                            "shared-machine",         "energy-knee",           "too-many-threads",
                                            "compiling-does-not-pay", "precision-does-not-pay"};
    for (const advice::RuleInfo& info : advice::ruleCatalogue())
        EXPECT_EQ(tested.contains(info.id), info.subject == advice::Subject::study) << info.id;
}

TEST(StudyFindings, DocumentAndTextHoldTheThresholdsThatWereChanged)
{
    CpuStudy study;
    study.fp32(1, 10);
    study.int8(1, 8, AppliedState::on, kAllInInt8);
    advice::Thresholds strict;
    strict.set(advice::Threshold::precisionSpeedup, 1.5);
    EXPECT_TRUE(study.of("precision-does-not-pay").empty());
    const std::vector<StudyFinding> found = studyFindings(study.snapshot, strict);
    const base::Json document = report::studyFindingsDocument(study.snapshot, found, strict);
    EXPECT_EQ(document["schema"], "apertune.study-findings/1");
    ASSERT_EQ(document["findings"].size(), 1u);
    EXPECT_EQ(document["findings"][0]["rule"], "precision-does-not-pay");
    EXPECT_EQ(document["findings"][0]["trials"], (base::Json{"t2", "t1"}));
    EXPECT_EQ(document["thresholds"][0]["value"], 1.5);
    const std::string text = report::studyFindingsText(study.snapshot, found, strict, 0);
    EXPECT_TRUE(contains(text, "precision-does-not-pay  Narrower precision does not pay: ")) << text;
    EXPECT_TRUE(contains(text, "speedup 1.5 (default 1.1)")) << text;
}

} // namespace
} // namespace apertune::comparison
