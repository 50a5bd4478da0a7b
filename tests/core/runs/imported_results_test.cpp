// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/experiment.h"
#include "core/model/imported.h"
#include "core/runs/imported_results.h"

#include <gtest/gtest.h>

#include <set>

namespace apertune::runs {
namespace {

using interchange::ForeignResult;
using interchange::ForeignResults;

ForeignResult withMedian(std::string name, std::string device, double ms)
{
    ForeignResult result;
    result.name = std::move(name);
    result.device = std::move(device);
    result.median = ms * 1e6;
    return result;
}

TEST(ImportedResults, StatisticsHaveNoIntervalAndPassesHave)
{
    ForeignResults results{"tool", "1.2", {withMedian("a", "CPU", 5), ForeignResult{}}};
    for (int i = 0; i < 100; ++i)
        results.results[1].passes.push_back((2 + 0.01 * (i % 5)) * 1e6);
    results.results[1].batch = 4;
    const ImportedStudy imported = importedStudy(results, {"net", "file.json", "abc"});
    ASSERT_EQ(imported.trials.size(), 2u);
    const model::Measurement& told = imported.trials[0].measurement;
    EXPECT_EQ(told.latencyNs.confidence, 0);
    EXPECT_DOUBLE_EQ(told.latencyNs.value, 5e6);
    EXPECT_TRUE(told.blocks.empty());
    const model::Measurement& measured = imported.trials[1].measurement;
    EXPECT_EQ(measured.latencyNs.confidence, 0.95);
    EXPECT_NEAR(measured.latencyNs.value, 2.02e6, 0.02e6);
    EXPECT_EQ(measured.blocks.size(), 10u) << "of ten passes, 20 ms each";
    EXPECT_EQ(measured.iterations.size(), 100u);
    EXPECT_NEAR(measured.throughput.value, 4 / 2.02e-3, 30);
}

TEST(ImportedResults, TellTheirOriginAndShareNoClassWithThisMachine)
{
    const ForeignResults results{
        "trtexec",
        "v1",
        {withMedian("a", "NVIDIA A100", 1), withMedian("b", "NVIDIA A100", 2), withMedian("c", "", 3)}};
    const ImportedStudy imported = importedStudy(results, {"net", "log.txt", "abc"});
    EXPECT_EQ(imported.study.purpose, model::StudyPurpose::imported);
    const auto& environment = imported.study.environment;
    ASSERT_EQ(environment.engines.size(), 1u);
    EXPECT_EQ(environment.engines[0], (std::pair<std::string, std::string>{"trtexec", "v1"}));
    ASSERT_EQ(environment.devices.size(), 2u);
    EXPECT_EQ(model::machineClass(environment.devices[0]), "imported: NVIDIA A100");
    EXPECT_EQ(model::machineClass(environment.devices[1]), "imported: unknown device");
    EXPECT_EQ(imported.trials[0].device, imported.trials[1].device);
    EXPECT_NE(imported.trials[0].device, imported.trials[2].device);
    std::set<std::string> hashes;
    for (const model::Trial& trial : imported.trials) {
        hashes.insert(model::configHash(trial.config, trial.device));
        EXPECT_TRUE(trial.config.switches.contains("unknown precision"));
    }
    EXPECT_EQ(hashes.size(), 3u) << "a study has a configuration once";
}

TEST(ImportedResults, TheToolsOwnThroughputIsKept)
{
    ForeignResults results{"perf_analyzer", {}, {withMedian("Concurrency 2", "", 11)}};
    results.results[0].perSecond = 180.1;
    const ImportedStudy imported = importedStudy(results, {"net", "pa.csv", "abc"});
    EXPECT_DOUBLE_EQ(imported.trials[0].measurement.throughput.value, 180.1);
    EXPECT_EQ(imported.trials[0].measurement.throughput.confidence, 0);
}

TEST(ImportedResults, APrecisionBesideItsFallbackIsTold)
{
    const std::vector<std::pair<std::string, std::optional<model::Precision>>> words{
        {"FP32+FP16", model::Precision::fp16},
        {"FP32", model::Precision::fp32},
        {"f16", model::Precision::fp16},
        {"FP32+INT8", model::Precision::int8},
        {"FP32+FP16+INT8", std::nullopt},
        {"best", std::nullopt},
        {"", std::nullopt},
        {"FP32+BF16", model::Precision::bf16}};
    for (const auto& [word, precision] : words) {
        ForeignResults results{"trtexec", {}, {withMedian("a", "", 1)}};
        results.results[0].precision = word;
        results.results[0].batch = 8;
        const model::Config config = importedStudy(results, {"net", "log.txt", "abc"}).trials[0].config;
        EXPECT_EQ(config.isOn("unknown precision"), !precision) << word;
        EXPECT_EQ(config.precision, precision.value_or(model::Precision::fp32)) << word;
        EXPECT_FALSE(config.isOn("unknown batch")) << word;
    }
}

TEST(ImportedResults, AFailedRunIsAFailedTrialAndRemarksMakeOneDoubtful)
{
    ForeignResults results{"trtexec", {}, {withMedian("a", "", 1), withMedian("b", "", 2)}};
    results.results[0].failure = base::foreignText("It failed.");
    results.results[1].remarks.push_back(base::foreignText("It contradicts itself."));
    const ImportedStudy imported = importedStudy(results, {"net", "log.txt", "abc"});
    EXPECT_EQ(imported.trials[0].state, model::TrialState::failed);
    EXPECT_EQ(imported.trials[0].reason.kind, model::ReasonKind::crash);
    EXPECT_TRUE(imported.trials[0].measurement.flags.empty());
    EXPECT_EQ(imported.trials[1].state, model::TrialState::ok);
    EXPECT_TRUE(model::isDoubtful(imported.trials[1].measurement));
}

TEST(ImportedResults, LongNamesAndNamesOfSeveralLinesAreShortened)
{
    ForeignResults results{"hyperfine", {}, {withMedian(std::string(200'000, 'A'), "", 1), withMedian("a\nb", "", 1)}};
    const ImportedStudy imported = importedStudy(results, {std::string(200'000, 'N'), "hf.json", "abc"});
    EXPECT_LT(imported.study.model.name.size(), 100u);
    for (const model::Trial& trial : imported.trials)
        for (const auto& [name, on] : trial.config.switches) {
            EXPECT_LT(name.size(), 100u);
            EXPECT_EQ(name.find('\n'), std::string::npos) << name;
        }
}

} // namespace
} // namespace apertune::runs
