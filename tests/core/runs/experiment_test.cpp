// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/experiment.h"

#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

namespace apertune::runs::testing {
namespace {

using base::Json;
using base::Outcome;
using model::OptLevel;
using model::Trial;

advice::Finding folding()
{
    advice::Finding finding;
    finding.rule = "R18";
    finding.gain = {0.1, 0.5};
    finding.knob = {"freeze", true, "Fold it into the weights."};
    return finding;
}

struct Experiment : study::testing::StudyFixture
{
    Experiment()
    {
        request.space.levels = {OptLevel::o0};
        request.space.batches = {1};
        limits.confirmMost = base::fromSeconds(60);
        limits.maxBlocks = 40;
    }

    /// Sweeps one cell, then tries the finding on it.
    Proof prove(const Json& script, const advice::Finding& finding, base::Nanoseconds budget = {})
    {
        EXPECT_EQ(run(script), Outcome::done);
        const model::StudySnapshot traced = study();
        const Trial before = find(traced, OptLevel::o0, 1);
        auto experiment = experimentOn(traced.study, before, finding.knob, budget);
        EXPECT_TRUE(experiment) << experiment.error().message;
        EXPECT_EQ(runner().run(*experiment, observer(), stop.get_token()), Outcome::done);
        const model::StudySnapshot done = study();
        EXPECT_EQ(done.trials.size(), 2u);
        return proofOf(done, before.config, finding);
    }
};

TEST_F(Experiment, AChangeThatHelpsIsProvedByTwoCellsInTurns)
{
    const Proof proof = prove({{"latency_ms", 20}, {"switches", {{"freeze", 0.25}}}}, folding());
    EXPECT_EQ(proof.word, ProofWord::proved) << proof.sentence;
    EXPECT_TRUE(proof.effect.paired);
    EXPECT_GT(proof.saved.lo, 0);
    EXPECT_LT(proof.saved.lo, proof.saved.hi);
    const auto snapshot = study();
    ASSERT_TRUE(snapshot.find(proof.before) && snapshot.find(proof.after));
    EXPECT_FALSE(snapshot.find(proof.before)->config.isOn("freeze"));
    EXPECT_TRUE(snapshot.find(proof.after)->config.isOn("freeze"));
    for (const Trial& trial : snapshot.trials)
        EXPECT_TRUE(hasFlag(trial, "confirmed"));
}

TEST_F(Experiment, AChangeThatHurtsIsRefutedThoughNothingWasWon)
{
    const Proof proof = prove({{"latency_ms", 20}, {"switches", {{"freeze", 2.5}}}}, folding());
    EXPECT_EQ(proof.word, ProofWord::refuted) << proof.sentence;
    EXPECT_TRUE(proof.effect.paired);
    EXPECT_LT(proof.saved.hi, 0);
}

TEST_F(Experiment, ABudgetThatTheUnchangedCellSpendsLeavesTheChangedCellItsTurn)
{
    limits.everyTrial = experimentLimits().everyTrial;
    limits.trialLeast = base::fromSeconds(1); // enough blocks without turns
    const Proof proof = prove({{"latency_ms", 20}, {"load_ms", 300}, {"switches", {{"freeze", 0.25}}}}, folding(),
                              base::fromMilliseconds(100));
    EXPECT_EQ(proof.word, ProofWord::proved) << proof.sentence;
}

TEST_F(Experiment, AChangeThatMakesThePassManyTimesSlowerIsRefutedAndNotGivenUp)
{
    limits.everyTrial = experimentLimits().everyTrial;
    limits.trialLeast = base::fromSeconds(1); // enough blocks without turns
    const Proof proof = prove({{"latency_ms", 5}, {"switches", {{"freeze", 8}}}}, folding(), base::fromSeconds(5));
    EXPECT_EQ(proof.word, ProofWord::refuted) << proof.sentence;
}

TEST_F(Experiment, AChangeThatTheBackendDoesNotMakeIsNotCalledAResult)
{
    const Proof proof = prove({{"latency_ms", 1}, {"ignores", {"freeze"}}}, folding());
    EXPECT_EQ(proof.word, ProofWord::notInEffect) << proof.sentence;
    EXPECT_NE(proof.sentence.find("freeze=on"), std::string::npos);
}

TEST_F(Experiment, AChangedCellThatFailsSaysWhy)
{
    advice::Finding finding = folding();
    finding.knob = {"cuda_graph", true, "Capture a graph."};
    const Proof proof = prove({{"latency_ms", 1}}, finding);
    EXPECT_EQ(proof.word, ProofWord::notRun) << proof.sentence;
    EXPECT_NE(proof.sentence.find("cuda_graph=on"), std::string::npos);
}

TEST_F(Experiment, ThreadsAreAChangeToo)
{
    advice::Finding finding = folding();
    finding.knob = {"", true, "Use 2 threads.", 2};
    const Proof proof = prove({{"latency_ms", 1}}, finding);
    EXPECT_NE(proof.word, ProofWord::notRun) << proof.sentence;
    EXPECT_EQ(study().find(proof.after)->config.threads, 2);
}

TEST_F(Experiment, WhatStandsSoAlreadyOrHasNoSwitchIsRefusedBeforeAnythingRuns)
{
    ASSERT_EQ(run({{"latency_ms", 0.3}}), Outcome::done);
    const model::StudySnapshot traced = study();
    const Trial& trial = find(traced, OptLevel::o0, 1);
    const auto already = experimentOn(traced.study, trial, {"freeze", false, ""}, {});
    ASSERT_FALSE(already);
    EXPECT_NE(already.error().message.find("already"), std::string::npos);
    const advice::Knob words{"", true, "Copy less."};
    EXPECT_FALSE(canTry(words));
    const auto nothing = experimentOn(traced.study, trial, words, {});
    ASSERT_FALSE(nothing);
    EXPECT_NE(nothing.error().message.find("Copy less."), std::string::npos);
    EXPECT_NE(nothing.error().hint.find("`apertune compare t" + std::to_string(trial.id.value) + " NEW`"),
              std::string::npos)
        << "a hint names commands that exist";
}

TEST(ProofOf, TellsWhenMoreOrLessWasSavedThanPredicted)
{
    model::StudySnapshot snapshot;
    for (int side = 0; side < 2; ++side) {
        Trial trial;
        trial.id = {side + 1};
        trial.state = model::TrialState::ok;
        trial.config = model::makeConfig(OptLevel::o0, model::Precision::fp32, 1, 1, model::DeviceKind::cpu);
        trial.config.switches["freeze"] = side == 1;
        trial.measurement.confirmation = 1;
        for (int i = 0; i < 20; ++i)
            trial.measurement.blocks.push_back(
                {.iterations = 1, .wall = {(side == 0 ? 1'000'000 : 700'000) + (i * 37 % 11) * 100}});
        snapshot.trials.push_back(trial);
    }
    advice::Finding finding = folding();
    const auto say = [&](advice::Gain gain) {
        finding.gain = gain;
        return proofOf(snapshot, snapshot.trials[0].config, finding).sentence;
    };
    EXPECT_NE(say({0.05, 0.1}).find("more than"), std::string::npos);
    EXPECT_NE(say({0.5, 0.6}).find("less than"), std::string::npos);
    EXPECT_EQ(say({0.2, 0.4}).find("than the trace"), std::string::npos);
    EXPECT_NEAR(proofOf(snapshot, snapshot.trials[0].config, finding).saved.value, 0.3, 0.01);

    for (std::size_t i = 0; i < snapshot.trials[1].measurement.blocks.size(); ++i) // about 1 % saved, more or less
        snapshot.trials[1].measurement.blocks[i].wall = {990'000 + static_cast<std::int64_t>(i % 5) * 4'000 - 8'000};
    finding.gain = {0.065, 0.093};
    EXPECT_EQ(proofOf(snapshot, snapshot.trials[0].config, finding).word, ProofWord::refuted);
    finding.gain = {0.005, 0.093};
    EXPECT_EQ(proofOf(snapshot, snapshot.trials[0].config, finding).word, ProofWord::cannotTell);
}

} // namespace
} // namespace apertune::runs::testing
