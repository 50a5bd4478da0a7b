// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/jobs.h"
#include "app/gui/session/session.h"
#include "app/gui/session/task_runner.h"
#include "core/sentences/sentences.h"
#include "tests/app/gui/fake_gateway.h"
#include "tests/widgets/synthetic_study.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <thread>

namespace apertune::gui {
namespace {

using base::Outcome;
using Kind = study::StudyEvent::Kind;

struct Working
{
    std::shared_ptr<testing::FakeGateway> gateway = testing::makeFakeGateway();
    TaskRunner tasks;
    Session session;
    Jobs jobs{session, tasks, gateway};
    QSignalSpy finished{&jobs, &Jobs::finished};

    bool ends(int count = 1)
    {
        return QTest::qWaitFor([&] { return finished.count() >= count; }, 60000);
    }
    Outcome outcome() const { return finished.last().at(0).value<Outcome>(); }
    bool wasReported(const QString& text) const
    {
        return std::any_of(jobs.events().begin(), jobs.events().end(),
                           [&](const JobEvent& event) { return event.text.contains(text); });
    }
};

study::StudyRequest request()
{
    study::StudyRequest request;
    request.model.name = "resnet50";
    return request;
}

base::Result<Outcome> waitForStop(std::stop_token stop)
{
    while (!stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Outcome::cancelled;
}

TEST(Jobs, ASweepTellsItsProgressAndEnds)
{
    Working work;
    const auto study = testing::makeSyntheticStudy();
    work.gateway->sweepScript = [&](const auto&, const study::StudyObserver& observer, std::stop_token) {
        observer({Kind::studyStarted, model::StudyId{7}, nullptr, {}, 0, 2});
        observer({Kind::trialStarted, model::StudyId{7}, &study->trials[0], {}, 0, 2});
        observer({Kind::trialPhase, model::StudyId{7}, &study->trials[0], study::Phase::measure, 0, 2});
        observer({Kind::trialFinished,
                  model::StudyId{7},
                  &study->trials[0],
                  {},
                  1,
                  2,
                  base::fromSeconds(3),
                  base::fromSeconds(5),
                  {},
                  "O0 fp32 b1"});
        return base::Result<Outcome>(Outcome::done);
    };
    QSignalSpy started(&work.jobs, &Jobs::sweepStarted);
    bool sawProgress = false;
    QObject::connect(&work.jobs, &Jobs::stateChanged, &work.jobs, [&] {
        const JobState& state = work.jobs.state();
        sawProgress = sawProgress || (state.done == 1 && state.total == 2 && state.phase == QStringLiteral("measure") &&
                                      state.etaHigh == base::fromSeconds(5) && state.study == model::StudyId{7});
    });
    ASSERT_TRUE(work.jobs.startSweep(request()));
    EXPECT_TRUE(work.jobs.state().busy());
    ASSERT_TRUE(work.ends());
    EXPECT_TRUE(sawProgress);
    EXPECT_EQ(started.count(), 1);
    EXPECT_EQ(work.outcome(), Outcome::done);
    EXPECT_FALSE(work.jobs.state().busy());
    EXPECT_TRUE(work.wasReported(QStringLiteral("Sweep finished.")));
    EXPECT_TRUE(work.wasReported(QStringLiteral("O0 fp32 b1 on cpu: ")));
}

TEST(Jobs, OneJobAtATime)
{
    Working work;
    work.gateway->sweepScript = [](const auto&, const auto&, std::stop_token stop) { return waitForStop(stop); };
    ASSERT_TRUE(work.jobs.startSweep(request()));
    EXPECT_FALSE(work.jobs.startSweep(request()));
    EXPECT_FALSE(work.jobs.importModel({}));
    EXPECT_FALSE(work.jobs.tune({}, request()));
    EXPECT_FALSE(work.jobs.resume({model::StudyId{1}}, {}));
    work.jobs.requestStop(JobState::Stop::now);
    ASSERT_TRUE(work.ends());
    EXPECT_EQ(work.outcome(), Outcome::cancelled);
    EXPECT_TRUE(work.jobs.startSweep(request()));
    work.jobs.requestStop(JobState::Stop::now);
    ASSERT_TRUE(work.ends(2));
}

TEST(Jobs, StoppingAfterTheCurrentConfigurationLetsItFinish)
{
    Working work;
    const auto study = testing::makeSyntheticStudy();
    std::atomic<bool> go{false};
    std::atomic<int> configurations{0};
    work.gateway->sweepScript = [&](const auto&, const study::StudyObserver& observer,
                                    std::stop_token stop) -> base::Result<Outcome> {
        for (int i = 0; i < 3; ++i) {
            while (!go) {
                if (stop.stop_requested()) {
                    ADD_FAILURE() << "stopped within a configuration";
                    return Outcome::cancelled;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            ++configurations;
            observer({Kind::trialFinished, model::StudyId{7}, &study->trials[0], {}, i + 1, 3});
            if (stop.stop_requested())
                return Outcome::cancelled;
        }
        return Outcome::done;
    };
    ASSERT_TRUE(work.jobs.startSweep(request()));
    work.jobs.requestStop(JobState::Stop::afterCurrent);
    EXPECT_EQ(work.jobs.state().stop, JobState::Stop::afterCurrent);
    QTest::qWait(20);
    go = true;
    ASSERT_TRUE(work.ends());
    EXPECT_EQ(configurations, 1);
    EXPECT_EQ(work.outcome(), Outcome::cancelled);
}

TEST(Jobs, TuneImportsFirstAndSweepsWhatWasImported)
{
    Working work;
    model::ModelRef imported = testing::makeSyntheticModel();
    imported.name = "resnet50-2";
    work.gateway->importResult = imported;
    std::string swept;
    work.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        swept = std::get<study::StudyRequest>(what).model.name;
        return base::Result<Outcome>(Outcome::done);
    };
    QSignalSpy importSpy(&work.jobs, &Jobs::modelImported);
    models::ImportRequest source;
    source.source = "torchvision:resnet50";
    ASSERT_TRUE(work.jobs.tune(source, request()));
    EXPECT_EQ(work.jobs.state().kind, JobState::Kind::importing);
    ASSERT_TRUE(work.ends());
    EXPECT_EQ(swept, "resnet50-2") << "the name that the import gave it";
    EXPECT_EQ(importSpy.count(), 1);
    EXPECT_TRUE(work.wasReported(QStringLiteral("a line the exporter printed")));
}

TEST(Jobs, AFailedImportSaysWhyAndSweepsNothing)
{
    Working work;
    work.gateway->importResult =
        base::plainError(base::ErrorCode::invalidArgument, "resnet5000 is not a model.", {}, "Did you mean resnet50?");
    bool swept = false;
    work.gateway->sweepScript = [&](const auto&, const auto&, std::stop_token) {
        swept = true;
        return base::Result<Outcome>(Outcome::done);
    };
    ASSERT_TRUE(work.jobs.tune({}, request()));
    ASSERT_TRUE(work.ends());
    EXPECT_FALSE(swept);
    EXPECT_EQ(work.outcome(), Outcome::failed);
    EXPECT_EQ(sentences::sentence(work.finished.last().at(1).value<base::Error>().hint), "Did you mean resnet50?");
    ASSERT_FALSE(work.jobs.events().empty());
    EXPECT_TRUE(work.jobs.events().back().isFailure);
}

TEST(Jobs, AResumedSweepIsTheStudyAskedFor)
{
    Working work;
    model::StudyId resumed{};
    work.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        resumed = std::get<study::ResumeRequest>(what).study;
        return base::Result<Outcome>(base::plainError(base::ErrorCode::busy, "being written", {}, "Wait."));
    };
    ASSERT_TRUE(work.jobs.resume({model::StudyId{12}}, QStringLiteral("sweep 12")));
    EXPECT_EQ(work.jobs.state().title, QStringLiteral("sweep 12"));
    ASSERT_TRUE(work.ends());
    EXPECT_EQ(resumed, model::StudyId{12});
    EXPECT_EQ(work.outcome(), Outcome::failed);
}

TEST(Jobs, TheLogKeepsTheLastFiveHundredLines)
{
    Working work;
    work.gateway->sweepScript = [](const auto&, const study::StudyObserver& observer, std::stop_token) {
        for (int i = 0; i < 700; ++i)
            observer({.kind = Kind::message,
                      .study = model::StudyId{7},
                      .message = base::foreignText("line " + std::to_string(i))});
        return base::Result<Outcome>(Outcome::done);
    };
    ASSERT_TRUE(work.jobs.startSweep(request()));
    ASSERT_TRUE(work.ends());
    EXPECT_EQ(work.jobs.events().size(), 500U);
    EXPECT_FALSE(work.wasReported(QStringLiteral("line 100")));
    EXPECT_TRUE(work.wasReported(QStringLiteral("line 699")));
}

} // namespace
} // namespace apertune::gui
