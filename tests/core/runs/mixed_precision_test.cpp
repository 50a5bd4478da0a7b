// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/mixed_precision.h"
#include "core/sentences/sentences.h"
#include "tests/core/search/trials.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

namespace apertune::runs::testing {
namespace {

using base::Json;
using base::Outcome;
using model::Trial;

/// An int8 model of seven layers, each of which takes `error` of the rest of the error with it into float.
struct MixedPrecisionSearch : study::testing::StudyFixture
{
    MixedPrecisionSearch()
    {
        backend.formats = {"made"};
        backend.precisions = {"fp32", "int8"};
        limits.maxBlocks = 12;
        for (int i = 0; i < 7; ++i)
            sensitivity.layers.push_back({"layer" + std::to_string(i), "Conv", 0.9 + 0.01 * i, 0.9});
        original.device = "cpu";
        original.config =
            model::makeConfig(model::OptLevel::o1, model::Precision::int8, 1, 1, model::DeviceType::cpu());
        original.config.backend = "fake";
        original.config.quantization = model::Quantization{"", 5, {}};
        source.model = request.model;
        source.goal.objective = model::Objective::latency;
    }
    static Json script(double float32, double error)
    {
        return {{"latency_ms", 0.3},
                {"classes", 64},
                {"precisions",
                 {{"fp32", {{"factor", float32}}},
                  {"int8", {{"error", error}, {"float_layer", {{"factor", 1.05}, {"error", 0.5}}}}}}}};
    }
    Outcome mixedPrecision(const Json& script)
    {
        artifact.write(script);
        runner.emplace(store, *launcher, nullptr, devices, std::vector{backend}, model::Environment{});
        runner->setLimits(limits);
        return noted(
            runner->run(mixedPrecisionStudyOf(source, original, sensitivity, {}), observer(), stop.get_token()));
    }
    model::StudySnapshot done() { return study::loadStudy(store, runner->studyId()).value(); }

    search::BackendInfo backend = study::testing::fakeBackend();
    model::Sensitivity sensitivity;
    Trial original;
    model::Study source;
    std::optional<study::StudyRunner> runner;
};

TEST_F(MixedPrecisionSearch, TheFewestLayersInFloatKeepTheBoundAndEachStepIsATrial)
{
    ASSERT_EQ(mixedPrecision(script(3, 0.5)), Outcome::done);
    const model::StudySnapshot snapshot = done();
    EXPECT_EQ(snapshot.trials.size(), 9u) << "fp32, and int8 with none to seven layers in float";
    const MixedPrecision found = mixedPrecisionOf(snapshot);
    ASSERT_TRUE(found.best) << sentences::sentence(found.message);
    const Trial& best = *snapshot.find(found.best);
    EXPECT_GE(best.measurement.quality->cosine, 0.99);
    ASSERT_TRUE(best.config.quantization);
    EXPECT_EQ(best.config.quantization->samples, 5);
    EXPECT_EQ(best.config.quantization->floatLayers.front(), "layer0") << "the costliest come first";
    // The fewest layers that are enough were found: one fewer was measured, and is not.
    std::map<std::size_t, double> cosines;
    for (const Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok && trial.config.quantization)
            cosines[trial.config.quantization->floatLayers.size()] = trial.measurement.quality->cosine;
    const auto enough =
        std::find_if(cosines.begin(), cosines.end(), [](const auto& entry) { return entry.second >= 0.99; });
    ASSERT_NE(enough, cosines.end());
    EXPECT_GT(enough->first, 0u);
    EXPECT_LT(enough->first, 7u);
    EXPECT_EQ(std::prev(enough)->first, enough->first - 1);
    EXPECT_EQ(found.kept, best.config.quantization->floatLayers);
    EXPECT_GE(found.kept.size(), enough->first);
    EXPECT_GT(count(snapshot, model::TrialState::pruned, model::ReasonKind::bisect), 0);
    ASSERT_TRUE(found.gain);
    EXPECT_NE(sentences::sentence(found.message).find("of 7 layers in float"), std::string::npos)
        << sentences::sentence(found.message);
}

TEST_F(MixedPrecisionSearch, WhatItGainsOverFloatIsMeasuredInTurns)
{
    limits.confirmMost = base::fromSeconds(60);
    limits.confirmProcesses = 2;
    ASSERT_EQ(mixedPrecision(script(3, 0.5)), Outcome::done);
    const model::StudySnapshot snapshot = done();
    const std::vector<model::TrialFlag>& flags = snapshot.find(mixedPrecisionOf(snapshot).plain)->measurement.flags;
    EXPECT_EQ(std::count(flags.begin(), flags.end(), model::TrialFlag::confirmed), 1);
}

TEST_F(MixedPrecisionSearch, WhereNoMixKeepsTheBoundThatIsSaid)
{
    source.goal.minQuality = 1.0;
    ASSERT_EQ(mixedPrecision(script(3, 50)), Outcome::done);
    const MixedPrecision found = mixedPrecisionOf(done());
    EXPECT_FALSE(found.best);
    EXPECT_TRUE(found.plain);
    EXPECT_TRUE(sentences::sentence(found.message).starts_with("None: no int8 configuration of the"))
        << sentences::sentence(found.message);
    EXPECT_NE(sentences::sentence(found.message).find("with 7 of 7 layers in float"), std::string::npos)
        << sentences::sentence(found.message);
}

TEST(MixedPrecisionOf, SaysHowItComparesWithFloat)
{
    const auto sentence = [](double floatMs, double int8Ms) {
        model::StudySnapshot snapshot;
        snapshot.study.space.sensitive = {"stem", "head"};
        Trial plain = search::test::okTrial(1, model::OptLevel::o1, model::Precision::fp32, 1, floatMs);
        Trial mixed = search::test::okTrial(2, model::OptLevel::o1, model::Precision::int8, 1, int8Ms);
        mixed.config.quantization = model::Quantization{"", 64, {"stem"}};
        snapshot.trials = {plain, mixed};
        const MixedPrecision found = mixedPrecisionOf(snapshot);
        EXPECT_EQ(found.best, mixed.id);
        EXPECT_EQ(found.plain, plain.id);
        return sentences::sentence(found.message);
    };
    EXPECT_NE(sentence(5, 8).find("1 of 2 layers in float: 8.000 ms"), std::string::npos) << sentence(5, 8);
    EXPECT_NE(sentence(5, 8).find("But fp32 is faster on this machine"), std::string::npos);
    EXPECT_NE(sentence(8, 5).find("It is faster than fp32: 1.60×"), std::string::npos) << sentence(8, 5);
}

TEST_F(MixedPrecisionSearch, WhatWasCutOffGoesOnWhereItWas)
{
    int finished = 0;
    onEvent = [&](const study::StudyEvent& event) {
        if (event.kind == study::StudyEvent::Kind::trialFinished && ++finished == 2)
            stop.request_stop();
    };
    ASSERT_EQ(mixedPrecision(script(3, 0.5)), Outcome::cancelled);
    onEvent = {};
    const model::StudySnapshot before = done();
    ASSERT_GE(count(before, model::TrialState::ok), 2);
    ASSERT_EQ(noted(runner->resume({runner->studyId()}, observer(), {})), Outcome::done);
    const model::StudySnapshot after = done();
    EXPECT_GT(count(after, model::TrialState::ok), count(before, model::TrialState::ok));
    EXPECT_TRUE(mixedPrecisionOf(after).best);
    for (const Trial& trial : before.trials) {
        if (trial.state == model::TrialState::ok) {
            EXPECT_EQ(trial.attempt, after.find(trial.id)->attempt);
            EXPECT_EQ(trial.startedUtc, after.find(trial.id)->startedUtc) << "what was measured is not run again";
        }
    }
}

} // namespace
} // namespace apertune::runs::testing
