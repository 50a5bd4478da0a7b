// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/trust.h"
#include "core/sentences/sentences.h"
#include "core/study/trial_request.h"
#include "tests/core/models/listed_artifact.h"
#include "tests/core/study/study_fixture.h"

namespace apertune::study {
namespace {

using base::fromSeconds;
using base::Json;
using base::Outcome;
using model::OptLevel;
using model::StudyState;
using model::Trial;
using model::TrialState;

using Resume = testing::StudyFixture;

TEST_F(Resume, ACancelledStudyGoesOnWhereItWas)
{
    int finished = 0;
    onEvent = [&](const StudyEvent& event) {
        finished += event.kind == StudyEvent::Kind::trialFinished;
        if (finished == 3 && event.kind == StudyEvent::Kind::trialStarted)
            stop.request_stop();
    };
    ASSERT_EQ(run({{"latency_ms", 1}}), Outcome::cancelled);
    const auto before = study();
    EXPECT_EQ(before.study.state, StudyState::interrupted);
    EXPECT_EQ(count(before, TrialState::ok), 3);
    EXPECT_EQ(count(before, TrialState::queued), 3);

    stop = {};
    onEvent = {};
    const auto plan = runner().plan(ResumeRequest{before.study.id, {}, {}});
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(plan->runnable, 3) << "what is finished is no part of the rest";
    EXPECT_GT(plan->estimateHigh.count, 0);
    ASSERT_EQ(resume(), Outcome::done) << sentences::sentence(lastError.message);
    const auto after = study();
    EXPECT_EQ(after.study.state, StudyState::finished);
    EXPECT_EQ(count(after, TrialState::ok), 6);
    EXPECT_EQ(store.studies()->size(), 1u);
    for (const Trial& trial : before.trials) {
        if (trial.state != TrialState::ok)
            continue;
        const Trial& kept = *after.find(trial.id);
        EXPECT_EQ(kept.measurement.latencyNs.value, trial.measurement.latencyNs.value);
        EXPECT_EQ(kept.finishedUtc, trial.finishedUtc);
    }
    for (const Trial& trial : after.trials)
        EXPECT_TRUE(trial.measurement.quality) << "references are made anew";
}

TEST_F(Resume, WithMoreTimeWhatWasLeftOutForLackOfItIsMeasured)
{
    request.budget = fromSeconds(1);
    ASSERT_EQ(run({{"latency_ms", 100}}), Outcome::done);
    const auto before = study();
    EXPECT_EQ(before.study.state, StudyState::finished);
    EXPECT_GT(count(before, TrialState::pruned, model::ReasonKind::budget), 0);

    const auto outcome = runner().resume({before.study.id, fromSeconds(120)}, observer(), stop.get_token());
    ASSERT_EQ(noted(outcome), Outcome::done) << sentences::sentence(lastError.message);
    const auto after = study();
    EXPECT_EQ(count(after, TrialState::pruned, model::ReasonKind::budget), 0);
    EXPECT_GT(count(after, TrialState::ok), count(before, TrialState::ok));
    EXPECT_EQ(after.study.state, StudyState::finished);
}

TEST_F(Resume, AModelThatIsDamagedIsNotMeasuredButSaysWhatToDo)
{
    models::testing::listFiles(artifact.path());
    ::setenv("XDG_DATA_HOME", artifact.path().c_str(), 1); // the record of trust is deleted with the artifact
    models::trustModel(request.model);
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialFinished)
            stop.request_stop();
    };
    ASSERT_EQ(run({{"latency_ms", 1}}), Outcome::cancelled) << sentences::sentence(lastError.message);
    const auto before = study();
    stop = {};
    onEvent = {};

    const auto expectDamaged = [](const base::Error& error) {
        EXPECT_EQ(error.code, base::ErrorCode::corrupt);
        EXPECT_THAT(sentences::sentence(error.message), ::testing::HasSubstr("model.ts.pt is damaged"));
        EXPECT_THAT(sentences::sentence(error.hint), ::testing::HasSubstr("apertune model import fake:scripted"));
    };
    models::testing::flipByte(artifact.path() / "model.ts.pt");
    ASSERT_EQ(resume(), Outcome::failed);
    expectDamaged(lastError);
    EXPECT_EQ(study().study.state, StudyState::interrupted) << "it can go on when the model is whole";
    const auto configuration = requestOf({*launcher, nullptr, devices}, before.study, before.trials.front(), {}, {});
    ASSERT_FALSE(configuration);
    expectDamaged(configuration.error());
    ASSERT_EQ(run({{"latency_ms", 1}}), Outcome::failed);
    expectDamaged(lastError);
    EXPECT_EQ(store.studies()->size(), 1u);

    models::testing::flipByte(artifact.path() / "model.ts.pt");
    ASSERT_EQ(noted(runner().resume({before.study.id}, observer(), stop.get_token())), Outcome::done);
}

TEST_F(Resume, CancellingAHangingModelDoesNotWaitForItsLimit)
{
    std::jthread stopper;
    base::Nanoseconds asked{};
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialPhase && event.phase == Phase::warmUp && !stopper.joinable())
            stopper = std::jthread([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(300));
                asked = base::monotonicNow();
                stop.request_stop();
            });
    };
    limits.worker = {};
    limits.first = fromSeconds(3600);
    ASSERT_EQ(run({{"faults", {{{"at", "run"}, {"do", "hang"}}}}}), Outcome::cancelled);
    EXPECT_LT((base::monotonicNow() - asked).seconds(), 300);
    EXPECT_EQ(count(study(), TrialState::queued), 6);
}

TEST_F(Resume, ACancelledCompileLeavesItsTrialQueued)
{
    testing::FakeCompiler fake;
    fake.takes = fromSeconds(60);
    compiler = &fake;
    request.space.levels = {OptLevel::o3};
    onEvent = [&](const StudyEvent& event) {
        if (event.phase == Phase::compile)
            stop.request_stop();
    };
    ASSERT_EQ(run(Json::object()), Outcome::cancelled);
    EXPECT_EQ(count(study(), TrialState::queued), 2);
}

TEST_F(Resume, WhatADeadSupervisorLeftRunningIsRunAgain)
{
    int finished = 0;
    onEvent = [&](const StudyEvent& event) {
        finished += event.kind == StudyEvent::Kind::trialFinished;
        if (finished == 2)
            stop.request_stop();
    };
    ASSERT_EQ(run(Json::object()), Outcome::cancelled);
    // Two trials look as if the process had been killed in the middle of them.
    auto trials = *store.trials(runner().studyId());
    std::vector<Trial> open;
    for (const Trial& trial : trials)
        if (trial.state == TrialState::queued)
            open.push_back(trial);
    ASSERT_GE(open.size(), 2u);
    ASSERT_TRUE(store.transition(open[0], TrialState::leased).ok());
    ASSERT_TRUE(store.transition(open[1], TrialState::leased).ok());
    ASSERT_TRUE(store.transition(open[1], TrialState::running).ok());

    stop = {};
    onEvent = {};
    ASSERT_EQ(resume(), Outcome::done);
    EXPECT_EQ(count(study(), TrialState::ok), 6);
    EXPECT_GE(study().find(open[1].id)->attempt, 1);
}

TEST_F(Resume, AFinishedStudyIsResumedToNoEffect)
{
    ASSERT_EQ(run(Json::object()), Outcome::done);
    const auto before = study();
    events.clear();
    ASSERT_EQ(resume(), Outcome::done);
    for (const StudyEvent& event : events)
        EXPECT_NE(event.kind, StudyEvent::Kind::trialStarted);
    EXPECT_EQ(study().trials.size(), before.trials.size());
}

TEST_F(Resume, AFinishedStudyIsConfirmedAgainOnlyWhereOtherProgramsDisturbedIt)
{
    limits.confirmMost = base::fromSeconds(60);
    limits.confirmProcesses = 2;
    request.space.levels = {OptLevel::o0, OptLevel::o1};
    request.space.batches = {1};
    ASSERT_EQ(run({{"latency_ms", 4}, {"levels", {{"O1", 0.3}}}}), Outcome::done);
    const auto confirmations = [&] {
        std::vector<std::int64_t> numbers;
        for (const Trial& trial : study().trials)
            numbers.push_back(trial.measurement.confirmation);
        return numbers;
    };
    const auto disturb = [&](std::int64_t share) {
        for (Trial trial : study().trials) {
            trial.measurement.conditions.contended = share * static_cast<std::int64_t>(trial.measurement.blocks.size());
            ASSERT_TRUE(store.replaceMeasurement(trial).ok());
        }
    };
    disturb(0);
    const auto before = confirmations();
    ASSERT_EQ(resume(), Outcome::done);
    EXPECT_EQ(confirmations(), before);
    disturb(1);
    ASSERT_EQ(resume(), Outcome::done);
    EXPECT_EQ(confirmations(), (std::vector{before[0] + 1, before[1] + 1})) << "once, however busy the machine stays";
}

TEST_F(Resume, AMachineThatStaysBusyLeavesTheStudyAsItIs)
{
    ASSERT_EQ(run(Json::object()), Outcome::done);
    events.clear();
    std::atomic<bool> done = false;
    std::jthread busy([&] {
        while (!done)
            ;
    });
    const auto outcome =
        runner().resume({runner().studyId(), {}, base::fromMilliseconds(300)}, observer(), stop.get_token());
    done = true;
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, base::ErrorCode::busy);
    EXPECT_EQ(study().study.state, model::StudyState::finished);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_NE(sentences::sentence(events[0].message).find("Waiting until they are done"), std::string::npos)
        << sentences::sentence(events[0].message);
}

TEST_F(Resume, AModelThatIsGoneIsSaid)
{
    stop.request_stop();
    ASSERT_EQ(run(Json::object()), Outcome::cancelled);
    std::filesystem::remove_all(artifact.path());
    EXPECT_EQ(resume(), Outcome::failed);
    EXPECT_EQ(lastError.code, base::ErrorCode::notFound);
    EXPECT_FALSE(lastError.hint.empty());
}

TEST_F(Resume, ADeviceThatIsGoneIsARow)
{
    devices = {worker::testing::cpu(), testing::gpu("cuda:0", "a GPU")};
    request.space.devices = {"all"};
    request.space.levels = {OptLevel::o0};
    request.space.batches = {1};
    stop.request_stop();
    ASSERT_EQ(run(Json::object()), Outcome::cancelled);
    const auto id = runner().studyId();

    StudyRunner smaller(store, *launcher, nullptr, {worker::testing::cpu()}, {testing::fakeBackend()}, {});
    smaller.setLimits(limits);
    ASSERT_EQ(noted(smaller.resume({id}, {}, {})), Outcome::done);
    const auto snapshot = *loadStudy(store, id);
    EXPECT_EQ(count(snapshot, TrialState::ok), 1);
    EXPECT_EQ(count(snapshot, TrialState::pruned, model::ReasonKind::impossible), 1);
}

TEST_F(Resume, AStudyThatDoesNotExistIsSaid)
{
    EXPECT_EQ(noted(runner().resume({model::StudyId{77}}, {}, {})), Outcome::failed);
    EXPECT_EQ(lastError.code, base::ErrorCode::notFound);
}

TEST_F(Resume, AStoreThatRefusesEndsTheStudyWithItsReason)
{
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialFinished) {
            ASSERT_TRUE(store.deleteStudy(event.study).ok());
        }
    };
    EXPECT_EQ(run(Json::object()), Outcome::failed);
    EXPECT_EQ(lastError.code, base::ErrorCode::notFound);
}

TEST_F(Resume, AWorkspaceThatCanOnlyBeReadTakesNoStudy)
{
    auto reader = store::Store::open(store.file(), store::OpenMode::readOnly);
    ASSERT_TRUE(reader.ok());
    artifact.write(Json::object());
    StudyRunner blocked(*reader, *launcher, nullptr, devices, {testing::fakeBackend()}, {});
    EXPECT_EQ(noted(blocked.run(request, {}, {})), Outcome::failed);
    EXPECT_FALSE(lastError.hint.empty());
}

} // namespace
} // namespace apertune::study
