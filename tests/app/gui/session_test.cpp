// SPDX-License-Identifier: GPL-3.0-or-later
// What the window looks at (Session), and how it keeps up with the workspace (StorePoller).
#include "app/gui/session/session.h"
#include "app/gui/session/store_poller.h"
#include "app/gui/session/task_runner.h"
#include "tests/app/gui/fake_gateway.h"
#include "tests/widgets/synthetic_study.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

using testing::makeFakeGateway;
using testing::makeSyntheticStudy;

WorkspaceState stateWith(std::shared_ptr<const model::StudySnapshot> snapshot, std::int64_t version = 1)
{
    WorkspaceState state;
    state.version = version;
    state.models = {snapshot->study.model};
    state.snapshot = std::move(snapshot);
    return state;
}

TEST(Session, OpensAStudyOnItsRecommendation)
{
    Session session;
    const auto study = makeSyntheticStudy();
    session.setState(stateWith(study));
    EXPECT_EQ(session.selectedTrial(), study->recommended->trial);
    ASSERT_NE(session.trial(), nullptr);
    EXPECT_EQ(session.trial()->id, study->recommended->trial);
}

TEST(Session, OpensAStudyWithoutRecommendationOnItsFirstMeasuredTrial)
{
    Session session;
    testing::SyntheticOptions options;
    options.withRecommendation = false;
    const auto study = makeSyntheticStudy(options);
    session.setState(stateWith(study));
    ASSERT_NE(session.trial(), nullptr);
    EXPECT_EQ(session.trial()->state, model::TrialState::ok);
}

TEST(Session, ANewStateOfTheSameStudyKeepsTheSelection)
{
    Session session;
    const auto study = makeSyntheticStudy();
    session.setState(stateWith(study));
    session.selectTrial(study->trials[3].id);
    QSignalSpy selections(&session, &Session::trialSelected);
    session.setState(stateWith(makeSyntheticStudy(), 2));
    EXPECT_EQ(session.selectedTrial(), study->trials[3].id);
    EXPECT_EQ(selections.count(), 0);
    EXPECT_EQ(session.version(), 2);
}

TEST(Session, WhileASweepGoesOnTheSelectionFollowsTheBestUntilOneIsChosen)
{
    testing::SyntheticOptions begun;
    begun.withRecommendation = false;
    const auto early = makeSyntheticStudy(begun);
    const auto late = makeSyntheticStudy();
    Session session;
    session.setState(stateWith(early));
    QSignalSpy selections(&session, &Session::trialSelected);
    session.setState(stateWith(late, 2));
    EXPECT_EQ(session.selectedTrial(), late->recommended->trial) << "exporting now exports the winner";
    EXPECT_EQ(selections.count(), 1);

    Session other;
    other.setState(stateWith(early));
    other.selectTrial(early->trials[3].id);
    other.setState(stateWith(late, 2));
    EXPECT_EQ(other.selectedTrial(), early->trials[3].id);
}

TEST(Session, LeavingAWorkspaceForgetsEverythingOfIt)
{
    Session session;
    session.setFile("/a.apertune");
    const auto study = makeSyntheticStudy();
    session.setState(stateWith(study));
    session.setComparison({"/a.apertune", study->study.id, {}}, {"/b.apertune", study->study.id, {}});
    session.selectModel("resnet50");
    session.setFile("/b.apertune");
    EXPECT_FALSE(session.isLoaded());
    EXPECT_EQ(session.snapshot(), nullptr);
    EXPECT_EQ(session.trial(), nullptr);
    EXPECT_EQ(session.model(), nullptr);
    EXPECT_FALSE(session.version());
    EXPECT_EQ(session.baseline(), ComparisonSide{});
}

TEST(Session, AnErrorCountsAsLoadedAndTheNextGoodStateClearsIt)
{
    Session session;
    session.setLoadError(base::plainError(base::ErrorCode::corrupt, "damaged"));
    EXPECT_TRUE(session.isLoaded());
    ASSERT_TRUE(session.loadError());
    session.setState(stateWith(makeSyntheticStudy()));
    EXPECT_FALSE(session.loadError());
}

TEST(Session, TheModelIsTheChosenOneThenThatOfTheStudy)
{
    Session session;
    WorkspaceState state = stateWith(makeSyntheticStudy());
    model::ModelRef other = testing::makeSyntheticModel();
    other.name = "another";
    state.models.push_back(other);
    session.setState(std::move(state));
    EXPECT_EQ(session.model()->name, "resnet50");
    session.selectModel("another");
    EXPECT_EQ(session.model()->name, "another");
    session.selectModel("of no workspace");
    EXPECT_EQ(session.model()->name, "resnet50");
}

struct Polled
{
    std::shared_ptr<testing::FakeGateway> gateway = makeFakeGateway();
    TaskRunner tasks;
    Session session;
    StorePoller poller{session, tasks, gateway};

    bool loads()
    {
        return QTest::qWaitFor([this] { return session.isLoaded(); }, 60000);
    }
    bool readsAgain()
    {
        const int before = gateway->reads;
        return QTest::qWaitFor([&] { return gateway->reads >= before + 2; }, 60000);
    }
};

TEST(StorePoller, ReadsAWorkspaceAtOnceAndThenOnlyWhatChanged)
{
    Polled polled;
    QSignalSpy snapshots(&polled.session, &Session::snapshotChanged);
    polled.session.setFile("/a.apertune");
    ASSERT_TRUE(polled.loads());
    const int afterLoading = static_cast<int>(snapshots.count());
    ASSERT_TRUE(polled.readsAgain());
    EXPECT_EQ(snapshots.count(), afterLoading) << "nothing was committed";
    polled.gateway->change([](WorkspaceState& state) { ++state.version; });
    EXPECT_TRUE(QTest::qWaitFor([&] { return snapshots.count() > afterLoading; }, 60000));
}

TEST(StorePoller, AWorkspaceThatCannotBeReadIsTriedAgain)
{
    Polled polled;
    polled.gateway->readError = base::plainError(base::ErrorCode::corrupt, "damaged");
    polled.session.setFile("/a.apertune");
    ASSERT_TRUE(polled.loads());
    ASSERT_TRUE(polled.session.loadError());
    EXPECT_TRUE(polled.readsAgain());
}

TEST(StorePoller, AnotherStudyIsReadWithoutWaitingForTheNextTurn)
{
    Polled polled;
    polled.session.setFile("/a.apertune");
    ASSERT_TRUE(polled.loads());
    const int before = polled.gateway->reads;
    polled.session.selectStudy(model::StudyId{1});
    EXPECT_TRUE(polled.tasks.isRunning(&polled.poller, QStringLiteral("read")));
    EXPECT_TRUE(QTest::qWaitFor([&] { return polled.gateway->reads > before; }, 60000));
    EXPECT_EQ(polled.session.wantedStudy(), model::StudyId{1});
}

TEST(StorePoller, WhatAFormerWorkspaceStillAnswersIsDropped)
{
    Polled polled;
    polled.gateway->readDelayMs = 60;
    polled.session.setFile("/slow.apertune");
    QTest::qWait(10);
    polled.gateway->change([](WorkspaceState& state) { state.snapshot = nullptr; });
    polled.session.setFile("/b.apertune");
    ASSERT_TRUE(polled.loads());
    EXPECT_EQ(polled.session.file(), "/b.apertune");
    EXPECT_EQ(polled.session.snapshot(), nullptr);
}

} // namespace
} // namespace apertune::gui
