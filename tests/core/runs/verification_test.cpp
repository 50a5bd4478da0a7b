// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/verification.h"
#include "core/sentences/sentences.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

namespace apertune::runs::testing {
namespace {

using base::Json;
using base::Outcome;
using model::OptLevel;
using model::Trial;
using model::VerificationOutcome;

advice::Finding folding()
{
    advice::Finding finding;
    finding.rule = "unfused-batchnorm";
    finding.gain = {0.1, 0.5};
    finding.knob = {"freeze", true, base::foreignText("Fold it into the weights.")};
    return finding;
}

struct VerificationOfAFinding : study::testing::StudyFixture
{
    VerificationOfAFinding()
    {
        request.space.levels = {OptLevel::o0};
        request.space.batches = {1};
        limits.confirmMost = base::fromSeconds(60);
        limits.maxBlocks = 40;
    }

    /// Sweeps one configuration, then tries the finding on it.
    Verification verify(const Json& script, const advice::Finding& finding, base::Nanoseconds budget = {})
    {
        EXPECT_EQ(run(script), Outcome::done);
        const model::StudySnapshot traced = study();
        const Trial before = find(traced, OptLevel::o0, 1);
        auto verification = verificationStudyOf(traced.study, before, finding.knob, budget);
        EXPECT_TRUE(verification) << sentences::sentence(verification.error().message);
        EXPECT_EQ(noted(runner().run(*verification, observer(), stop.get_token())), Outcome::done);
        const model::StudySnapshot done = study();
        EXPECT_EQ(done.trials.size(), 2u);
        return verificationOf(done, before.config, finding);
    }
};

TEST_F(VerificationOfAFinding, AChangeThatHelpsIsProvedByTwoConfigurationsInTurns)
{
    const Verification verification = verify({{"latency_ms", 20}, {"switches", {{"freeze", 0.25}}}}, folding());
    EXPECT_EQ(verification.outcome, VerificationOutcome::proved) << sentences::sentence(verification.message);
    EXPECT_TRUE(verification.effect.paired);
    EXPECT_GT(verification.saved.lo, 0);
    EXPECT_LT(verification.saved.lo, verification.saved.hi);
    const auto snapshot = study();
    ASSERT_TRUE(snapshot.find(verification.before) && snapshot.find(verification.after));
    EXPECT_FALSE(snapshot.find(verification.before)->config.isOn("freeze"));
    EXPECT_TRUE(snapshot.find(verification.after)->config.isOn("freeze"));
    for (const Trial& trial : snapshot.trials)
        EXPECT_TRUE(hasFlag(trial, model::TrialFlag::confirmed));
}

TEST_F(VerificationOfAFinding, AChangeThatHurtsIsRefutedThoughNothingWasWon)
{
    const Verification verification = verify({{"latency_ms", 20}, {"switches", {{"freeze", 2.5}}}}, folding());
    EXPECT_EQ(verification.outcome, VerificationOutcome::refuted) << sentences::sentence(verification.message);
    EXPECT_TRUE(verification.effect.paired);
    EXPECT_LT(verification.saved.hi, 0);
}

TEST_F(VerificationOfAFinding, ABudgetThatTheUnchangedConfigurationSpendsLeavesTheChangedConfigurationItsTurn)
{
    limits.everyTrial = verificationLimits().everyTrial;
    limits.trialLeast = base::fromSeconds(1); // enough blocks without turns
    const Verification verification = verify({{"latency_ms", 20}, {"load_ms", 300}, {"switches", {{"freeze", 0.25}}}},
                                             folding(), base::fromMilliseconds(100));
    EXPECT_EQ(verification.outcome, VerificationOutcome::proved) << sentences::sentence(verification.message);
}

TEST_F(VerificationOfAFinding, AChangeThatMakesThePassManyTimesSlowerIsRefutedAndNotGivenUp)
{
    limits.everyTrial = verificationLimits().everyTrial;
    limits.trialLeast = base::fromSeconds(1); // enough blocks without turns
    const Verification verification =
        verify({{"latency_ms", 5}, {"switches", {{"freeze", 8}}}}, folding(), base::fromSeconds(5));
    EXPECT_EQ(verification.outcome, VerificationOutcome::refuted) << sentences::sentence(verification.message);
}

TEST_F(VerificationOfAFinding, AChangeThatTheBackendDoesNotMakeIsNotCalledAResult)
{
    const Verification verification = verify({{"latency_ms", 1}, {"ignores", {"freeze"}}}, folding());
    EXPECT_EQ(verification.outcome, VerificationOutcome::notInEffect) << sentences::sentence(verification.message);
    EXPECT_NE(sentences::sentence(verification.message).find("freeze=on"), std::string::npos);
}

TEST_F(VerificationOfAFinding, AChangedConfigurationThatFailsSaysWhy)
{
    advice::Finding finding = folding();
    finding.knob = {"cuda_graph", true, base::foreignText("Capture a graph.")};
    const Verification verification = verify({{"latency_ms", 1}}, finding);
    EXPECT_EQ(verification.outcome, VerificationOutcome::notRun) << sentences::sentence(verification.message);
    EXPECT_NE(sentences::sentence(verification.message).find("cuda_graph=on"), std::string::npos);
}

TEST_F(VerificationOfAFinding, ThreadsAreAChangeToo)
{
    advice::Finding finding = folding();
    finding.knob = {"", true, base::foreignText("Use 2 threads."), 2};
    const Verification verification = verify({{"latency_ms", 1}}, finding);
    EXPECT_NE(verification.outcome, VerificationOutcome::notRun) << sentences::sentence(verification.message);
    EXPECT_EQ(study().find(verification.after)->config.threads, 2);
}

TEST_F(VerificationOfAFinding, WhatStandsSoAlreadyOrHasNoSwitchIsRefusedBeforeAnythingRuns)
{
    ASSERT_EQ(run({{"latency_ms", 0.3}}), Outcome::done);
    const model::StudySnapshot traced = study();
    const Trial& trial = find(traced, OptLevel::o0, 1);
    const auto already = verificationStudyOf(traced.study, trial, {"freeze", false, {}}, {});
    ASSERT_FALSE(already);
    EXPECT_NE(sentences::sentence(already.error().message).find("already"), std::string::npos);
    const advice::Knob words{"", true, base::foreignText("Copy less.")};
    EXPECT_FALSE(canApply(words));
    const auto nothing = verificationStudyOf(traced.study, trial, words, {});
    ASSERT_FALSE(nothing);
    EXPECT_NE(sentences::sentence(nothing.error().message).find("Copy less."), std::string::npos);
    EXPECT_NE(sentences::sentence(nothing.error().hint)
                  .find("`apertune compare t" + std::to_string(trial.id.value) + " NEW`"),
              std::string::npos)
        << "a hint names commands that exist";
}

TEST(VerificationOf, TellsWhenMoreOrLessWasSavedThanPredicted)
{
    model::StudySnapshot snapshot;
    for (int side = 0; side < 2; ++side) {
        Trial trial;
        trial.id = {side + 1};
        trial.state = model::TrialState::ok;
        trial.config = model::makeConfig(OptLevel::o0, model::Precision::fp32, 1, 1, model::DeviceType::cpu());
        trial.config.switches["freeze"] = side == 1;
        trial.measurement.confirmation = 1;
        for (int i = 0; i < 20; ++i)
            trial.measurement.blocks.push_back(
                {.iterations = 1, .wall = {(side == 0 ? 1'000'000 : 700'000) + (i * 37 % 11) * 100}});
        snapshot.trials.push_back(trial);
    }
    advice::Finding finding = folding();
    const auto sentenceFor = [&](advice::Gain gain) {
        finding.gain = gain;
        return sentences::sentence(verificationOf(snapshot, snapshot.trials[0].config, finding).message);
    };
    EXPECT_NE(sentenceFor({0.05, 0.1}).find("more than"), std::string::npos);
    EXPECT_NE(sentenceFor({0.5, 0.6}).find("less than"), std::string::npos);
    EXPECT_EQ(sentenceFor({0.2, 0.4}).find("than the trace"), std::string::npos);
    EXPECT_NEAR(verificationOf(snapshot, snapshot.trials[0].config, finding).saved.value, 0.3, 0.01);

    // The candidate saves about 1 %.
    for (std::size_t i = 0; i < snapshot.trials[1].measurement.blocks.size(); ++i)
        snapshot.trials[1].measurement.blocks[i].wall = {990'000 + static_cast<std::int64_t>(i % 5) * 4'000 - 8'000};
    finding.gain = {0.065, 0.093};
    EXPECT_EQ(verificationOf(snapshot, snapshot.trials[0].config, finding).outcome, VerificationOutcome::refuted);
    finding.gain = {0.005, 0.093};
    EXPECT_EQ(verificationOf(snapshot, snapshot.trials[0].config, finding).outcome, VerificationOutcome::cannotTell);
}

} // namespace
} // namespace apertune::runs::testing
