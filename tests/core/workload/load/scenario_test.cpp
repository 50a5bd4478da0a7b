// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/workload/load/scenario.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::workload {
namespace {

TEST(Scenario, EveryKindHasAWordOfItsOwn)
{
    for (const std::string& word : scenarioKindWords())
        EXPECT_EQ(toString(*scenarioKindFromString(word)), word);
    EXPECT_EQ(scenarioKindWords().size(), 5u);
    EXPECT_FALSE(scenarioKindFromString("cameras"));
}

TEST(Scenario, DefaultsAreValidButForWhatAServerMustBeTold)
{
    for (const std::string& word : scenarioKindWords()) {
        const ScenarioKind kind = *scenarioKindFromString(word);
        EXPECT_EQ(check(defaultScenario(kind)).ok(), kind != ScenarioKind::server) << word;
    }
    EXPECT_EQ(defaultScenario(ScenarioKind::singleStream).percentile, 0.9);
    EXPECT_EQ(defaultScenario(ScenarioKind::server).percentile, 0.99);
}

TEST(Scenario, WhatMakesNoSenseIsRefusedWithAHint)
{
    const auto refuses = [](ScenarioKind kind, auto change) {
        Scenario s = defaultScenario(kind);
        s.bound = base::fromMilliseconds(20);
        EXPECT_TRUE(check(s).ok());
        change(s);
        const auto status = check(s);
        ASSERT_FALSE(status.ok());
        EXPECT_FALSE(status.error().hint.empty());
    };
    refuses(ScenarioKind::offline, [](Scenario& s) { s.duration = {}; });
    refuses(ScenarioKind::singleStream, [](Scenario& s) { s.percentile = 1; });
    refuses(ScenarioKind::multiStream, [](Scenario& s) { s.samples = 0; });
    refuses(ScenarioKind::server, [](Scenario& s) { s.rate = -1; });
    refuses(ScenarioKind::server, [](Scenario& s) { s.bound = {}; });
    refuses(ScenarioKind::camera, [](Scenario& s) { s.fps = 0; });
    refuses(ScenarioKind::camera, [](Scenario& s) { s.jitter = 0.6; });
    refuses(ScenarioKind::camera, [](Scenario& s) { s.queue = 0; });
}

TEST(Scenario, APercentileIsReadAsPeopleSayIt)
{
    for (const auto& [text, share] : {std::pair("99", 0.99), std::pair("p99", 0.99), std::pair("99.9", 0.999),
                                      std::pair("95%", 0.95), std::pair("0.9", 0.9)})
        EXPECT_DOUBLE_EQ(parsePercentile("--percentile", text).value(), share) << text;
    for (const char* bad : {"", "p", "high", "101", "-1", "1.5.1"}) {
        const auto read = parsePercentile("Percentile", bad);
        ASSERT_FALSE(read) << bad;
        EXPECT_EQ(sentences::sentence(read.error().message),
                  "Invalid percentile \"" + std::string(bad) + "\" for Percentile.");
        EXPECT_FALSE(read.error().hint.empty());
    }
}

TEST(Scenario, SurvivesJson)
{
    Scenario s = defaultScenario(ScenarioKind::camera);
    s.cameras = 4;
    s.fps = 25;
    s.deadline = base::fromMilliseconds(33);
    s.maxWait = base::fromMilliseconds(2);
    s.seed = 7;
    const auto back = scenarioFromJson(toJson(s));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(toJson(*back), toJson(s));
    EXPECT_EQ(back->frameDeadline(), base::fromMilliseconds(33));
    EXPECT_EQ(back->framePeriod(), base::fromMilliseconds(40));
}

TEST(Scenario, UnreadableJsonIsAnErrorAndMissingMembersAreDefaults)
{
    EXPECT_EQ(scenarioFromJson({{"kind", "nonsense"}}).error().code, base::ErrorCode::corrupt);
    EXPECT_EQ(scenarioFromJson({{"kind", 3}}).error().code, base::ErrorCode::corrupt);
    EXPECT_EQ(scenarioFromJson({{"kind", "camera"}, {"fps", -1}}).error().code, base::ErrorCode::corrupt);
    const auto sparse = scenarioFromJson({{"kind", "camera"}});
    ASSERT_TRUE(sparse.ok());
    EXPECT_EQ(sparse->fps, 30);
}

} // namespace
} // namespace apertune::workload
