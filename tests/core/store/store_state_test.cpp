// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/store/sqlite_database.h"
#include "tests/core/store/sample_values.h"

#include <array>

namespace apertune::store::test {

using model::TrialState;

namespace {

constexpr std::array kStates{TrialState::queued, TrialState::leased, TrialState::running,  TrialState::ok,
                             TrialState::failed, TrialState::pruned, TrialState::cancelled};

/// One row for each state a trial comes from, one letter for each it may go to: queued, leased, running, ok, failed,
/// pruned, cancelled.
constexpr std::array<std::string_view, 7> kLegalMoves{
    " l   pc", // queued
    "q r fpc", // leased
    "q  ofpc", // running
    "       ", // ok
    "       ", // failed
    "q      ", // pruned
    "       ", // cancelled
};

class StoreState : public StoreTest
{
protected:
    /// A trial that has been led to `state`.
    static model::Trial trialIn(Store& store, TrialState state)
    {
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(1);
        EXPECT_TRUE(store.createStudy(study, trials).ok());
        if (state != TrialState::queued) {
            EXPECT_TRUE(store.transition(trials[0], TrialState::leased).ok());
            if (state != TrialState::leased) {
                EXPECT_TRUE(store.transition(trials[0], TrialState::running).ok());
            }
        }
        if (model::isFinal(state)) {
            EXPECT_TRUE(store.transition(trials[0], state).ok());
        }
        trials[0].state = state;
        return trials[0];
    }
    std::int64_t rows(const std::string& table) const
    {
        return Database::open(file(), Database::Access::readOnly).integer("SELECT count(*) FROM " + table);
    }
};

} // namespace

TEST_F(StoreState, OnlyTheListedMovesAreLegal)
{
    Store store = open();
    for (std::size_t from = 0; from < kStates.size(); ++from)
        for (std::size_t to = 0; to < kStates.size(); ++to) {
            const model::Trial trial = trialIn(store, kStates[from]);
            const auto moved = store.transition(trial, kStates[to]);
            const bool legal = kLegalMoves[from][to] != ' ';
            const std::string target{model::toString(kStates[to])};
            const std::string what = std::string(model::toString(kStates[from])) + " to " + target;
            EXPECT_EQ(moved.ok(), legal) << what;
            const auto stored = store.trial(trial.id);
            ASSERT_OK(stored);
            EXPECT_EQ(stored->state, legal ? kStates[to] : kStates[from]) << what;
            if (!moved.ok()) {
                EXPECT_EQ(moved.error().code, base::ErrorCode::internal) << what;
                EXPECT_NE(sentences::sentence(moved.error().message).find(what), std::string::npos)
                    << sentences::sentence(moved.error().message);
            }
        }
}

TEST_F(StoreState, ALateResultDoesNotOverwriteTheFirst)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(1);
    ASSERT_OK(store.createStudy(study, trials));
    trials[0].measurement = sampleMeasurement();
    finish(store, trials[0]);
    const auto before = store.trial(trials[0].id);
    model::Trial late = trials[0];
    late.measurement = sampleMeasurement(3, 3);
    late.reason = {model::ReasonKind::crash, base::foreignText("Too late.")};
    EXPECT_FALSE(store.transition(late, TrialState::failed).ok());
    EXPECT_FALSE(store.transition(late, TrialState::ok).ok());
    expectEqual(*store.trial(trials[0].id), *before);
}

TEST_F(StoreState, TimesAreNotedAtStartAndEnd)
{
    Store store = open();
    const model::Trial running = trialIn(store, TrialState::running);
    EXPECT_EQ(store.trial(running.id)->startedUtc.size(), 20u);
    EXPECT_EQ(store.trial(running.id)->finishedUtc, "");
    ASSERT_OK(store.transition(running, TrialState::ok));
    EXPECT_EQ(store.trial(running.id)->startedUtc.size(), 20u);
    EXPECT_EQ(store.trial(running.id)->finishedUtc.size(), 20u);
}

TEST_F(StoreState, GoingBackToTheQueueIsANewAttempt)
{
    Store store = open();
    model::Trial trial = trialIn(store, TrialState::running);
    trial.reason = {model::ReasonKind::crash, base::foreignText("The worker died.")};
    ASSERT_OK(store.transition(trial, TrialState::queued));
    EXPECT_EQ(store.trial(trial.id)->attempt, 1);
    EXPECT_EQ(store.trial(trial.id)->startedUtc, "");
    EXPECT_TRUE(store.trial(trial.id)->reason.empty());
    trial.attempt = 2; // a caller that counts itself is not counted twice
    ASSERT_OK(store.transition(trial, TrialState::leased));
    EXPECT_EQ(store.trial(trial.id)->attempt, 2);
    ASSERT_OK(store.transition(trial, TrialState::queued));
    EXPECT_EQ(store.trial(trial.id)->attempt, 3);
}

TEST_F(StoreState, InterruptedTrialsAreQueuedAgain)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(5);
    ASSERT_OK(store.createStudy(study, trials));
    ASSERT_OK(store.transition(trials[0], TrialState::leased));
    ASSERT_OK(store.transition(trials[1], TrialState::leased));
    ASSERT_OK(store.transition(trials[1], TrialState::running));
    finish(store, trials[2]);
    ASSERT_OK(store.transition(trials[3], TrialState::cancelled));
    const model::Trial other = trialIn(store, TrialState::running); // a trial of another study
    ASSERT_OK(store.setStudyState(study.id, model::StudyState::interrupted));
    EXPECT_EQ(store.study(study.id)->state, model::StudyState::interrupted);
    EXPECT_EQ(store.study(study.id)->finishedUtc.size(), 20u);

    const auto count = store.requeueInterrupted(study.id);
    ASSERT_OK(count);
    EXPECT_EQ(*count, 2);
    EXPECT_EQ(store.study(study.id)->state, model::StudyState::running);
    EXPECT_EQ(store.study(study.id)->finishedUtc, "");
    const auto stored = store.trials(study.id);
    const std::array expected{TrialState::queued, TrialState::queued, TrialState::ok, TrialState::cancelled,
                              TrialState::queued};
    const std::array attempts{1, 1, 0, 0, 0};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(stored->at(i).state, expected[i]) << i;
        EXPECT_EQ(stored->at(i).attempt, attempts[i]) << i;
    }
    EXPECT_EQ(store.trial(other.id)->state, TrialState::running);
    EXPECT_EQ(*store.requeueInterrupted(study.id), 0);
}

TEST_F(StoreState, AConfirmedMeasurementReplacesTheFirst)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(2);
    ASSERT_OK(store.createStudy(study, trials));
    trials[0].measurement = sampleMeasurement(40, 400);
    finish(store, trials[0]);
    trials[0].measurement = sampleMeasurement(7, 0);
    trials[0].measurement.quality.reset();
    trials[0].measurement.flags = {model::TrialFlag::confirmed};
    ASSERT_OK(store.replaceMeasurement(trials[0]));
    expectEqual(store.trial(trials[0].id)->measurement, trials[0].measurement);
    EXPECT_EQ(store.replaceMeasurement(trials[1]).error().code, base::ErrorCode::internal);
}

TEST_F(StoreState, OneConfigurationIsInAStudyOnce)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(4);
    trials.push_back(trials[1]);
    const auto created = store.createStudy(study, trials);
    EXPECT_NE(errorOf(created).find("twice (trial 5)"), std::string::npos);
    EXPECT_EQ(created.error().code, base::ErrorCode::invalidArgument);
    EXPECT_FALSE(study.id);
    EXPECT_FALSE(trials[0].id);
    EXPECT_TRUE(store.studies()->empty());

    trials.pop_back();
    ASSERT_OK(store.createStudy(study, trials));
    model::Study again = study;
    EXPECT_EQ(store.createStudy(again, trials).error().code, base::ErrorCode::invalidArgument);
    again.uuid.clear();
    ASSERT_OK(store.createStudy(again, trials)); // another study may hold the same cells
    trials[0].state = TrialState::running;
    again.uuid.clear();
    EXPECT_EQ(store.createStudy(again, trials).error().code, base::ErrorCode::internal);
    EXPECT_EQ(store.studies()->size(), 2u);
}

TEST_F(StoreState, ATrialIsAddedBehindTheOthersOfItsStudy)
{
    Store store = open();
    model::Study study = sampleStudy("resnet50");
    std::vector<model::Trial> trials = sampleTrials(3);
    ASSERT_OK(store.createStudy(study, trials));
    model::Trial added;
    added.device = trials[0].device;
    added.config = trials[0].config;
    EXPECT_EQ(store.addTrial(study.id, added).error().code, base::ErrorCode::invalidArgument) << "it is there";
    added.config.batch = 11;
    ASSERT_OK(store.addTrial(study.id, added));
    EXPECT_EQ(added.ordinal, 4);
    const auto stored = store.trials(study.id);
    ASSERT_OK(stored);
    ASSERT_EQ(stored->size(), 4u);
    EXPECT_EQ(stored->back().id, added.id);
    EXPECT_EQ(stored->back().config.batch, 11);
    EXPECT_EQ(stored->back().state, TrialState::queued);
    EXPECT_EQ(store.addTrial(model::StudyId{99}, added).error().code, base::ErrorCode::notFound);
}

TEST_F(StoreState, ResultsOfAnotherWorkspaceAreTakenOverOnce)
{
    Store store = open();
    model::Study study = sampleStudy("resnet50");
    std::vector<model::Trial> trials = sampleTrials(6);
    ASSERT_OK(store.createStudy(study, trials));
    model::Trial known = trials[1];
    known.reason = {model::ReasonKind::crash};
    ASSERT_OK(store.transition(known, TrialState::leased));
    ASSERT_OK(store.transition(known, TrialState::failed));
    for (const std::size_t i : {4u, 5u}) {
        model::Trial leftOut = trials[i];
        leftOut.reason = {model::ReasonKind::budget};
        ASSERT_OK(store.transition(leftOut, TrialState::pruned));
    }
    ASSERT_OK(store.transition(trials[2], TrialState::leased));

    std::vector<model::Trial> others = trials;
    for (model::Trial& trial : others) {
        trial.id = {};
        trial.study = {};
        trial.state = TrialState::ok;
        trial.attempt = 3;
        trial.startedUtc = "2026-11-21T14:02:11Z";
        trial.finishedUtc = "2026-11-21T14:03:00Z";
        trial.measurement = sampleMeasurement();
    }
    others[3].state = TrialState::running;
    others[5].state = TrialState::pruned;
    model::Trial added = others[0];
    added.config.batch = 11;
    added.state = TrialState::failed;
    added.reason = {model::ReasonKind::crash};
    others.push_back(added);

    EXPECT_EQ(*store.adoptTrials(study.id, others), 4);
    const auto stored = store.trials(study.id);
    ASSERT_OK(stored);
    ASSERT_EQ(stored->size(), 7u);
    for (const std::size_t i : {0u, 2u, 4u}) {
        const model::Trial& trial = (*stored)[i];
        EXPECT_EQ(trial.id, trials[i].id);
        EXPECT_EQ(trial.state, TrialState::ok);
        EXPECT_EQ(trial.attempt, 3);
        EXPECT_EQ(trial.startedUtc, "2026-11-21T14:02:11Z");
        EXPECT_EQ(trial.finishedUtc, "2026-11-21T14:03:00Z");
        expectEqual(trial.measurement, sampleMeasurement());
    }
    EXPECT_EQ((*stored)[1].state, TrialState::failed) << "a result stays";
    EXPECT_EQ((*stored)[3].state, TrialState::queued) << "the other workspace has no result of it either";
    EXPECT_EQ((*stored)[5].reason.kind, model::ReasonKind::budget) << "both left it out";
    EXPECT_EQ((*stored)[6].config.batch, 11);
    EXPECT_EQ((*stored)[6].state, TrialState::failed);
    EXPECT_EQ((*stored)[6].reason.kind, model::ReasonKind::crash);
    EXPECT_EQ(*store.adoptTrials(study.id, others), 0);
    EXPECT_EQ(store.adoptTrials({99}, others).error().code, base::ErrorCode::notFound);
}

TEST_F(StoreState, DeletingAStudyTakesEverythingOfItAndNothingElse)
{
    Store store = open();
    std::array studies{sampleStudy("resnet50"), sampleStudy("vit_b_16")};
    std::array trials{sampleTrials(3), sampleTrials(3)};
    for (std::size_t i = 0; i < 2; ++i) {
        ASSERT_OK(store.createStudy(studies[i], trials[i]));
        trials[i][0].measurement = sampleMeasurement();
        finish(store, trials[i][0]);
        ASSERT_OK(store.setBaseline(trials[i][0].id, true));
    }
    EXPECT_EQ(rows("environment"), 1); // both studies ran in the same surroundings
    EXPECT_EQ(rows("block"), 60);

    ASSERT_OK(store.deleteStudy(studies[0].id));
    EXPECT_EQ(rows("trial"), 3);
    EXPECT_EQ(rows("block"), 30);
    for (const char* table : {"iteration", "measurement", "quality", "baseline", "model", "environment"})
        EXPECT_EQ(rows(table), 1) << table;
    EXPECT_EQ(store.trial(trials[0][0].id).error().code, base::ErrorCode::notFound);
    EXPECT_EQ(store.trials(studies[1].id)->size(), 3u);
    ASSERT_OK(store.checkIntegrity());

    ASSERT_OK(store.deleteStudy(studies[1].id));
    for (const char* table :
         {"trial", "block", "iteration", "measurement", "quality", "baseline", "model", "environment", "device"})
        EXPECT_EQ(rows(table), 0) << table;

    // Numbers that scripts may remember are not given away again.
    model::Study next = sampleStudy();
    std::vector<model::Trial> nextTrials = sampleTrials(1);
    ASSERT_OK(store.createStudy(next, nextTrials));
    EXPECT_GT(next.id, studies[1].id);
    EXPECT_GT(nextTrials[0].id, trials[1][2].id);
}

TEST_F(StoreState, AListedModelOutlivesItsStudies)
{
    Store store = open();
    ASSERT_OK(store.putModel(sampleModel()));
    model::Study study = sampleStudy();
    std::vector<model::Trial> none;
    ASSERT_OK(store.createStudy(study, none));
    EXPECT_EQ(rows("model"), 1);
    ASSERT_OK(store.deleteStudy(study.id));
    EXPECT_TRUE(store.findModel("resnet50")->has_value());
    ASSERT_OK(store.deleteModel("resnet50"));
    EXPECT_EQ(rows("model"), 0);
}

TEST_F(StoreState, EnvironmentsThatDifferAreKeptApart)
{
    Store store = open();
    model::Study first = sampleStudy();
    model::Study second = sampleStudy();
    second.environment.settings[0].second = "8";
    model::Study third = sampleStudy();
    third.environment.loadAverage = 7; // changes all the time: no new environment
    third.environment.devices[0].clockMhz = 800;
    std::vector<model::Trial> none;
    for (model::Study* study : {&first, &second, &third}) {
        ASSERT_OK(store.createStudy(*study, none));
        expectEqual(*store.study(study->id), *study);
    }
    EXPECT_EQ(rows("environment"), 2);
}

TEST_F(StoreState, WhatDoesNotExistIsNotFound)
{
    Store store = open();
    model::Trial trial = sampleTrials(1)[0];
    trial.id.value = 77;
    const auto expectNotFound = [](const auto& result, const std::string& word) {
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, base::ErrorCode::notFound);
        EXPECT_NE(sentences::describe(result.error()).find(word), std::string::npos)
            << sentences::describe(result.error());
        EXPECT_FALSE(result.error().hint.empty());
    };
    expectNotFound(store.study({5}), "no study 5");
    expectNotFound(store.trials({5}), "no study 5");
    expectNotFound(loadSnapshot(store, {5}), "no study 5");
    expectNotFound(store.setStudyState({5}, model::StudyState::finished), "no study 5");
    expectNotFound(store.deleteStudy({5}), "no study 5");
    expectNotFound(store.requeueInterrupted({5}), "no study 5");
    expectNotFound(store.trial({77}), "no trial 77");
    expectNotFound(store.transition(trial, TrialState::leased), "no trial 77");
    expectNotFound(store.deleteModel("x"), "\"x\"");
}

TEST_F(StoreState, DataVersionChangesWithEveryCommitOfAnyConnection)
{
    Store writer = open();
    const Store reader = open(OpenMode::readOnly);
    for (const Store* watching : {static_cast<const Store*>(&writer), &reader}) {
        const auto before = *watching->dataVersion();
        EXPECT_EQ(*watching->dataVersion(), before);
        ASSERT_OK(writer.putArtifact({"k", "aoti", "", {}, {}, ""}));
        const auto after = *watching->dataVersion();
        EXPECT_NE(after, before);
        ASSERT_OK(writer.putArtifact({"l", "aoti", "", {}, {}, ""}));
        EXPECT_NE(*watching->dataVersion(), after);
    }
}

} // namespace apertune::store::test
