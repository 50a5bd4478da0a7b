// SPDX-License-Identifier: GPL-3.0-or-later
// The shell: shortcuts, the offer to resume, closing while a job runs, the picture for --screenshot.
#include "app/gui/presenters/stage_view.h"
#include "app/gui/screenshot.h"
#include "core/pipeline/summary.h"
#include "tests/app/gui/bench.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/controls/info_bar.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/lean_table.h"
#include "widgets/timeline/share_bar.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QCheckBox>
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
#include <thread>

namespace apertune::gui {
namespace {

using base::Outcome;
using testing::Bench;

QPushButton* buttonOf(const QWidget& widget, const QString& text)
{
    for (auto* button : widget.findChildren<QPushButton*>()) {
        if (button->text() == text && button->isVisibleTo(&widget)) {
            return button;
        }
    }
    return nullptr;
}

void interrupt(WorkspaceState& state, int remaining)
{
    ++state.version;
    state.studies.front().state = remaining > 0 ? model::StudyState::interrupted : model::StudyState::finished;
    state.studies.front().remaining = remaining;
}

/// A sweep that goes on until it is told to stop.
void runUntilStopped(Bench& bench)
{
    bench.gateway->sweepScript = [](const auto&, const auto&, std::stop_token stop) {
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return base::Result<Outcome>(Outcome::cancelled);
    };
    engine::StudyRequest request;
    request.model.name = "resnet50";
    ASSERT_TRUE(bench.context.jobs.startSweep(request));
}

TEST(Shortcuts, CtrlAndADigitShowThePages)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::start));
    bench.window.activateWindow();
    for (int i = kPageCount - 2; i >= 0; --i) {
        QTest::keyClick(&bench.window, static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
        EXPECT_EQ(bench.window.currentPage()->id(), static_cast<PageId>(i));
    }
    QTest::keyClick(&bench.window, Qt::Key_Comma, Qt::ControlModifier);
    EXPECT_EQ(bench.window.currentPage()->id(), PageId::settings);
}

TEST(Shortcuts, CtrlKFindsATrialAndEnterShowsIt)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::start));
    bench.window.activateWindow();
    QTest::keyClick(&bench.window, Qt::Key_K, Qt::ControlModifier);
    auto* field = bench.window.findChild<controls::SearchField*>();
    ASSERT_NE(field, nullptr);
    EXPECT_TRUE(field->hasFocus());
    const model::Trial& trial = bench.gateway->state.snapshot->trials[4];
    QTest::keyClicks(field, QStringLiteral("t%1 ").arg(trial.id.value));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(bench.window.currentPage()->id(), PageId::trial);
    EXPECT_EQ(bench.context.session.selectedTrial(), trial.id);
}

TEST(TrialPage, ShowsWhatTheTrialDidUnderLoadWithItsIntervals)
{
    Bench bench;
    const auto panel = [&]() -> controls::Panel* {
        for (auto* candidate : bench.window.findChildren<controls::Panel*>())
            if (candidate->isVisible() && candidate->findChild<QLabel*>() &&
                candidate->findChild<QLabel*>()->text() == QStringLiteral("Under load"))
                return candidate;
        return nullptr;
    };
    ASSERT_TRUE(bench.load(PageId::trial));
    EXPECT_EQ(panel(), nullptr);
    bench.gateway->loads = {
        {1, "server", "2026-03-14T09:30:00Z",
         R"({"scenario": {"kind": "server", "rate": 120.5, "bound_ns": 50000000, "percentile": 0.99},
             "summary": {"queries": 1200, "answered": 1200, "busy": 0.8,
                         "samples_per_s": {"value": 120.1, "lo": 119.1, "hi": 121.1, "confidence": 0.95},
                         "latency_ms": {"value": 41.5, "lo": 40, "hi": 43, "confidence": 0.95}},
             "capacity": {"predicted": 130, "holds": 120.5, "fails": 125}})"},
        {2, "camera", "2026-03-14T09:31:00Z",
         R"({"scenario": {"kind": "camera", "cameras": 4, "fps": 25},
             "summary": {"queries": 100, "answered": 98, "frames": {"late": 3, "dropped": 2, "miss_share": 0.05,
                         "stalest_ms": 120}}, "capacity": null})"},
        {3, "offline", "2026-03-14T09:32:00Z", "not JSON"}};
    bench.context.session.selectTrial(bench.gateway->state.snapshot->trials[3].id);
    ASSERT_TRUE(bench.settle());
    ASSERT_NE(panel(), nullptr);
    const auto* table = panel()->findChild<QAbstractItemView*>();
    ASSERT_NE(table, nullptr);
    QStringList rows;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            cells << table->model()->index(row, column).data().toString();
        rows << cells.join(QLatin1Char('|'));
    }
    ASSERT_EQ(rows.size(), 2);
    EXPECT_TRUE(rows[0].startsWith(QStringLiteral("camera|4 camera"))) << rows[0].toStdString();
    EXPECT_TRUE(rows[0].contains(QStringLiteral("5.000 %"))) << rows[0].toStdString();
    EXPECT_TRUE(rows[1].contains(QStringLiteral("120.1 ± 1.0"))) << rows[1].toStdString();
    EXPECT_TRUE(rows[1].contains(QStringLiteral("p99 ≤ 50.0 ms"))) << rows[1].toStdString();
}

TEST(TrialPage, SaysWhatTheAnswersAreWorthAndWhichLayersCostIt)
{
    Bench bench;
    bench.gateway->judged = {{1, "accuracy", "2026-03-14T09:30:00Z",
                              R"({"pictures": "/data/val", "samples": 500, "skipped": 0, "metrics": [{"name": "top1",
             "measured": {"value": 0.7, "lo": 0.66, "hi": 0.74}, "imported": {"value": 0.75, "lo": 0.71, "hi": 0.79},
             "change": {"value": -0.05, "lo": -0.07, "hi": -0.03}}]})"},
                             {2, "sensitivity", "2026-03-14T09:31:00Z",
                              R"({"calibration": "64 generated samples", "samples": 4, "all": 0.976, "layers": [
             {"name": "features.1", "kind": "Convolution", "only": 0.98, "without": 0.995},
             {"name": "head", "kind": "MatMul", "only": 1.0, "without": 0.976}]})"},
                             {3, "sensitivity", "2026-03-14T09:32:00Z", "not JSON"}};
    ASSERT_TRUE(bench.load(PageId::trial));
    ASSERT_TRUE(bench.settle());
    QStringList cells;
    for (const auto* table : bench.window.findChildren<QAbstractItemView*>())
        if (table->isVisible())
            for (int row = 0; row < table->model()->rowCount(); ++row)
                for (int column = 0; column < table->model()->columnCount(); ++column)
                    cells << table->model()->index(row, column).data().toString();
    const QString all = cells.join(QLatin1Char('|'));
    EXPECT_TRUE(all.contains(QStringLiteral("top-1|70.0 % [66.0, 74.0]|75.0 % [71.0, 79.0]|-5.00 % [-7.00, -3.00]")))
        << all.toStdString();
    EXPECT_TRUE(all.contains(QStringLiteral("features.1|Convolution|0.020|0.0050|head|MatMul|0|0.024")))
        << all.toStdString();
}

TEST(TrialPage, AStageBarIsTheHeadlineOfATrialThatRanFromImageToAnswer)
{
    pipeline::Summary summary;
    summary.images = 100;
    summary.passes = 100;
    summary.span = base::fromSeconds(2);
    summary.perSecond = {50, 49, 51, 0.95};
    summary.latencyNs = {40e6, 39e6, 41e6, 0.95};
    const std::array<double, pipeline::kStageCount> ms{4, 3, 1, 10, 1, 1};
    for (std::size_t i = 0; i < ms.size(); ++i)
        summary.stages[i] = {{ms[i] * 1e6, ms[i] * 0.9e6, ms[i] * 1.1e6, 0.95}, ms[i] * 1e6, 0.5};
    summary.busy[static_cast<std::size_t>(pipeline::serverOf(pipeline::Stage::infer))] = 0.99;
    const base::Json document{{"plan", toJson(pipeline::Plan())},
                              {"summary", toJson(summary)},
                              {"batch", 1},
                              {"images", 8},
                              {"source", "made, 640 x 480"},
                              {"reading", "softmax, top 5"},
                              {"model_only_ms", {{"value", 9}, {"lo", 8.9}, {"hi", 9.1}, {"confidence", 0.95}}}};
    const auto view = makeStageView({{1, "", document.dump()}, {2, "", "not JSON"}});
    ASSERT_TRUE(view);
    ASSERT_EQ(view->parts.size(), 6U);
    EXPECT_EQ(view->parts[3].name, QStringLiteral("Infer"));
    EXPECT_NEAR(view->parts[3].share, 0.5, 1e-9);
    EXPECT_TRUE(view->rate.startsWith(QStringLiteral("50"))) << view->rate.toStdString();
    EXPECT_TRUE(view->modelOnly.contains(QStringLiteral("9.00 ± 0.10 ms"))) << view->modelOnly.toStdString();
    EXPECT_FALSE(makeStageView({}));

    Bench bench;
    ASSERT_TRUE(bench.load(PageId::trial));
    auto* bar = bench.window.currentPage()->findChild<timeline::ShareBar*>();
    ASSERT_NE(bar, nullptr);
    EXPECT_FALSE(bar->isVisible());
    bench.gateway->stages = {{1, "2026-03-14T09:30:00Z", document.dump()}};
    bench.context.session.selectTrial(bench.gateway->state.snapshot->trials[3].id);
    ASSERT_TRUE(bench.settle());
    EXPECT_TRUE(bar->isVisible());
    EXPECT_TRUE(bar->accessibleName().contains(QStringLiteral("Infer 10")));
}

TEST(TrialPage, HardwareCountersAreOfferedWhereTheyCanBeReadAndElseSayWhyNot)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::trial));
    auto* counters = bench.window.currentPage()->findChild<QCheckBox*>();
    ASSERT_NE(counters, nullptr);
    EXPECT_FALSE(counters->isEnabled());
    EXPECT_TRUE(counters->toolTip().contains(QStringLiteral("CPU"))) << counters->toolTip().toStdString();

    // The same trial on a GPU whose driver keeps its counters to administrators, and then does not.
    bench.gateway->change([](WorkspaceState& state) {
        auto snapshot = std::make_shared<model::StudySnapshot>(*state.snapshot);
        for (model::Trial& trial : snapshot->trials) {
            trial.device = "cuda:0";
        }
        state.snapshot = std::move(snapshot);
        ++state.version;
    });
    Machine machine = bench.gateway->machine;
    machine.capabilities = {{"hardware counters", false, "For administrators only.", "Run as root."}};
    bench.context.session.setMachine(machine);
    ASSERT_TRUE(QTest::qWaitFor([&] { return counters->toolTip().contains(QStringLiteral("administrators")); }, 60000))
        << counters->toolTip().toStdString();
    EXPECT_FALSE(counters->isEnabled());
    EXPECT_TRUE(counters->toolTip().contains(QStringLiteral("Run as root.")));
    machine.capabilities.front() = {"hardware counters", true, {}, {}};
    bench.context.session.setMachine(machine);
    ASSERT_TRUE(bench.settle());
    ASSERT_TRUE(counters->isEnabled());

    bench.gateway->traceResult = testing::makeLoopTrace();
    counters->setChecked(true);
    buttonOf(*bench.window.currentPage(), QStringLiteral("Trace it"))->click();
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.window.currentPage()->id(), PageId::trace);
    QString shown;
    for (const QLabel* label : bench.window.findChildren<QLabel*>()) {
        shown += label->isVisible() ? label->text() : QString();
    }
    EXPECT_TRUE(shown.contains(QStringLiteral("Without hardware counters: The driver keeps them to itself.")));
}

TEST(Shortcuts, EscapeClearsTheSelectionAndCtrlEnterStartsTheSweep)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::tradeoffs));
    bench.window.activateWindow();
    ASSERT_NE(bench.context.session.trial(), nullptr);
    QTest::keyClick(&bench.window, Qt::Key_Escape);
    EXPECT_EQ(bench.context.session.trial(), nullptr);
    bench.window.showPage(PageId::sweep);
    ASSERT_TRUE(bench.settle());
    QTest::keyClick(&bench.window, Qt::Key_Return, Qt::ControlModifier);
    EXPECT_TRUE(bench.context.jobs.state().busy());
    EXPECT_EQ(bench.window.currentPage()->id(), PageId::live);
    EXPECT_TRUE(bench.settle());
}

TEST(SweepPage, TheSearchThatIsChosenIsExplainedAndSwept)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::sweep));
    std::string swept = "none";
    bench.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        swept = std::get<engine::StudyRequest>(what).space.search;
        return base::Result<Outcome>(Outcome::done);
    };
    for (auto* chip : bench.window.currentPage()->findChildren<QAbstractButton*>()) {
        if (chip->text() == QStringLiteral("grid")) {
            chip->click();
            EXPECT_TRUE(chip->isChecked());
            bool told = false;
            for (const auto* label : bench.window.currentPage()->findChildren<QLabel*>()) {
                told = told || (label->isVisible() && label->text() == chip->toolTip());
            }
            EXPECT_TRUE(told);
        }
    }
    ASSERT_TRUE(bench.settle());
    QTest::keyClick(&bench.window, Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(swept, "grid");
}

TEST(Resume, AReopenedWorkspaceOffersToResumeAndDoesIt)
{
    Bench bench;
    interrupt(bench.gateway->state, 5);
    ASSERT_TRUE(bench.load(PageId::start));
    EXPECT_TRUE(bench.window.infoBar()->isVisible());
    EXPECT_TRUE(bench.window.infoBar()->message().text.contains(QStringLiteral("5 of")));
    model::StudyId resumed{};
    bench.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        resumed = std::get<model::StudyId>(what);
        bench.gateway->change([](WorkspaceState& state) { interrupt(state, 0); });
        return base::Result<Outcome>(Outcome::done);
    };
    QPushButton* resume = buttonOf(*bench.window.infoBar(), QStringLiteral("Resume"));
    ASSERT_NE(resume, nullptr);
    resume->click();
    EXPECT_EQ(bench.window.currentPage()->id(), PageId::live);
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(resumed, bench.gateway->state.studies.front().id);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return !bench.window.infoBar()->message().text.contains(QStringLiteral("interrupted")); }, 60000));
}

TEST(Resume, DismissedOnceIsDismissed)
{
    Bench bench;
    interrupt(bench.gateway->state, 5);
    ASSERT_TRUE(bench.load(PageId::start));
    ASSERT_TRUE(bench.window.infoBar()->isVisible());
    auto buttons = bench.window.infoBar()->findChildren<QPushButton*>();
    buttons.last()->click();
    EXPECT_FALSE(bench.window.infoBar()->isVisible());
    const int before = bench.gateway->reads;
    bench.gateway->change([](WorkspaceState& state) { ++state.version; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.gateway->reads >= before + 2; }, 60000));
    EXPECT_FALSE(bench.window.infoBar()->isVisible());
}

TEST(Resume, AStudyThatIsFinishedOrRunningIsNotOffered)
{
    Bench bench;
    bench.gateway->state.studies.front().state = model::StudyState::running;
    bench.gateway->state.studies.front().remaining = 5;
    ASSERT_TRUE(bench.load(PageId::start));
    EXPECT_FALSE(bench.window.infoBar()->isVisible());
}

TEST(Closing, AnIdleWindowClosesAtOnce)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::start));
    EXPECT_TRUE(bench.window.close());
    EXPECT_FALSE(bench.settings.windowGeometry().isEmpty());
}

TEST(Closing, MidSweepItAsksAndCanBeKeptOpen)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::live));
    runUntilStopped(bench);
    EXPECT_FALSE(bench.window.close());
    auto* question = bench.window.findChild<QMessageBox*>();
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(question->isVisible());
    EXPECT_TRUE(question->text().contains(QStringLiteral("resnet50")));
    QTest::keyClick(question, Qt::Key_Escape);
    EXPECT_TRUE(bench.window.isVisible());
    EXPECT_EQ(bench.context.jobs.state().stop, JobState::Stop::no) << "nothing was stopped";
    bench.context.jobs.requestStop(JobState::Stop::now);
    ASSERT_TRUE(bench.settle());
}

TEST(Closing, MidSweepItStopsTheSweepAndThenCloses)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::live));
    runUntilStopped(bench);
    EXPECT_FALSE(bench.window.close());
    EXPECT_FALSE(bench.window.close()) << "asking twice asks once";
    ASSERT_EQ(bench.window.findChildren<QMessageBox*>().size(), 1);
    QPushButton* stop = buttonOf(*bench.window.findChild<QMessageBox*>(), QStringLiteral("Stop and close"));
    ASSERT_NE(stop, nullptr);
    stop->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !bench.window.isVisible(); }, 60000));
    EXPECT_FALSE(bench.context.jobs.state().busy());
}

QMenu* menuOfFirstStudy(Bench& bench)
{
    for (auto* table : bench.window.findChildren<tables::LeanTable*>()) {
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
    for (QAction* action : menu.actions()) {
        if (action->text().startsWith(start)) {
            return action;
        }
    }
    return nullptr;
}

TEST(StartPage, DeletingAStudyAsksFirst)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::start));
    for (const bool agree : {false, true}) {
        const QPointer<QMenu> menu = menuOfFirstStudy(bench); // deletes itself
        ASSERT_NE(menu, nullptr);
        QAction* remove = entryOf(*menu, QStringLiteral("Delete “resnet50"));
        ASSERT_NE(remove, nullptr);
        EXPECT_EQ(entryOf(*menu, QStringLiteral("Resume")), nullptr) << "a finished study has nothing to resume";
        remove->trigger();
        if (menu) {
            menu->close();
        }
        auto* question = bench.window.findChild<QMessageBox*>();
        ASSERT_NE(question, nullptr);
        buttonOf(*question, agree ? QStringLiteral("Delete") : QStringLiteral("Keep"))->click();
        ASSERT_TRUE(bench.settle());
        EXPECT_EQ(bench.gateway->deleted, agree ? bench.gateway->state.studies.front().id.value : 0);
    }
}

TEST(StartPage, NothingIsDeletedUnderARunningSweep)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::start));
    runUntilStopped(bench);
    const QPointer<QMenu> menu = menuOfFirstStudy(bench); // deletes itself
    ASSERT_NE(menu, nullptr);
    EXPECT_FALSE(entryOf(*menu, QStringLiteral("Delete"))->isEnabled());
    menu->close();
    bench.context.jobs.requestStop(JobState::Stop::now);
    ASSERT_TRUE(bench.settle());
}

struct Pictured : Bench
{
    QString file = dir.filePath(QStringLiteral("window.png"));
    Screenshot screenshot{context, window, file};
    QSignalSpy ended{&screenshot, &Screenshot::ended};

    int code()
    {
        screenshot.start();
        return QTest::qWaitFor([this] { return ended.count() > 0; }, 10000) ? ended.front().at(0).toInt() : -1;
    }
    QString message() const { return ended.front().at(1).toString(); }
};

TEST(Picture, IsWrittenOnceTheDataIsThere)
{
    Pictured bench;
    ASSERT_TRUE(bench.load(PageId::tradeoffs));
    EXPECT_EQ(bench.code(), 0);
    EXPECT_EQ(QImage(bench.file).size(), QSize(1280, 800));
}

TEST(Picture, OfAWorkspaceThatIsNotThereFailsAndSaysWhatToDo)
{
    Pictured bench;
    bench.gateway->state = {};
    bench.gateway->state.exists = false;
    bench.screenshot.setWorkspaceNamed(true);
    ASSERT_TRUE(bench.load(PageId::tradeoffs));
    EXPECT_EQ(bench.code(), 1);
    EXPECT_TRUE(bench.message().contains(QStringLiteral("There is no workspace /nowhere/synthetic.apertune")));
    EXPECT_FALSE(QFile::exists(bench.file));
}

TEST(Picture, OfTheDefaultWorkspaceBeforeItsFirstStudyIsThatOfAFreshStart)
{
    Pictured bench;
    bench.gateway->state = {};
    bench.gateway->state.exists = false;
    ASSERT_TRUE(bench.load(PageId::start));
    EXPECT_EQ(bench.code(), 0);
}

TEST(Picture, OfADamagedWorkspaceFails)
{
    Pictured bench;
    bench.gateway->readError = base::Error{base::ErrorCode::corrupt, "The file is damaged.", {}, "Use a copy."};
    ASSERT_TRUE(bench.load(PageId::start));
    EXPECT_EQ(bench.code(), 1);
    EXPECT_TRUE(bench.message().contains(QStringLiteral("damaged")));
}

TEST(Picture, ThatCannotBeWrittenFails)
{
    Pictured bench;
    Screenshot elsewhere(bench.context, bench.window, QStringLiteral("/proc/no/such/place.png"));
    QSignalSpy ended(&elsewhere, &Screenshot::ended);
    ASSERT_TRUE(bench.load(PageId::start));
    elsewhere.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return ended.count() > 0; }, 60000));
    EXPECT_EQ(ended.front().at(0).toInt(), 1);
}

} // namespace
} // namespace apertune::gui
