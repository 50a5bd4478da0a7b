// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/envelopes.h"
#include "core/comparison/trend.h"
#include "core/sentences/sentences.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::comparison {
namespace {

/// Studies of one configuration each, a day apart. `latencies` in ms; the engine's version may change.
class History
{
public:
    void add(double latencyMs, const std::string& engine, const std::string& kernel = "6.1")
    {
        model::StudySnapshot snapshot;
        model::Study& study = snapshot.study;
        study.id = {static_cast<std::int64_t>(studies.size()) + 1};
        study.model.name = "small";
        study.model.source = "torchvision:small";
        study.model.contentHash = "abc";
        study.environment.engines = {{"libtorch", engine}, {"other", engine + "-x"}};
        study.environment.kernel = kernel;
        model::Device cpu;
        cpu.id = "cpu";
        cpu.name = "Test CPU";
        cpu.cores = cpu.threads = 4;
        model::Device gpu;
        gpu.id = "cuda:0";
        gpu.type = model::DeviceType::nvidiaGpu();
        gpu.driver = engine; // the trial runs on the CPU, not on this device
        study.environment.devices = {cpu, gpu};
        model::Trial trial = test::measuredTrial(
            static_cast<int>(studies.size()) + 1,
            model::makeConfig(model::OptLevel::o1, model::Precision::fp32, 1, 4, cpu.type), latencyMs);
        trial.device = "cpu";
        trial.study = study.id;
        const int day = static_cast<int>(studies.size()) + 1;
        trial.finishedUtc = std::string("2026-11-") + (day < 10 ? "0" : "") + std::to_string(day) + "T10:00:00Z";
        snapshot.trials = {trial};
        studies.push_back(std::move(snapshot));
    }
    std::vector<model::StudySnapshot> studies;
};

/// Ten trials, of which the last five are 10 % slower with another version of the engine.
History slowerHistory()
{
    History history;
    for (int i = 0; i < 10; ++i)
        history.add((i < 5 ? 10 : 11) * (1 + 0.002 * ((i * 7) % 5 - 2)), i < 5 ? "2.4" : "2.5");
    return history;
}

TEST(Trend, NamesTheStepAndTheOnlyThingThatChanged)
{
    const History history = slowerHistory();
    const auto trends = trendsOf(history.studies);
    ASSERT_EQ(trends.size(), 1u);
    const Trend& trend = trends[0];
    ASSERT_EQ(trend.points.size(), 10u);
    ASSERT_EQ(trend.steps.size(), 1u);
    EXPECT_EQ(trend.steps[0].before.value, 5);
    EXPECT_EQ(trend.steps[0].after.value, 6);
    EXPECT_NEAR(trend.steps[0].ratio.value, 1.1, 0.01);
    ASSERT_EQ(trend.steps[0].changed.size(), 1u) << "not the other engine, nor the driver of another device";
    EXPECT_EQ(trend.steps[0].changed[0].name, "libtorch");
    EXPECT_EQ(sentences::sentence(trend.steps[0].changed[0].a), "2.4");
    EXPECT_EQ(sentences::sentence(trend.steps[0].changed[0].b), "2.5");
    const std::string text = trendText(trend);
    EXPECT_NE(text.find("The only recorded change: libtorch 2.4 → 2.5."), std::string::npos) << text;
    EXPECT_NE(text.find("Step at t6"), std::string::npos) << text;
}

TEST(Trend, ListsEverythingThatChangedTogether)
{
    History history;
    for (int i = 0; i < 10; ++i)
        history.add((i < 5 ? 10 : 8) * (1 + 0.002 * ((i * 7) % 5 - 2)), i < 5 ? "2.4" : "2.5", i < 5 ? "6.1" : "6.2");
    const Trend trend = trendsOf(history.studies).at(0);
    ASSERT_EQ(trend.steps.size(), 1u);
    EXPECT_LT(trend.steps[0].ratio.value, 1);
    EXPECT_EQ(trend.steps[0].changed.size(), 2u);
    EXPECT_NE(trendText(trend).find("Changed together: kernel 6.1 → 6.2, libtorch 2.4 → 2.5."), std::string::npos)
        << trendText(trend);
}

TEST(Trend, ABusyTrialIsToldAndMakesNoStep)
{
    History history = slowerHistory();
    for (int i = 5; i < 10; ++i)
        history.studies[static_cast<std::size_t>(i)].trials[0].measurement.flags.push_back(model::TrialFlag::contended);
    const Trend trend = trendsOf(history.studies).at(0);
    EXPECT_TRUE(trend.steps.empty());
    EXPECT_FALSE(trend.newest);
    EXPECT_TRUE(trend.points[5].busy);
    EXPECT_NE(trendText(trend).find("Busy trials (5)"), std::string::npos) << trendText(trend);
    EXPECT_EQ(trendDocument(trend)["points"][5]["busy"], true);
    for (int i = 5; i < 10; ++i)
        history.studies[static_cast<std::size_t>(i)].trials[0].measurement.flags.back() = model::TrialFlag::throttled;
    const Trend slow = trendsOf(history.studies).at(0);
    EXPECT_TRUE(slow.steps.empty());
    EXPECT_FALSE(slow.points[5].busy);
    EXPECT_NE(trendText(slow).find("slow clock (5)"), std::string::npos) << trendText(slow);
}

TEST(Trend, OneTrialIsNoStepButIsTold)
{
    History history = slowerHistory();
    history.studies.resize(6);
    const Trend trend = trendsOf(history.studies).at(0);
    EXPECT_TRUE(trend.steps.empty());
    ASSERT_TRUE(trend.newest);
    EXPECT_EQ(trend.newest->after.value, 6);
    EXPECT_NE(trendText(trend).find("One trial is no step"), std::string::npos) << trendText(trend);
}

TEST(Trend, OtherModelsMachinesAndSettingsAreOtherHistories)
{
    History history = slowerHistory();
    history.studies[0].study.model.contentHash = "def";
    history.studies[1].study.environment.devices[0].name = "Other CPU";
    history.studies[2].trials[0].config.batch = 2;
    history.studies[3].trials[0].config.threads = 2;
    history.studies[4].trials[0].state = model::TrialState::failed;
    const auto trends = trendsOf(history.studies);
    EXPECT_EQ(trends.size(), 5u);
    EXPECT_EQ(trends[0].points.size(), 5u) << "the newest first";
}

TEST(Trend, DocumentAndTableHaveEveryTrial)
{
    const Trend trend = trendsOf(slowerHistory().studies).at(0);
    const base::Json document = trendDocument(trend);
    EXPECT_EQ(document["schema"], "apertune.trend/1");
    EXPECT_EQ(document["points"].size(), 10u);
    EXPECT_EQ(document["points"][0]["versions"]["libtorch"], "2.4");
    EXPECT_EQ(document["steps"][0]["changed"][0]["after"], "2.5");
    EXPECT_TRUE(document["newest"].is_null());
    const std::string csv = trendCsv(trend);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 11);
    EXPECT_NE(csv.find("\nt6,s6,2026-11-06T10:00:00Z,"), std::string::npos) << csv;
}

TEST(Envelope, IsMadeOfTrialsAndComparedWithOthers)
{
    const History history = slowerHistory();
    std::vector<model::StudySnapshot> first(history.studies.begin(), history.studies.begin() + 5);
    const Trend trend = trendsOf(first).at(0);
    const auto envelope = envelopeOf(trend, first[0], first[0].trials[0]);
    ASSERT_TRUE(envelope);
    EXPECT_EQ(envelope->trials, 5u);
    EXPECT_EQ(envelope->engine, "2.4");
    EXPECT_LT(envelope->loNs, 9.98e6);
    EXPECT_GT(envelope->hiNs, 10.02e6);
    std::vector<Envelope> envelopes;
    putEnvelope(envelopes, *envelope);
    putEnvelope(envelopes, *envelope);
    EXPECT_EQ(envelopes.size(), 1u) << "a later one replaces it";
    const auto back = envelopesFromText(envelopesText(envelopes));
    ASSERT_TRUE(back);
    const model::StudySnapshot& slow = history.studies[7];
    const Envelope* found = envelopeFor(*back, slow, slow.trials[0]);
    ASSERT_TRUE(found);
    EXPECT_EQ(envelopeVerdict(*found, slow.trials[0].measurement.latencyNs), EnvelopeVerdict::slower);
    EXPECT_EQ(envelopeVerdict(*found, first[2].trials[0].measurement.latencyNs), EnvelopeVerdict::inside);
    EXPECT_EQ(envelopeVerdict(*found, {20e6, 20e6, 20e6, 0}), EnvelopeVerdict::cannotTell);
    EXPECT_NE(envelopeSentence(*found, slow.trials[0].measurement.latencyNs).find("slower. From 5 trials"),
              std::string::npos);
    model::StudySnapshot elsewhere = slow;
    elsewhere.study.environment.devices[0].cores = 8;
    EXPECT_FALSE(envelopeFor(*back, elsewhere, elsewhere.trials[0]));
    first.resize(2);
    EXPECT_FALSE(envelopeOf(trendsOf(first).at(0), first[0], first[0].trials[0])) << "two trials make no range";
}

TEST(Envelope, DamagedFilesAreRefusedAndTheShippedOneIsRead)
{
    for (const char* text : {"", "[]", "{}", R"({"schema":"apertune.envelopes/1"})",
                             R"({"schema":"apertune.envelopes/1","envelopes":[{"machine":"x"}]})"})
        EXPECT_FALSE(envelopesFromText(text)) << text;
    Envelope endless;
    endless.machine = "x";
    endless.loNs = 1e6;
    endless.hiNs = 2e6;
    EXPECT_TRUE(envelopesFromText(envelopesText(std::vector{endless})));
    endless.hiNs = 1e300;
    EXPECT_FALSE(envelopesFromText(envelopesText(std::vector{endless}))) << "no time";
    for (const Envelope& envelope : shippedEnvelopes()) {
        EXPECT_GE(envelope.trials, kEnvelopeTrials) << envelope.model;
        EXPECT_FALSE(envelope.machine.empty() || envelope.apertune.empty() || envelope.lastUtc.empty());
    }
}

} // namespace
} // namespace apertune::comparison
