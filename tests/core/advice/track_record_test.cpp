// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules.h"
#include "core/advice/track_record.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace apertune::advice {
namespace {

using model::Experiment;

const model::Circumstances kHere{"a CPU, 2 cores, 2 threads", model::TaskType::classification, "libtorch"};

Experiment experiment(const std::string& rule, Gain predicted, double saved, double half = 0.005)
{
    Experiment e;
    e.subject = rule;
    e.at = kHere;
    e.predictedLo = predicted.lo;
    e.predictedHi = predicted.hi;
    e.saved = {saved, saved - half, saved + half, 0.95};
    e.outcome = model::VerificationOutcome::proved;
    return e;
}

RuleResult fired(const std::string& rule, double share, Gain gain)
{
    Finding finding;
    finding.rule = rule;
    finding.share = share;
    finding.gain = gain;
    RuleResult result;
    result.rule = rule;
    result.state = RuleState::fired;
    result.findings.push_back(finding);
    return result;
}

/// The rules in the order of the findings, after the experiments.
std::vector<std::string> ranked(std::vector<RuleResult> results, const std::vector<Experiment>& experiments)
{
    TrackRecord(experiments, kHere).correct(results);
    std::vector<std::string> names;
    for (const Finding& finding : findings(results))
        names.push_back(finding.rule);
    return names;
}

/// Experiments whose measured savings scatter by `noise` around `ratio` times the prediction, as measuring does.
std::vector<Experiment> history(const std::string& rule, int count, double ratio, double noise, std::uint64_t seed)
{
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> middle(0.08, 0.4);
    std::normal_distribution<double> error(0, noise);
    std::vector<Experiment> all;
    for (int i = 0; i < count; ++i) {
        const double predicted = middle(engine);
        const double saved = predicted * (ratio + error(engine));
        all.push_back(experiment(rule, {0.8 * predicted, 1.2 * predicted}, saved));
    }
    return all;
}

TEST(TrackRecord, ThirtyExperimentsRankRightWhatWasRankedWrong)
{
    // One rule promises 30 % and gains a tenth of what it promises; the other promises 10 % and keeps its word.
    const std::vector<RuleResult> now{fired("promises", 0.35, {0.25, 0.35}), fired("delivers", 0.12, {0.08, 0.12})};
    EXPECT_EQ(ranked(now, {}), (std::vector<std::string>{"promises", "delivers"}));
    std::vector<Experiment> experiments = history("promises", 15, 0.1, 0.1, 1);
    const std::vector<Experiment> others = history("delivers", 15, 1, 0.1, 2);
    experiments.insert(experiments.end(), others.begin(), others.end());
    ASSERT_EQ(experiments.size(), 30u);
    EXPECT_EQ(ranked(now, experiments), (std::vector<std::string>{"delivers", "promises"}));
}

TEST(TrackRecord, AfterManyExperimentsTheFactorIsTheBiasAndBeforeNearlyOne)
{
    const TrackRecord one(history("rule", 1, 0.4, 0, 3), kHere);
    const TrackRecord many(history("rule", 40, 0.4, 0.05, 3), kHere);
    ASSERT_TRUE(one.find("rule") && many.find("rule"));
    EXPECT_GT(one.find("rule")->factor, 0.6) << "one experiment says little";
    EXPECT_EQ(one.find("rule")->bias.confidence, 0);
    EXPECT_NEAR(many.find("rule")->factor, 0.4, 0.04);
    EXPECT_LT(many.find("rule")->spread, one.find("rule")->spread);
    const model::Interval& bias = many.find("rule")->bias;
    EXPECT_LT(bias.lo, 0.4);
    EXPECT_GT(bias.hi, 0.4);
    EXPECT_EQ(one.find("other"), nullptr);
}

TEST(TrackRecord, AFewWildExperimentsDoNotMoveTheBias)
{
    std::vector<Experiment> experiments = history("rule", 20, 0.8, 0.05, 4);
    for (int i = 0; i < 4; ++i)
        experiments.push_back(experiment("rule", {0.1, 0.2}, -3));
    const TrackRecord record(experiments, kHere);
    EXPECT_NEAR(record.find("rule")->bias.value, 0.8, 0.06);
}

TEST(TrackRecord, ExperimentsHereWeighMoreThanThoseElsewhere)
{
    std::vector<Experiment> experiments = history("rule", 10, 1, 0.02, 5);
    std::vector<Experiment> elsewhere = history("rule", 12, 0.2, 0.02, 6);
    for (Experiment& e : elsewhere)
        e.at.machine = "another";
    experiments.insert(experiments.end(), elsewhere.begin(), elsewhere.end());
    EXPECT_NEAR(TrackRecord(experiments, kHere).find("rule")->bias.value, 1, 0.1);
    model::Circumstances there = kHere;
    there.machine = "another";
    EXPECT_NEAR(TrackRecord(experiments, there).find("rule")->bias.value, 0.2, 0.1);
}

TEST(TrackRecord, CorrectedIntervalsHoldTheNextExperimentsFourTimesInFive)
{
    // Held out: rules of other biases than the prior's, each with 12 experiments, then 40 new ones.
    int inside = 0, all = 0, before = 0;
    for (std::uint64_t seed = 10; seed < 40; ++seed) {
        const double ratio = 0.1 + 0.05 * static_cast<double>(seed - 10);
        const TrackRecord record(history("rule", 12, ratio, 0.2, seed), kHere);
        for (const Experiment& next : history("rule", 40, ratio, 0.2, seed + 1000)) {
            const Gain gain = corrected({next.predictedLo, next.predictedHi}, *record.find("rule"));
            inside += gain.lo <= next.saved.value && next.saved.value <= gain.hi ? 1 : 0;
            before += next.predictedLo <= next.saved.value && next.saved.value <= next.predictedHi ? 1 : 0;
            ++all;
        }
    }
    EXPECT_GT(inside, all * 3 / 4);
    EXPECT_LT(before, all / 2);
}

TEST(TrackRecord, WhatWasNotComparedIsCountedApart)
{
    std::vector<Experiment> experiments = history("rule", 3, 1, 0, 7);
    experiments[0].outcome = model::VerificationOutcome::notInEffect;
    experiments[1].saved.confidence = 0;
    const TrackRecord record(experiments, kHere);
    EXPECT_EQ(record.find("rule")->experiments, 1);
    EXPECT_EQ(record.find("rule")->others, 2);
    experiments.resize(2);
    EXPECT_EQ(TrackRecord(experiments, kHere).find("rule"), nullptr);
}

TEST(TrackRecord, TheSentenceSaysHowMuchOfThePredictionWasGained)
{
    std::vector<RuleResult> results{fired("rule", 0.3, {0.04, 0.09})};
    TrackRecord(history("rule", 12, 0.6, 0, 8), kHere).correct(results);
    ASSERT_TRUE(results[0].findings[0].correction);
    EXPECT_EQ(sentences::sentence(trackMessage(*results[0].findings[0].correction)),
              "12 earlier experiments of this rule gained 0.60 of what was predicted.");
    EXPECT_DOUBLE_EQ(results[0].findings[0].gain.hi, 0.09) << "the prediction itself stays";
    EXPECT_LT(results[0].findings[0].expected().hi, 0.09);
}

} // namespace
} // namespace apertune::advice
