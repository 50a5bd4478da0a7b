// SPDX-License-Identifier: GPL-3.0-or-later
// The page itself: opening, the timeline, stored traces. What it tells about a trace: trace_report_page_test.cpp.
#include "app/gui/pages/trace/events_tab.h"
#include "app/gui/pages/trace/names_tab.h"
#include "app/gui/pages/trace/timeline_tab.h"
#include "app/gui/presenters/name_table.h"
#include "app/gui/presenters/selection_view.h"
#include "app/gui/shell/drop_hint.h"
#include "app/gui/shell/options.h"
#include "core/timeline/timeline_matches.h"
#include "tests/app/gui/trace_bench.h"
#include "widgets/controls/label.h"
#include "widgets/controls/search_field.h"
#include "widgets/controls/tab_row.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_labels.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QPointer>
#include <QSplitter>

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::gui {

using testing::keep;
using testing::TraceFixture;

TEST(TracePage, ShowsARecordingWithItsFacts)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open());
    EXPECT_EQ(fixture.page()->title(), QStringLiteral("loop.json.gz"));
    EXPECT_TRUE(fixture.page()->facts().contains(QStringLiteral("12 iterations")))
        << fixture.page()->facts().toStdString();
    ASSERT_TRUE(fixture.timeline()->timeline());
    EXPECT_TRUE(fixture.timeline()->isVisible());
}

TEST(TracePage, ARecordingThatCannotBeReadSaysWhyAndWhatToDo)
{
    TraceFixture fixture;
    fixture.gateway->traceResult =
        base::plainError(base::ErrorCode::corrupt, "The recording ends in the middle of an event.", "loop.json.gz",
                         "Record it again, or copy it completely.");
    fixture.context.openTrace(QStringLiteral("/nowhere/loop.json.gz"));
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(fixture.shownText().contains(QStringLiteral("cannot be opened")));
    EXPECT_TRUE(fixture.shownText().contains(QStringLiteral("Record it again")));
    fixture.gateway->traceResult = testing::makeLoopTrace();
    ASSERT_TRUE(fixture.open()) << "and the next one opens";
}

TEST(TracePage, ASelectionFiltersTheStatisticsAndIsShownAsAChip)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open());
    const std::int64_t all = fixture.context.traces.statistics()->events;
    const trace::TimeRange range = fixture.timeline()->timeline()->iterations()[3].range;
    fixture.timeline()->setSelection(range);
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.context.traces.statistics()->range, range);
    EXPECT_LT(fixture.context.traces.statistics()->events, all / 6);
    QPushButton* chip = fixture.button(QStringLiteral("Time filter: %1. Press to remove it.").arg(filterText(range)));
    ASSERT_TRUE(chip);
    EXPECT_TRUE(chip->isVisible());
    chip->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_FALSE(fixture.timeline()->selection());
    EXPECT_EQ(fixture.context.traces.statistics()->events, all);
}

TEST(TracePage, TypingFindsAndEnterWalksThroughTheMatches)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open());
    auto* find = fixture.page()->timelineTab()->findChild<controls::SearchField*>();
    ASSERT_TRUE(find);
    find->setText(QStringLiteral("dtoh"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return fixture.button(QStringLiteral("Next match"))->isVisible(); }, 60000));
    QTest::keyClick(find, Qt::Key_Return);
    ASSERT_TRUE(fixture.timeline()->chosen());
    EXPECT_EQ(fixture.timeline()->timeline()->nameOf(*fixture.timeline()->chosen()), "Memcpy DtoH");
    find->setText(QStringLiteral("nothing is called so"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !fixture.button(QStringLiteral("Next match"))->isVisible(); }, 60000));
    fixture.page()->cancelOrClear();
    EXPECT_TRUE(find->text().isEmpty());
}

TEST(TracePage, AnExpressionBetweenSlashesFindsAndAWrongOneSaysWhy)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open());
    auto* find = fixture.page()->timelineTab()->findChild<controls::SearchField*>();
    find->setText(QStringLiteral("/memcpy (dtoh|htod)$/"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return fixture.button(QStringLiteral("Next match"))->isVisible(); }, 60000));
    QTest::keyClick(find, Qt::Key_Return);
    ASSERT_TRUE(fixture.timeline()->chosen());
    EXPECT_TRUE(fixture.timeline()->timeline()->nameOf(*fixture.timeline()->chosen()).starts_with("Memcpy "));
    find->setText(QStringLiteral("/memcpy (/"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !fixture.button(QStringLiteral("Next match"))->isVisible(); }, 60000));
    EXPECT_TRUE(fixture.shownText().contains(QStringLiteral("This is no regular expression: ")))
        << fixture.shownText().toStdString();
    ASSERT_TRUE(fixture.settle());
    for (const auto* label : fixture.page()->timelineTab()->findChildren<controls::Label*>())
        if (label->text().startsWith(QStringLiteral("This is no"))) {
            EXPECT_GE(label->width(), label->sizeHint().width()) << "the sentence has its width";
        }
    for (const theme::Preference preference : {theme::Preference::light, theme::Preference::dark}) {
        theme::Theme::instance().setPreference(preference);
        ASSERT_TRUE(fixture.settle());
        keep(fixture, preference == theme::Preference::dark ? QStringLiteral("trace-wrong-expression-dark")
                                                            : QStringLiteral("trace-wrong-expression-light"));
    }
}

TEST(TracePage, AClickOnATabGivesTheKeysToWhatItShowsAndArrowsStayOnTheTabs)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("bottleneck")));
    fixture.window.activateWindow();
    const auto tab = [&](const QString& text) {
        for (auto* button : fixture.page()->findChild<controls::TabRow*>()->findChildren<QAbstractButton*>())
            if (button->text() == text)
                return button;
        return static_cast<QAbstractButton*>(nullptr);
    };
    QTest::mouseClick(tab(QStringLiteral("Timeline")), Qt::LeftButton);
    ASSERT_EQ(QApplication::focusWidget(), fixture.timeline());
    const double before = fixture.timeline()->window().length();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
    EXPECT_LT(fixture.timeline()->window().length(), before);
    QTest::mouseClick(tab(QStringLiteral("Kernels")), Qt::LeftButton);
    EXPECT_EQ(QApplication::focusWidget(), fixture.page()->findChild<NamesTab*>()->findChild<tables::LeanTable*>());
    tab(QStringLiteral("Kernels"))->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
    EXPECT_TRUE(fixture.timeline()->isVisible());
    EXPECT_EQ(QApplication::focusWidget(), tab(QStringLiteral("Timeline")));
}

TEST(TracePage, TheTracksCanHaveTheWholeHeight)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open());
    const int before = fixture.timeline()->height();
    QPushButton* fold = fixture.button(QStringLiteral("Range and event below"));
    ASSERT_TRUE(fold && fold->isVisible());
    auto* split = fixture.page()->timelineTab()->findChild<QSplitter*>();
    ASSERT_TRUE(split);
    fold->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_GT(fixture.timeline()->height(), before + 150);
    fold->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.timeline()->height(), before);
    split->setSizes({before + 2000, 1}); // imitates a drag of the edge to the bottom
    ASSERT_TRUE(fixture.settle());
    EXPECT_GE(fixture.timeline()->height(), before);
    EXPECT_GE(split->sizes().front(), before);
}

TEST(TracePage, TheMenuOfAnEventCopiesFindsZoomsAndLeadsToTheTables)
{
    TraceFixture fixture;
    fixture.gateway->traceContext.traceId = 7;
    fixture.context.traces.wantTab(QStringLiteral("timeline"));
    fixture.context.traces.openStored("/nowhere/synthetic.apertune", store::TraceId{7}, QStringLiteral("loop"));
    ASSERT_TRUE(fixture.settle());
    timeline::TimelineWidget* timeline = fixture.timeline();
    const timeline::EventRef event = fixture.context.traces.statistics()->names.front().outlier;
    const QString name = theme::toQt(std::string(timeline->timeline()->nameOf(event)));
    const auto choose = [&](const QString& entry) {
        timeline->choose(event);
        Q_EMIT timeline->menuRequested(timeline->mapToGlobal(QPoint(10, 10)));
        QPointer<QMenu> menu = fixture.page()->timelineTab()->findChild<QMenu*>();
        bool found = false;
        for (QAction* action : menu ? menu->actions() : QList<QAction*>()) {
            if (action->text() == entry) {
                found = true;
                action->trigger();
                break;
            }
        }
        if (menu) {
            menu->close();
            delete menu;
        }
        return found;
    };
    ASSERT_TRUE(choose(QStringLiteral("Copy name")));
    EXPECT_EQ(QApplication::clipboard()->text(), name);
    EXPECT_FALSE(choose(QStringLiteral("Go to the longest of this name"))) << "it is the longest";
    ASSERT_TRUE(choose(QStringLiteral("Copy query (SQL)")));
    EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral("trace_id = 7")));
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("SELECT")));
    ASSERT_TRUE(choose(QStringLiteral("Copy the command that asks it")));
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("apertune workspace query")));
    ASSERT_TRUE(choose(QStringLiteral("Zoom to it")));
    EXPECT_NEAR(timeline->window().length(), 2.0 * static_cast<double>(timeline->timeline()->rangeOf(event).length()),
                1);
    ASSERT_TRUE(choose(QStringLiteral("Select its time")));
    EXPECT_EQ(timeline->selection(), timeline->timeline()->rangeOf(event));
    fixture.context.traces.setFilter(std::nullopt);
    ASSERT_TRUE(choose(QStringLiteral("Go to its launch")));
    EXPECT_NE(timeline->chosen(), event);
    ASSERT_TRUE(choose(QStringLiteral("Find all of this name")));
    ASSERT_TRUE(fixture.settle());
    const auto count = fixture.context.traces.statistics()->names.front().count;
    EXPECT_TRUE(fixture.shownText().contains(QStringLiteral("of %1").arg(count))) << fixture.shownText().toStdString();
    ASSERT_TRUE(choose(QStringLiteral("Show in the table of kernels and calls")));
    ASSERT_TRUE(fixture.settle());
    auto* names = fixture.page()->findChild<NamesTab*>();
    ASSERT_TRUE(names->isVisible());
    EXPECT_TRUE(
        names->findChild<tables::LeanTable*>()->currentIndex().data(Qt::ToolTipRole).toString().startsWith(name));
    ASSERT_TRUE(choose(QStringLiteral("Show all of this name in the list of events")));
    ASSERT_TRUE(fixture.settle());
    auto* events = fixture.page()->findChild<EventsTab*>();
    ASSERT_TRUE(events->isVisible());
    EXPECT_EQ(events->table()->model()->rowCount(), count);
}

TEST(TracePage, TheMenuOfAnEventLeadsToTheLongestOfItsName)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open());
    timeline::TimelineWidget* timeline = fixture.timeline();
    const auto& names = fixture.context.traces.statistics()->names;
    const auto name = std::find_if(names.begin(), names.end(), [](const auto& entry) { return entry.count > 1; });
    ASSERT_NE(name, names.end());
    const timeline::EventRef longest = name->outlier;
    timeline->setMatches(
        timeline::findMatches(*timeline->timeline(), timeline::wholeName(timeline->timeline()->nameOf(longest))));
    timeline->choose(longest);
    ASSERT_TRUE(timeline->stepMatch(true));
    ASSERT_NE(timeline->chosen(), longest);
    Q_EMIT timeline->menuRequested(timeline->mapToGlobal(QPoint(10, 10)));
    QPointer<QMenu> menu = fixture.page()->timelineTab()->findChild<QMenu*>();
    ASSERT_TRUE(menu);
    for (QAction* action : menu->actions())
        if (action->text() == QStringLiteral("Go to the longest of this name"))
            action->trigger();
    delete menu;
    EXPECT_EQ(timeline->chosen(), longest);
}

TEST(TracePage, AnotherViewMayAskForARangeOrAnEvent)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open());
    fixture.context.traces.show(trace::TimeRange{5'000'000, 6'000'000});
    EXPECT_EQ(fixture.timeline()->selection(), (trace::TimeRange{5'000'000, 6'000'000}));
    EXPECT_NEAR(fixture.timeline()->window().length(), 1'100'000, 10);
    const timeline::EventRef outlier = fixture.context.traces.statistics()->names.front().outlier;
    fixture.context.traces.show(outlier);
    EXPECT_EQ(fixture.timeline()->chosen(), outlier);
}

TEST(TracePage, ARowOfTheKernelTableLeadsToItsLongestEvent)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("kernels")));
    auto* names = fixture.page()->findChild<NamesTab*>();
    ASSERT_TRUE(names && names->isVisible()) << "the part that was asked for is shown first";
    auto* table = names->findChild<tables::LeanTable*>();
    ASSERT_GT(table->model()->rowCount(), 5);
    ASSERT_FALSE(fixture.timeline()->timeline()->iterations().empty());
    const QString iteration = theme::toQt(fixture.timeline()->timeline()->iterations().front().label);
    const auto every = nameRows(*fixture.timeline()->timeline(), *fixture.context.traces.statistics());
    EXPECT_TRUE(std::none_of(every.begin(), every.end(), [&](const auto& row) {
        return row.cells[0].text == iteration;
    })) << "iterations are no work of their own";
    ASSERT_TRUE(fixture.settle()); // the page loads the durations of the first row
    keep(fixture, QStringLiteral("trace-kernels-dark-1280"));
    table->setCurrentIndex(table->model()->index(1, 0));
    ASSERT_TRUE(fixture.settle());
    Q_EMIT table->activated(table->currentIndex());
    EXPECT_TRUE(fixture.timeline()->isVisible());
    ASSERT_TRUE(fixture.timeline()->chosen());
    const QString name = trace_views::shortName(fixture.timeline()->timeline()->nameOf(*fixture.timeline()->chosen()));
    EXPECT_TRUE(name.startsWith(table->model()->index(1, 0).data().toString().section(QChar(0x2026), 0, 0)))
        << name.toStdString();
}

TEST(TracePage, MipsOfAStoredTraceAreKeptOnce)
{
    TraceFixture fixture;
    const auto open = [&](bool withoutMips) {
        fixture.gateway->withoutMips = withoutMips;
        fixture.gateway->mipsKept = 0;
        fixture.context.traces.openStored("/nowhere/synthetic.apertune", store::TraceId{4},
                                          QStringLiteral("trial 118"));
        return fixture.settle();
    };
    ASSERT_TRUE(open(true));
    ASSERT_TRUE(QTest::qWaitFor([&] { return fixture.gateway->mipsKept == 4; }, 60000));
    ASSERT_TRUE(open(false));
    EXPECT_EQ(fixture.gateway->mipsKept, 0);
}

TEST(TracePage, LossesStandAboveTheNumbersTheyTouch)
{
    TraceFixture fixture;
    trace::Trace trace = **fixture.gateway->traceResult;
    trace.losses.push_back(
        {{}, trace::EventKind::kernel, 7, trace::LossSeverity::warning, base::foreignText("Buffers were full.")});
    fixture.gateway->traceResult = std::make_shared<const trace::Trace>(std::move(trace));
    ASSERT_TRUE(fixture.open());
    EXPECT_TRUE(fixture.shownText().contains(QStringLiteral("Buffers were full. (7 events)")));
}

TEST(TracePage, StoredTracesAreListedAndOpenAlsoWhileAnotherIsOpen)
{
    TraceFixture fixture;
    const auto list = [&]() -> tables::LeanTable* {
        for (auto* table : fixture.page()->findChildren<tables::LeanTable*>())
            if (table->isVisible() && table->model()->rowCount() == 1)
                return table;
        return nullptr;
    };
    store::TraceSummary summary;
    summary.id = store::TraceId{4};
    summary.name = "trial 118";
    fixture.gateway->traceList = {summary};
    ASSERT_TRUE(fixture.settle());
    ASSERT_TRUE(QTest::qWaitFor([&] { return list() != nullptr; }, 60000));
    Q_EMIT list()->activated(list()->model()->index(0, 0));
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.page()->title().toStdString(), fixture.context.traces.timeline()->trace().name);

    EXPECT_EQ(list(), nullptr);
    fixture.page()->headerActions().front()->trigger();
    ASSERT_NE(list(), nullptr) << "all traces";
    fixture.page()->cancelOrClear();
    EXPECT_EQ(list(), nullptr) << "and back";
    fixture.page()->headerActions().front()->trigger();
    Q_EMIT list()->activated(list()->model()->index(0, 0));
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(list(), nullptr);
}

TEST(TracePage, DroppingARecordingOpensItAndTheArgumentsNameOne)
{
    EXPECT_TRUE(DropHint::actionFor(QStringLiteral("/x/run.pt.trace.json.gz")).contains(QStringLiteral("recording")));
    TraceFixture fixture;
    fixture.window.showPage(PageId::start);
    fixture.context.openFile(QStringLiteral("/x/run.pt.trace.json.gz"));
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::trace);
    const auto options =
        parseOptions({QStringLiteral("run.json.gz"), QStringLiteral("--tab"), QStringLiteral("timeline")});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->trace, QStringLiteral("run.json.gz"));
    EXPECT_EQ(options->tab, QStringLiteral("timeline"));
}

TEST(TracePage, GrabsForPeopleToLookAt)
{
    for (const theme::Preference preference : {theme::Preference::light, theme::Preference::dark}) {
        theme::Theme::instance().setPreference(preference);
        const QString scheme = preference == theme::Preference::dark ? QStringLiteral("dark") : QStringLiteral("light");
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
            TraceFixture fixture(size);
            ASSERT_TRUE(fixture.open());
            const QString suffix = QStringLiteral("-%1-%2").arg(scheme).arg(size.width());
            fixture.timeline()->setSelection(fixture.timeline()->timeline()->iterations()[4].range);
            ASSERT_TRUE(fixture.settle());
            keep(fixture, QStringLiteral("trace-timeline") + suffix);
            fixture.timeline()->choose(fixture.context.traces.statistics()->names.front().outlier);
            fixture.timeline()->showWindow({16'900'000, 17'600'000});
            QCoreApplication::processEvents();
            keep(fixture, QStringLiteral("trace-close") + suffix);
            EXPECT_TRUE(fixture.timeline()->chosen());
        }
    }
}

} // namespace apertune::gui
