// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/documents.h"
#include "core/advice/rules.h"
#include "core/base/files.h"
#include "core/sentences/sentences.h"
#include "planted_traces.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace apertune::advice {
namespace {

using testing::Plant;

std::string failureOf(const std::string& text)
{
    const auto read = thresholdsFromText(text);
    return read ? "" : sentences::sentence(read.error().message) + " " + sentences::sentence(read.error().hint);
}

TEST(Thresholds, EachBelongsToARuleAndHasANameARangeAndAMeaning)
{
    std::set<std::pair<std::string_view, std::string_view>> names;
    for (const ThresholdInfo& info : thresholdTable()) {
        EXPECT_TRUE(findRule(info.rule)) << info.rule;
        EXPECT_EQ(findRule(info.rule)->id, info.rule) << "by its name, not by its number";
        EXPECT_TRUE(names.emplace(info.rule, info.name).second) << info.rule << " " << info.name;
        EXPECT_LE(info.lowest, info.standard) << info.rule << " " << info.name;
        EXPECT_LE(info.standard, info.highest) << info.rule << " " << info.name;
        EXPECT_FALSE(info.meaning.empty());
        EXPECT_EQ(Thresholds().of(info.id), info.standard);
    }
}

TEST(Thresholds, AFileChangesThoseThatItNames)
{
    const auto read =
        thresholdsFromText(R"({"rules": {"device-idle": {"busy": 0.7}, "R31": {"empty": 0.4, "kernels": 0.1}}})");
    ASSERT_TRUE(read) << sentences::sentence(read.error().message);
    EXPECT_EQ(read->of(Threshold::deviceIdleBusy), 0.7);
    EXPECT_EQ(read->of(Threshold::underfilledEmpty), 0.4) << "by its alias";
    EXPECT_EQ(read->of(Threshold::longGapsShare), Thresholds().of(Threshold::longGapsShare));
    EXPECT_EQ(read->changed().size(), 3u);
    EXPECT_EQ(
        changedThresholdsText(*read),
        "Thresholds that differ from their defaults: device-idle busy 0.7 (default 0.8), underfilled-device empty "
        "0.4 (default 0.5), underfilled-device kernels 0.1 (default 0.2).");
    EXPECT_EQ(changedThresholdsDocument(*read).size(), 3u);
    EXPECT_EQ(changedThresholdsText({}), "");
    const auto same = thresholdsFromText(R"({"schema": "apertune.rules/1", "rules": {"device-idle": {"busy": 0.8}}})");
    ASSERT_TRUE(same);
    EXPECT_TRUE(same->changed().empty()) << "the default is no change";
}

TEST(Thresholds, AnErrorNamesWhatIsWrongAndWhatIsValid)
{
    EXPECT_NE(failureOf("{").find("not valid JSON"), std::string::npos) << failureOf("{");
    EXPECT_NE(failureOf("[]").find("device-idle"), std::string::npos) << "an example";
    EXPECT_NE(failureOf(R"({"rule": {}})").find("has no thresholds"), std::string::npos);
    EXPECT_NE(failureOf(R"({"rules": {}, "more": 1})").find("no member more"), std::string::npos);
    EXPECT_NE(failureOf(R"({"rules": {"device-idel": {"busy": 0.5}}})").find("device-idle"), std::string::npos);
    EXPECT_NE(failureOf(R"({"rules": {"R99": {"busy": 0.5}}})").find("no rule R99"), std::string::npos);
    EXPECT_NE(failureOf(R"({"rules": {"device-idle": 0.5}})").find("must be an object"), std::string::npos);
    EXPECT_NE(failureOf(R"({"rules": {"device-idle": {"idle": 0.5}}})").find("Valid names: busy"), std::string::npos)
        << failureOf(R"({"rules": {"device-idle": {"idle": 0.5}}})");
    EXPECT_NE(failureOf(R"({"rules": {"device-idle": {"busy": 80}}})").find("0 to 1 (share)"), std::string::npos);
    EXPECT_NE(failureOf(R"({"rules": {"device-idle": {"busy": "0.5"}}})").find("Invalid value"), std::string::npos);
    EXPECT_NE(failureOf(R"({"rules": {"device-idle": {"busy": null}}})").find("Invalid value"), std::string::npos);
    EXPECT_NE(failureOf(R"({"rules": {"unfused-batchnorm": {"share": 0.1}}})").find("has no thresholds"),
              std::string::npos);
    const auto missing = readThresholds("/no/such/file.json");
    EXPECT_FALSE(missing);
}

TEST(Thresholds, RulesFireByThem)
{
    const testing::Planted planted = testing::plantedTrace(Plant::slowHost, testing::kSeed);
    const auto state = [&](const std::string& text) {
        Context context = planted.context;
        context.thresholds = thresholdsFromText(text).value();
        const std::vector<RuleResult> results = evaluateRules(Facts(planted.trace, context));
        return std::find_if(results.begin(), results.end(), [](const RuleResult& r) { return r.rule == "device-idle"; })
            ->state;
    };
    EXPECT_EQ(state(R"({"rules": {}})"), RuleState::fired);
    EXPECT_EQ(state(R"({"rules": {"device-idle": {"busy": 0.1}}})"), RuleState::quiet);
}

TEST(Thresholds, TheListHoldsEveryRuleWithItsThresholds)
{
    Thresholds changed;
    changed.set(Threshold::deviceIdleBusy, 0.5);
    const base::Json list = ruleListDocument(changed);
    ASSERT_EQ(list["rules"].size(), ruleCatalogue().size());
    EXPECT_EQ(list["rules"][0]["rule"], "device-idle");
    EXPECT_EQ(list["rules"][0]["thresholds"][0]["value"], 0.5);
    EXPECT_EQ(list["rules"][0]["thresholds"][0]["default"], 0.8);
    for (const base::Json& rule : list["rules"]) {
        EXPECT_FALSE(rule["title"].get<std::string>().empty()) << rule["rule"];
        EXPECT_FALSE(rule["needs"].get<std::string>().empty()) << rule["rule"];
        EXPECT_FALSE(rule["change"].get<std::string>().empty()) << rule["rule"];
    }
}

} // namespace
} // namespace apertune::advice
