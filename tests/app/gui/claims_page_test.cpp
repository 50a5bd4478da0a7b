// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/claims_page.h"
#include "core/sentences/sentences.h"
#include "tests/app/gui/bench.h"
#include "tests/app/gui/layout_lint.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/controls/empty_state.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QSignalSpy>
#include <QSpinBox>

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace apertune::gui {
namespace {

using claims::ClaimState;
using testing::buttonOf;
using testing::Fixture;

template <typename Widget>
Widget* named(const QWidget& page, const QString& name)
{
    for (auto* widget : page.findChildren<Widget*>())
        if (widget->accessibleName() == name)
            return widget;
    return nullptr;
}

QAction* action(const Page& page, const QString& text)
{
    for (QAction* each : page.headerActions())
        if (each->text() == text)
            return each;
    return nullptr;
}

struct Shown
{
    Shown() { EXPECT_TRUE(fixture.load(PageId::claims)); }
    Page& page() { return *fixture.window.currentPage(); }
    tables::LeanTable& claims() { return *named<tables::LeanTable>(page(), QStringLiteral("Claims of guides")); }
    tables::LeanTable& plan() { return *named<tables::LeanTable>(page(), QStringLiteral("Plan of what is missing")); }
    QString cell(int row, ClaimColumn column)
    {
        return claims().model()->index(row, static_cast<int>(column)).data().toString();
    }
    void choose(const QString& filter, const QString& text)
    {
        auto* box = named<QComboBox>(page(), filter);
        ASSERT_NE(box, nullptr);
        ASSERT_GE(box->findText(text), 0) << text.toStdString();
        box->setCurrentIndex(box->findText(text));
    }

    Fixture fixture;
};

TEST(ClaimsPage, ShowsEveryClaimWithItsVerdictAndNarrowsThem)
{
    Shown shown;
    const auto checks = shown.fixture.gateway->claimChecks({}, shown.fixture.gateway->machine.devices);
    ASSERT_TRUE(checks);
    const auto inState = [&](ClaimState state) {
        return static_cast<int>(std::count_if(checks->begin(), checks->end(),
                                              [state](const claims::ClaimCheck& c) { return c.state == state; }));
    };
    ASSERT_EQ(shown.claims().model()->rowCount(), static_cast<int>(checks->size()));
    for (std::size_t i = 0; i < checks->size(); ++i)
        EXPECT_EQ(shown.cell(static_cast<int>(i), ClaimColumn::state), claimStateWord((*checks)[i].state));
    for (const ClaimState state : claims::kAllClaimStates) {
        shown.choose(QStringLiteral("State of the claims"), claimStateWord(state));
        EXPECT_EQ(shown.claims().model()->rowCount(), inState(state)) << claims::toString(state);
    }
    shown.choose(QStringLiteral("State of the claims"), QStringLiteral("All states"));
    shown.choose(QStringLiteral("Topic of the claims"), QStringLiteral("layout"));
    ASSERT_GT(shown.claims().model()->rowCount(), 0);
    for (int row = 0; row < shown.claims().model()->rowCount(); ++row)
        EXPECT_EQ(shown.cell(row, ClaimColumn::topic), QStringLiteral("layout"));
    shown.page().setFilter(QStringLiteral("no such word"));
    EXPECT_EQ(shown.claims().model()->rowCount(), 0);
    EXPECT_TRUE(shown.claims().isHidden());
    shown.page().cancelOrClear();
    EXPECT_FALSE(shown.claims().isHidden());
}

TEST(ClaimsPage, TheSelectedClaimHasItsMeasurementsOrItsReason)
{
    Shown shown;
    auto* pairs = named<tables::LeanTable>(shown.page(), QStringLiteral("Measurements behind the selected claim"));
    auto* command = named<QLineEdit>(shown.page(), QStringLiteral("Command line of the selected claim"));
    ASSERT_TRUE(pairs && command);
    bool hadPairs = false, hadReason = false;
    const auto checks = shown.fixture.gateway->claimChecks({}, shown.fixture.gateway->machine.devices);
    for (int row = 0; row < shown.claims().model()->rowCount(); ++row) {
        shown.claims().selectRow(row);
        const claims::ClaimCheck& check = (*checks)[static_cast<std::size_t>(row)];
        std::size_t expected = 0;
        for (const claims::FigureCheck& figure : check.figures)
            expected += figure.pairs.size();
        EXPECT_EQ(pairs->model()->rowCount(), static_cast<int>(expected)) << check.claim->id;
        EXPECT_EQ(pairs->isVisible(), expected > 0) << check.claim->id;
        EXPECT_TRUE(command->text().contains(QStringLiteral("--claim %1").arg(theme::toQt(check.claim->id))));
        const auto facts = claimFacts(check);
        const bool reason = std::any_of(facts.begin(), facts.end(),
                                        [](const auto& fact) { return fact.name == QStringLiteral("Reason"); });
        EXPECT_EQ(reason, std::any_of(check.figures.begin(), check.figures.end(),
                                      [](const claims::FigureCheck& figure) { return !figure.reason.empty(); }));
        hadPairs = hadPairs || expected > 0;
        hadReason = hadReason || reason;
    }
    EXPECT_TRUE(hadPairs);
    EXPECT_TRUE(hadReason);
}

TEST(ClaimsPage, ShowsThePlanBeforeItMeasuresAndReadsTheResult)
{
    Shown shown;
    claims::ClaimPlan measured;
    base::Nanoseconds budget{};
    std::atomic<bool> go{false};
    shown.fixture.gateway->claimScript = [&](const claims::ClaimPlan& plan, base::Nanoseconds time,
                                             const runs::ClaimWatch& watch, std::stop_token) {
        measured = plan;
        budget = time;
        watch.step(1, runs::stepsOf(plan), "resnet50");
        watch.phase(study::Phase::measure, {});
        while (!go)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return base::Result<runs::MeasuredClaims>(runs::MeasuredClaims{});
    };
    QSignalSpy finished(&shown.fixture.context.jobs, &Jobs::finished);
    shown.page().triggerPrimary();
    EXPECT_FALSE(shown.fixture.context.jobs.state().busy()) << "the plan comes first";
    ASSERT_TRUE(shown.plan().isVisible());
    const int steps = shown.plan().model()->rowCount();
    ASSERT_GT(steps, 0);
    named<QSpinBox>(shown.page(), QStringLiteral("Measuring time of each study"))->setValue(7);
    shown.page().triggerPrimary();
    ASSERT_TRUE(shown.fixture.context.jobs.state().busy());
    auto* bar = named<QProgressBar>(shown.page(), QStringLiteral("Progress of measuring claims"));
    ASSERT_TRUE(bar);
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar->isVisible() && bar->maximum() == steps; }, 60000));
    EXPECT_FALSE(action(shown.page(), QStringLiteral("Measure what is missing…"))->isEnabled());
    const int reads = shown.fixture.gateway->claimReads;
    go = true;
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1 && shown.page().isReady(); }, 60000));
    EXPECT_EQ(finished.last().at(0).value<base::Outcome>(), base::Outcome::done);
    EXPECT_GT(shown.fixture.gateway->claimReads, reads) << "the result is read";
    EXPECT_EQ(static_cast<int>(runs::stepsOf(measured)), steps);
    EXPECT_EQ(budget, base::fromSeconds(7.0 * static_cast<double>(measured.studies.size())));
    EXPECT_FALSE(bar->isVisible());
}

/// Also writes pictures into the folder $APERTUNE_GRABS, for people to look at.
TEST(ClaimsPage, ThePlanAndTheProgressFitASmallWindow)
{
    for (const auto& [theme, name] : {std::pair(theme::Preference::dark, QStringLiteral("dark")),
                                      std::pair(theme::Preference::light, QStringLiteral("light"))}) {
        theme::Theme::instance().setPreference(theme);
        const auto keep = [name = name](Shown& shown, const QString& what) {
            testing::lint(shown.fixture.window);
            const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
            if (!folder.isEmpty())
                shown.fixture.window.grab().save(QStringLiteral("%1/claims-%2-%3.png").arg(folder, what, name));
        };
        Shown shown;
        shown.fixture.gateway->claimScript = [](const claims::ClaimPlan& plan, base::Nanoseconds, const auto& watch,
                                                std::stop_token stop) {
            watch.step(1, runs::stepsOf(plan), "resnet50");
            while (!stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return base::Result<runs::MeasuredClaims>(runs::MeasuredClaims{});
        };
        ASSERT_TRUE(shown.fixture.load(PageId::claims, {1024, 768}));
        shown.page().triggerPrimary();
        ASSERT_TRUE(shown.fixture.settle());
        keep(shown, QStringLiteral("plan"));
        QSignalSpy finished(&shown.fixture.context.jobs, &Jobs::finished);
        shown.page().triggerPrimary();
        auto* bar = named<QProgressBar>(shown.page(), QStringLiteral("Progress of measuring claims"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return bar->isVisible() && bar->maximum() > 1; }, 60000));
        QTest::qWait(100); // lets the layouts follow the texts; settle() waits for tasks, and one runs
        keep(shown, QStringLiteral("progress"));
        shown.fixture.context.jobs.requestStop(JobState::Stop::now);
        ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, 60000));
    }
    theme::Theme::instance().setPreference(theme::Preference::dark);
}

TEST(ClaimsPage, MeasuringCanBeStoppedAndSaysWhatFailed)
{
    Shown shown;
    shown.fixture.gateway->claimScript = [&](const claims::ClaimPlan& plan, base::Nanoseconds, const auto& watch,
                                             std::stop_token stop) {
        watch.step(1, runs::stepsOf(plan), "resnet50");
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        runs::MeasuredClaims result;
        result.interrupted = true;
        result.failures.emplace_back("vit_b_16", base::plainError(base::ErrorCode::io, "The disk is full."));
        return base::Result<runs::MeasuredClaims>(std::move(result));
    };
    QSignalSpy finished(&shown.fixture.context.jobs, &Jobs::finished);
    shown.page().triggerPrimary();
    shown.page().cancelOrClear();
    EXPECT_FALSE(shown.plan().isVisible()) << "Esc leaves the plan";
    shown.page().triggerPrimary();
    shown.page().triggerPrimary();
    QPushButton* stop = nullptr;
    ASSERT_TRUE(QTest::qWaitFor([&] { return (stop = buttonOf(shown.page(), QStringLiteral("Stop"))) != nullptr; }));
    stop->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, 60000));
    EXPECT_EQ(finished.last().at(0).value<base::Outcome>(), base::Outcome::cancelled);
    const auto& events = shown.fixture.context.jobs.events();
    EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const JobEvent& event) {
        return event.isFailure && event.text.contains(QStringLiteral("vit_b_16: The disk is full."));
    }));
}

TEST(ClaimsPage, SaysWhyAWorkspaceCannotBeRead)
{
    Fixture fixture;
    fixture.gateway->claimError = base::plainError(base::ErrorCode::corrupt, "The file is damaged.");
    ASSERT_TRUE(fixture.load(PageId::claims));
    auto* empty = fixture.window.currentPage()->findChild<controls::EmptyState*>();
    ASSERT_TRUE(empty && empty->isVisible());
    QPushButton* again = buttonOf(*empty, QStringLiteral("Try again"));
    ASSERT_NE(again, nullptr);
    fixture.gateway->claimError.reset();
    again->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_FALSE(empty->isVisible());
}

TEST(ClaimsView, ThePlanAddsUpTheTimeOfItsSteps)
{
    claims::ClaimPlan plan;
    plan.imports = {"torchvision:vit_b_16"};
    plan.studies.resize(3);
    plan.pipelines.resize(2);
    const base::Nanoseconds budget = base::fromSeconds(90);
    EXPECT_EQ(runs::timeAfterStep(plan, budget, 1), base::fromSeconds(90 + 20)) << "the import runs";
    EXPECT_EQ(runs::timeAfterStep(plan, budget, 2), base::fromSeconds(60 + 20));
    EXPECT_EQ(runs::timeAfterStep(plan, budget, 4), base::fromSeconds(20));
    EXPECT_EQ(runs::timeAfterStep(plan, budget, 6), base::fromSeconds(0));
    EXPECT_TRUE(claimPlanText(plan, budget).contains(theme::duration(base::fromSeconds(110))));
}

} // namespace
} // namespace apertune::gui
