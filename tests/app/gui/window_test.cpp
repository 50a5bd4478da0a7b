// SPDX-License-Identifier: GPL-3.0-or-later
// The shell: shortcuts, the offer to resume, closing while a job runs, the picture for --screenshot.
#include "app/gui/presenters/tradeoffs_view.h"
#include "app/gui/shell/screenshot.h"
#include "app/gui/shell/trust_question.h"
#include "tests/app/gui/bench.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/controls/info_bar.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/lean_table.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace apertune::gui {
namespace {

using base::Outcome;
using testing::buttonOf;
using testing::Fixture;

void interrupt(WorkspaceState& state, int remaining)
{
    ++state.version;
    state.studies.front().state = remaining > 0 ? model::StudyState::interrupted : model::StudyState::finished;
    state.studies.front().remaining = remaining;
}

/// A sweep that goes on until it is told to stop.
void runUntilStopped(Fixture& fixture)
{
    fixture.gateway->sweepScript = [](const auto&, const auto&, std::stop_token stop) {
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return base::Result<Outcome>(Outcome::cancelled);
    };
    study::StudyRequest request;
    request.model.name = "resnet50";
    ASSERT_TRUE(fixture.context.jobs.startSweep(request));
}

TEST(TrustQuestion, IsAskedOverTheWindowWhileTheWorkWaits)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::start));
    const models::TrustQuestion question = trustQuestion(fixture.window);
    EXPECT_FALSE(question({base::foreignText("The model net"), "/elsewhere", {"abc123"}}))
        << "the window's own thread cannot wait";
    for (const auto button : {QMessageBox::Yes, QMessageBox::No}) {
        std::atomic<int> answer = -1;
        std::thread work([&] {
            answer = question({base::foreignText("The model <b>net</b>"), "/elsewhere", {"abc123"}}) ? 1 : 0;
        });
        QMessageBox* box = nullptr;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return (box = fixture.window.findChild<QMessageBox*>(QStringLiteral("trustQuestion"))) != nullptr; },
            120'000));
        if (box != nullptr) {
            EXPECT_TRUE(box->text().contains(QStringLiteral("<b>net</b>")));
            EXPECT_EQ(box->textFormat(), Qt::PlainText);
            EXPECT_TRUE(box->informativeText().contains(QStringLiteral("/elsewhere")));
            EXPECT_TRUE(box->informativeText().contains(QStringLiteral("SHA-256 abc123")));
            EXPECT_EQ(answer, -1) << "the work waits";
            box->button(button)->click();
        }
        work.join();
        EXPECT_EQ(answer, button == QMessageBox::Yes ? 1 : 0);
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return fixture.window.findChild<QMessageBox*>(QStringLiteral("trustQuestion")) == nullptr; },
            120'000));
    }
}

TEST(Shortcuts, EachPageHasItsKey)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::start));
    fixture.window.activateWindow();
    for (const PageSpec& page : pageTable()) {
        QTest::keyClick(&fixture.window, page.shortcut.key(), page.shortcut.keyboardModifiers());
        EXPECT_TRUE(fixture.window.currentPage()->id() == page.id) << page.label;
    }
}

TEST(Shortcuts, CtrlKFindsATrialAndEnterShowsIt)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::start));
    fixture.window.activateWindow();
    QTest::keyClick(&fixture.window, Qt::Key_K, Qt::ControlModifier);
    auto* field = fixture.window.findChild<controls::SearchField*>();
    ASSERT_NE(field, nullptr);
    EXPECT_TRUE(field->hasFocus());
    const model::Trial& trial = fixture.gateway->state.snapshot->trials[4];
    QTest::keyClicks(field, QStringLiteral("t%1 ").arg(trial.id.value));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::trial);
    EXPECT_EQ(fixture.context.session.selectedTrial(), trial.id);
}

TEST(Shortcuts, EscapeClearsTheSelectionAndCtrlEnterStartsTheSweep)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::tradeoffs));
    fixture.window.activateWindow();
    ASSERT_NE(fixture.context.session.trial(), nullptr);
    QTest::keyClick(&fixture.window, Qt::Key_Escape);
    EXPECT_EQ(fixture.context.session.trial(), nullptr);
    fixture.window.showPage(PageId::sweep);
    ASSERT_TRUE(fixture.settle());
    QTest::keyClick(&fixture.window, Qt::Key_Return, Qt::ControlModifier);
    EXPECT_TRUE(fixture.context.jobs.state().busy());
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::live);
    EXPECT_TRUE(fixture.settle());
}

TEST(Resume, AReopenedWorkspaceOffersToResumeAndDoesIt)
{
    Fixture fixture;
    interrupt(fixture.gateway->state, 5);
    ASSERT_TRUE(fixture.load(PageId::start));
    EXPECT_TRUE(fixture.window.infoBar()->isVisible());
    EXPECT_TRUE(fixture.window.infoBar()->message().text.contains(QStringLiteral("5 of")));
    model::StudyId resumed{};
    fixture.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        resumed = std::get<study::ResumeRequest>(what).study;
        fixture.gateway->change([](WorkspaceState& state) { interrupt(state, 0); });
        return base::Result<Outcome>(Outcome::done);
    };
    QPushButton* resume = buttonOf(*fixture.window.infoBar(), QStringLiteral("Resume"));
    ASSERT_NE(resume, nullptr);
    resume->click();
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::live);
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(resumed, fixture.gateway->state.studies.front().id);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !fixture.window.infoBar()->isVisible(); }, 60000));
}

TEST(Resume, DismissedOnceIsDismissed)
{
    Fixture fixture;
    interrupt(fixture.gateway->state, 5);
    ASSERT_TRUE(fixture.load(PageId::start));
    ASSERT_TRUE(fixture.window.infoBar()->isVisible());
    auto buttons = fixture.window.infoBar()->findChildren<QPushButton*>();
    buttons.last()->click();
    EXPECT_FALSE(fixture.window.infoBar()->isVisible());
    const int before = fixture.gateway->reads;
    fixture.gateway->change([](WorkspaceState& state) { ++state.version; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return fixture.gateway->reads >= before + 2; }, 60000));
    EXPECT_FALSE(fixture.window.infoBar()->isVisible());
}

TEST(Resume, AStudyThatIsFinishedOrRunningIsNotOffered)
{
    Fixture fixture;
    fixture.gateway->state.studies.front().state = model::StudyState::running;
    fixture.gateway->state.studies.front().remaining = 5;
    ASSERT_TRUE(fixture.load(PageId::start));
    EXPECT_FALSE(fixture.window.infoBar()->isVisible());
}

TEST(Closing, AnIdleWindowClosesAtOnce)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::start));
    EXPECT_TRUE(fixture.window.close());
    EXPECT_FALSE(fixture.settings.windowGeometry().isEmpty());
}

TEST(Closing, MidSweepItAsksAndCanBeKeptOpen)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::live));
    runUntilStopped(fixture);
    EXPECT_FALSE(fixture.window.close());
    auto* question = fixture.window.findChild<QMessageBox*>();
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(question->isVisible());
    EXPECT_TRUE(question->text().contains(QStringLiteral("resnet50")));
    QTest::keyClick(question, Qt::Key_Escape);
    EXPECT_TRUE(fixture.window.isVisible());
    EXPECT_EQ(fixture.context.jobs.state().stop, JobState::Stop::no) << "nothing was stopped";
    fixture.context.jobs.requestStop(JobState::Stop::now);
    ASSERT_TRUE(fixture.settle());
}

TEST(Closing, MidSweepItStopsTheSweepAndThenCloses)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::live));
    runUntilStopped(fixture);
    EXPECT_FALSE(fixture.window.close());
    EXPECT_FALSE(fixture.window.close()) << "asking twice asks once";
    ASSERT_EQ(fixture.window.findChildren<QMessageBox*>().size(), 1);
    QPushButton* stop = buttonOf(*fixture.window.findChild<QMessageBox*>(), QStringLiteral("Stop and close"));
    ASSERT_NE(stop, nullptr);
    stop->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !fixture.window.isVisible(); }, 60000));
    EXPECT_FALSE(fixture.context.jobs.state().busy());
}

QMenu* menuOfFirstStudy(Fixture& fixture)
{
    for (auto* table : fixture.window.findChildren<tables::LeanTable*>()) {
        if (table->accessibleName() == QStringLiteral("Studies")) {
            const QPoint at(40, table->verticalHeader()->defaultSectionSize() / 2);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, table->viewport()->mapToGlobal(at));
            QApplication::sendEvent(table->viewport(), &event);
            return table->findChild<QMenu*>();
        }
    }
    return nullptr;
}

QAction* entryOf(QMenu& menu, const QString& start)
{
    for (QAction* action : menu.actions())
        if (action->text().startsWith(start))
            return action;
    return nullptr;
}

TEST(StartPage, ADamagedWorkspaceIsRepairedOrLeftAndNothingIsMeasuredIntoIt)
{
    Fixture fixture;
    fixture.gateway->readError =
        base::plainError(base::ErrorCode::corrupt, "The workspace is damaged.", {}, "Restore a copy of the file.");
    ASSERT_TRUE(fixture.load(PageId::start));
    ASSERT_TRUE(QTest::qWaitFor([&] { return fixture.gateway->reads >= 3; }, 60000));
    QCoreApplication::processEvents();
    EXPECT_EQ(fixture.window.infoBar()->repeats(), 1) << "polling does not tell it again and again";
    QString shown;
    for (const auto* label : fixture.window.currentPage()->findChildren<QLabel*>())
        shown += label->isVisible() ? label->text() + QLatin1Char('\n') : QString();
    EXPECT_TRUE(shown.contains(QStringLiteral("synthetic.apertune cannot be read"))) << shown.toStdString();
    EXPECT_TRUE(shown.contains(QStringLiteral("Restore a copy"))) << shown.toStdString();
    EXPECT_FALSE(shown.contains(QStringLiteral("No study yet"))) << shown.toStdString();
    EXPECT_FALSE(buttonOf(fixture.window, QStringLiteral("New sweep"))->isEnabled());
    EXPECT_NE(buttonOf(*fixture.window.currentPage(), QStringLiteral("Open another workspace")), nullptr);
    QPushButton* repair = buttonOf(fixture.window, QStringLiteral("Save what is readable"));
    ASSERT_NE(repair, nullptr);

    repair->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(fixture.window.infoBar()->message().text.contains(QStringLiteral("Nothing of it is readable")));
    fixture.gateway->repairResult = RepairedWorkspace{"/nowhere/synthetic-repaired.apertune", {42, 0, 0, {}}};
    fixture.gateway->readError.reset();
    repair->click();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return fixture.context.session.file() == "/nowhere/synthetic-repaired.apertune"; }, 60000));
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.gateway->repaired, "/nowhere/synthetic.apertune");
    EXPECT_TRUE(fixture.window.infoBar()->message().text.contains(QStringLiteral("42 rows")));
    EXPECT_TRUE(fixture.window.infoBar()->isVisible());
    EXPECT_TRUE(buttonOf(fixture.window, QStringLiteral("New sweep"))->isEnabled());
    EXPECT_EQ(buttonOf(fixture.window, QStringLiteral("Save what is readable")), nullptr);
}

TEST(SettingsPage, EachSettingGoesBackToItsDefaultAndTheSearchFindsRows)
{
    Fixture fixture;
    fixture.settings.setDefaultBudget(600);
    ASSERT_TRUE(fixture.load(PageId::settings));
    Page* page = fixture.window.currentPage();
    const auto reset = [page](const QString& name) {
        for (auto* button : page->findChildren<QPushButton*>())
            if (button->accessibleName() == QStringLiteral("Reset: ") + name)
                return button;
        return static_cast<QPushButton*>(nullptr);
    };
    ASSERT_TRUE(reset(QStringLiteral("Budget of a new sweep")));
    EXPECT_TRUE(reset(QStringLiteral("Budget of a new sweep"))->isVisible());
    EXPECT_FALSE(reset(QStringLiteral("Text size"))->isVisible()) << "it is at its default";
    reset(QStringLiteral("Budget of a new sweep"))->click();
    EXPECT_EQ(fixture.settings.defaultBudget(), Settings::kDefaultBudget);
    EXPECT_FALSE(reset(QStringLiteral("Budget of a new sweep"))->isVisible());

    const auto shows = [page](const QString& text) {
        const auto labels = page->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->isVisible() && label->text() == text; });
    };
    auto* search = page->findChild<controls::SearchField*>();
    ASSERT_TRUE(search);
    search->setText(QStringLiteral("TIME sweep"));
    EXPECT_TRUE(shows(QStringLiteral("Budget of a new sweep")));
    EXPECT_FALSE(shows(QStringLiteral("Contrast")));
    EXPECT_FALSE(shows(QStringLiteral("Appearance"))) << "a card without rows";
    search->setText(QStringLiteral("nothing of this"));
    EXPECT_TRUE(shows(QStringLiteral("No setting has these words.")));
    search->clear();
    EXPECT_TRUE(shows(QStringLiteral("Contrast")));
}

TEST(LivePage, AfterASweepTheNextStepsAreOfferedBesideItsResult)
{
    Fixture fixture;
    const auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy());
    study->study.state = model::StudyState::finished;
    ASSERT_TRUE(study->recommended);
    fixture.gateway->state.snapshot = study;
    ASSERT_TRUE(fixture.load(PageId::live));
    EXPECT_EQ(buttonOf(*fixture.window.currentPage(), QStringLiteral("Trace the best")), nullptr)
        << "nothing ran in this window";
    runUntilStopped(fixture);
    EXPECT_EQ(buttonOf(*fixture.window.currentPage(), QStringLiteral("Trace the best")), nullptr) << "it still runs";
    fixture.context.jobs.requestStop(JobState::Stop::now);
    ASSERT_TRUE(fixture.settle());
    Page* live = fixture.window.currentPage();
    ASSERT_NE(buttonOf(*live, QStringLiteral("Show trade-offs")), nullptr);
    ASSERT_NE(buttonOf(*live, QStringLiteral("Export the best")), nullptr);
    buttonOf(*live, QStringLiteral("Export the best"))->click();
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::exportTrial);
    EXPECT_EQ(fixture.context.session.selectedTrial(), study->recommended->trial);
    fixture.window.showPage(PageId::live);
    buttonOf(*live, QStringLiteral("Trace the best"))->click();
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::trace);
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(fixture.gateway->captured.has_value());
}

TEST(StartPage, DeletingAStudyAsksFirst)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::start));
    for (const bool agree : {false, true}) {
        const QPointer<QMenu> menu = menuOfFirstStudy(fixture); // the menu deletes itself
        ASSERT_NE(menu, nullptr);
        QAction* remove = entryOf(*menu, QStringLiteral("Delete “resnet50"));
        ASSERT_NE(remove, nullptr);
        EXPECT_EQ(entryOf(*menu, QStringLiteral("Resume")), nullptr) << "a finished study has nothing to resume";
        remove->trigger();
        if (menu)
            menu->close();
        auto* question = fixture.window.findChild<QMessageBox*>();
        ASSERT_NE(question, nullptr);
        buttonOf(*question, agree ? QStringLiteral("Delete") : QStringLiteral("Keep"))->click();
        ASSERT_TRUE(fixture.settle());
        EXPECT_EQ(fixture.gateway->deleted, agree ? fixture.gateway->state.studies.front().id.value : 0);
    }
}

TEST(StartPage, NothingIsDeletedUnderARunningSweep)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::start));
    runUntilStopped(fixture);
    const QPointer<QMenu> menu = menuOfFirstStudy(fixture); // the menu deletes itself
    ASSERT_NE(menu, nullptr);
    EXPECT_FALSE(entryOf(*menu, QStringLiteral("Delete"))->isEnabled());
    menu->close();
    fixture.context.jobs.requestStop(JobState::Stop::now);
    ASSERT_TRUE(fixture.settle());
}

struct Pictured : Fixture
{
    QString file = dir.filePath(QStringLiteral("window.png"));
    Screenshot screenshot{context, window, file};
    QSignalSpy ended{&screenshot, &Screenshot::ended};

    int code()
    {
        screenshot.start();
        return QTest::qWaitFor([this] { return ended.count() > 0; }, 60000) ? ended.front().at(0).toInt() : -1;
    }
    QString message() const { return ended.front().at(1).toString(); }
};

TEST(Picture, IsWrittenOnceTheDataIsThere)
{
    Pictured fixture;
    ASSERT_TRUE(fixture.load(PageId::tradeoffs));
    EXPECT_EQ(fixture.code(), 0);
    EXPECT_EQ(QImage(fixture.file).size(), QSize(1280, 800));
}

TEST(Picture, OfAWorkspaceThatIsNotThereFailsAndSaysWhatToDo)
{
    Pictured fixture;
    fixture.gateway->state = {};
    fixture.gateway->state.exists = false;
    fixture.screenshot.setWorkspaceNamed(true);
    ASSERT_TRUE(fixture.load(PageId::tradeoffs));
    EXPECT_EQ(fixture.code(), 1);
    EXPECT_TRUE(fixture.message().contains(QStringLiteral("There is no workspace /nowhere/synthetic.apertune")));
    EXPECT_FALSE(QFile::exists(fixture.file));
}

TEST(Picture, OfTheDefaultWorkspaceBeforeItsFirstStudyIsThatOfAFreshStart)
{
    Pictured fixture;
    fixture.gateway->state = {};
    fixture.gateway->state.exists = false;
    ASSERT_TRUE(fixture.load(PageId::start));
    EXPECT_EQ(fixture.code(), 0);
}

TEST(Picture, OfADamagedWorkspaceFails)
{
    Pictured fixture;
    fixture.gateway->readError = base::plainError(base::ErrorCode::corrupt, "The file is damaged.", {}, "Use a copy.");
    ASSERT_TRUE(fixture.load(PageId::start));
    EXPECT_EQ(fixture.code(), 1);
    EXPECT_TRUE(fixture.message().contains(QStringLiteral("damaged")));
}

TEST(Picture, ThatCannotBeWrittenFails)
{
    Pictured fixture;
    Screenshot elsewhere(fixture.context, fixture.window, QStringLiteral("/proc/no/such/place.png"));
    QSignalSpy ended(&elsewhere, &Screenshot::ended);
    ASSERT_TRUE(fixture.load(PageId::start));
    elsewhere.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return ended.count() > 0; }, 60000));
    EXPECT_EQ(ended.front().at(0).toInt(), 1);
}

/// What the window shows of a study whose best is no answer: Export is for the selected trial, and is not the main
/// action.
void expectNoMainExport(std::shared_ptr<const model::StudySnapshot> study)
{
    Fixture fixture;
    fixture.gateway->state.snapshot = std::move(study);
    ASSERT_TRUE(fixture.load(PageId::tradeoffs));
    const auto* button = buttonOf(fixture.window, QStringLiteral("Export configuration"));
    ASSERT_NE(button, nullptr);
    EXPECT_TRUE(button->toolTip().contains(QStringLiteral("is known yet"))) << button->toolTip().toStdString();
    QTest::keyClick(&fixture.window, Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::tradeoffs) << "the main action leads nowhere";
    fixture.window.showPage(PageId::exportTrial);
    ASSERT_TRUE(fixture.settle());
    bool shown = false;
    for (const auto* label : fixture.window.currentPage()->findChildren<QLabel*>())
        shown = shown || label->text().contains(QStringLiteral("nothing is recommended yet"));
    EXPECT_TRUE(shown);
}

TEST(TradeoffsPage, WithoutARecommendationSaysSoAndExportIsNotTheMainAction)
{
    testing::SyntheticOptions options;
    options.withRecommendation = false;
    options.interrupted = true;
    const auto study = testing::makeSyntheticStudy(options);
    const TradeoffsView view = makeTradeoffsView(study, {});
    EXPECT_EQ(view.figures[0].caption, QStringLiteral("No recommendation yet"));
    EXPECT_EQ(view.figures[0].value, QStringLiteral("–"));
    EXPECT_FALSE(view.figures[0].detail.isEmpty());
    expectNoMainExport(study);
}

TEST(TradeoffsPage, WithoutAConfirmationShowsTheShortlistAndConfirmsItByOneButton)
{
    testing::SyntheticOptions options;
    options.confirmed = false;
    const auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy(options));
    study->study.state = model::StudyState::finished;
    ASSERT_FALSE(study->recommended);
    ASSERT_FALSE(study->shortlist.empty());
    const QString first = QStringLiteral("t%1 · ").arg(study->shortlist.front().trial.value);
    const TradeoffsView view = makeTradeoffsView(study, {});
    EXPECT_TRUE(view.figures[0].caption.startsWith(QStringLiteral("Not confirmed: ")))
        << view.figures[0].caption.toStdString();
    const QStringList lines = view.shortlist.split(QLatin1Char('\n'));
    ASSERT_EQ(lines.size(), 1 + static_cast<qsizetype>(study->shortlist.size())) << view.shortlist.toStdString();
    EXPECT_TRUE(lines[0].startsWith(QStringLiteral("No recommendation: "))) << lines[0].toStdString();
    EXPECT_TRUE(lines[1].startsWith(first)) << lines[1].toStdString();
    EXPECT_TRUE(makeTradeoffsView(testing::makeSyntheticStudy(), {}).shortlist.isEmpty());

    Fixture fixture;
    fixture.gateway->state.snapshot = study;
    ASSERT_TRUE(fixture.load(PageId::tradeoffs));
    EXPECT_EQ(fixture.context.session.selectedTrial(), study->shortlist.front().trial);
    std::optional<study::ResumeRequest> asked;
    fixture.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        asked = std::get<study::ResumeRequest>(what);
        return base::Result<Outcome>(Outcome::done);
    };
    auto* again = buttonOf(fixture.window, QStringLiteral("Measure again when quiet"));
    ASSERT_NE(again, nullptr);
    again->click();
    ASSERT_TRUE(fixture.settle());
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->study, study->study.id);
    EXPECT_TRUE(asked->budget) << "its own share was too little";
}

TEST(TradeoffsPage, WhatWasMeasuredUnderLoadIsMeasuredAgainByOneButton)
{
    Fixture fixture;
    const auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy());
    study->study.state = model::StudyState::finished;
    for (model::Trial& trial : study->trials) {
        trial.measurement.confirmation = 1;
        trial.measurement.conditions.contended = 0;
    }
    fixture.gateway->state.snapshot = study;
    ASSERT_TRUE(fixture.load(PageId::tradeoffs));
    const QString text = QStringLiteral("Measure again when quiet");
    EXPECT_EQ(buttonOf(fixture.window, text), nullptr) << "nothing disturbed it";

    const auto disturbed = std::make_shared<model::StudySnapshot>(*study);
    for (model::Trial& trial : disturbed->trials)
        trial.measurement.conditions.contended = static_cast<std::int64_t>(trial.measurement.blocks.size());
    fixture.gateway->change([&](WorkspaceState& state) {
        state.snapshot = disturbed;
        ++state.version;
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return buttonOf(fixture.window, text) != nullptr; }, 60000));
    std::optional<study::ResumeRequest> asked;
    fixture.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        asked = std::get<study::ResumeRequest>(what);
        return base::Result<Outcome>(Outcome::done);
    };
    buttonOf(fixture.window, text)->click();
    ASSERT_TRUE(fixture.settle());
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->study, study->study.id);
    EXPECT_GE(asked->quietWait, base::fromSeconds(60));
}

TEST(TradeoffsPage, TheModelAsLoadedIsNotShownAsARecommendation)
{
    const auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy());
    const auto loaded = std::find_if(study->trials.begin(), study->trials.end(), [](const model::Trial& trial) {
        return trial.state == model::TrialState::ok && trial.config.level == model::OptLevel::o0 &&
               trial.config.precision == model::Precision::fp32;
    });
    ASSERT_NE(loaded, study->trials.end());
    study->recommended = model::Recommendation{};
    study->recommended->trial = loaded->id;
    const TradeoffsView view = makeTradeoffsView(study, {});
    EXPECT_TRUE(view.figures[0].caption.startsWith(QStringLiteral("Nothing better than O0 fp32")))
        << view.figures[0].caption.toStdString();
    EXPECT_TRUE(view.figures[0].definition.contains(QStringLiteral("the model as loaded")));
    expectNoMainExport(study);
}

} // namespace
} // namespace apertune::gui
