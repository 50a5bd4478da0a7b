// SPDX-License-Identifier: GPL-3.0-or-later
// The page itself: opening, the timeline, stored traces. What it tells about a trace: trace_report_page_test.cpp.
#include "app/gui/drop_hint.h"
#include "app/gui/options.h"
#include "app/gui/pages/names_tab.h"
#include "app/gui/pages/timeline_tab.h"
#include "app/gui/presenters/name_table.h"
#include "app/gui/presenters/selection_view.h"
#include "tests/app/gui/trace_bench.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_words.h"

#include <gtest/gtest.h>

namespace apertune::gui {

using testing::keep;
using testing::TraceBench;

TEST(TracePage, ShowsARecordingWithItsFacts)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open());
    EXPECT_EQ(bench.page()->title(), QStringLiteral("loop.json.gz"));
    EXPECT_TRUE(bench.page()->facts().contains(QStringLiteral("12 iterations"))) << bench.page()->facts().toStdString();
    ASSERT_TRUE(bench.timeline()->timeline());
    EXPECT_TRUE(bench.timeline()->isVisible());
}

TEST(TracePage, ARecordingThatCannotBeReadSaysWhyAndWhatToDo)
{
    TraceBench bench;
    bench.gateway->traceResult = base::Error{base::ErrorCode::corrupt, "The recording ends in the middle of an event.",
                                             "loop.json.gz", "Record it again, or copy it completely."};
    bench.context.openTrace(QStringLiteral("/nowhere/loop.json.gz"));
    ASSERT_TRUE(bench.settle());
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("cannot be opened")));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("Record it again")));
    bench.gateway->traceResult = testing::makeLoopTrace();
    ASSERT_TRUE(bench.open()) << "and the next one opens";
}

TEST(TracePage, ASelectionFiltersTheStatisticsAndIsShownAsAChip)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open());
    const std::int64_t all = bench.context.traces.statistics()->events;
    const trace::TimeRange range = bench.timeline()->timeline()->iterations()[3].range;
    bench.timeline()->setSelection(range);
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.context.traces.statistics()->range, range);
    EXPECT_LT(bench.context.traces.statistics()->events, all / 6);
    QPushButton* chip = bench.button(QStringLiteral("Time filter: %1. Press to remove it.").arg(filterText(range)));
    ASSERT_TRUE(chip);
    EXPECT_TRUE(chip->isVisible());
    chip->click();
    ASSERT_TRUE(bench.settle());
    EXPECT_FALSE(bench.timeline()->selection());
    EXPECT_EQ(bench.context.traces.statistics()->events, all);
}

TEST(TracePage, TypingFindsAndEnterWalksThroughTheMatches)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open());
    auto* find = bench.page()->timelineTab()->findChild<controls::SearchField*>();
    ASSERT_TRUE(find);
    find->setText(QStringLiteral("dtoh"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.button(QStringLiteral("Next match"))->isVisible(); }, 60000));
    QTest::keyClick(find, Qt::Key_Return);
    ASSERT_TRUE(bench.timeline()->chosen());
    EXPECT_EQ(bench.timeline()->timeline()->nameOf(*bench.timeline()->chosen()), "Memcpy DtoH");
    find->setText(QStringLiteral("nothing is called so"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !bench.button(QStringLiteral("Next match"))->isVisible(); }, 60000));
    bench.page()->cancelOrClear();
    EXPECT_TRUE(find->text().isEmpty());
}

TEST(TracePage, AnotherViewMayAskForARangeOrAnEvent)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open());
    bench.context.traces.show(trace::TimeRange{5'000'000, 6'000'000});
    EXPECT_EQ(bench.timeline()->selection(), (trace::TimeRange{5'000'000, 6'000'000}));
    EXPECT_NEAR(bench.timeline()->window().length(), 1'100'000, 10);
    const timeline::EventRef outlier = bench.context.traces.statistics()->names.front().outlier;
    bench.context.traces.show(outlier);
    EXPECT_EQ(bench.timeline()->chosen(), outlier);
}

TEST(TracePage, ARowOfTheKernelTableLeadsToItsLongestEvent)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("kernels")));
    auto* names = bench.page()->findChild<NamesTab*>();
    ASSERT_TRUE(names && names->isVisible()) << "the part that was asked for is shown first";
    auto* table = names->findChild<tables::LeanTable*>();
    ASSERT_GT(table->model()->rowCount(), 5);
    ASSERT_FALSE(bench.timeline()->timeline()->iterations().empty());
    const QString iteration = theme::toQt(bench.timeline()->timeline()->iterations().front().label);
    const auto every = nameRows(*bench.timeline()->timeline(), *bench.context.traces.statistics());
    EXPECT_TRUE(std::none_of(every.begin(), every.end(), [&](const auto& row) {
        return row.cells[0].text == iteration;
    })) << "iterations are no work of their own";
    ASSERT_TRUE(bench.settle()); // the durations of the first row
    keep(bench, QStringLiteral("trace-kernels-dark-1280"));
    table->setCurrentIndex(table->model()->index(1, 0));
    ASSERT_TRUE(bench.settle());
    Q_EMIT table->activated(table->currentIndex());
    EXPECT_TRUE(bench.timeline()->isVisible());
    ASSERT_TRUE(bench.timeline()->chosen());
    const QString name = timeline::shortName(bench.timeline()->timeline()->nameOf(*bench.timeline()->chosen()));
    EXPECT_TRUE(name.startsWith(table->model()->index(1, 0).data().toString().section(QChar(0x2026), 0, 0)))
        << name.toStdString();
}

TEST(TracePage, MipsOfAStoredTraceAreKeptOnce)
{
    TraceBench bench;
    const auto open = [&](bool withoutMips) {
        bench.gateway->withoutMips = withoutMips;
        bench.gateway->mipsKept = 0;
        bench.context.traces.openStored("/nowhere/synthetic.apertune", store::TraceId{4}, QStringLiteral("trial 118"));
        return bench.settle();
    };
    ASSERT_TRUE(open(true));
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.gateway->mipsKept == 4; }, 60000));
    ASSERT_TRUE(open(false));
    EXPECT_EQ(bench.gateway->mipsKept, 0);
}

TEST(TracePage, LossesStandAboveTheNumbersTheyTouch)
{
    TraceBench bench;
    trace::Trace trace = **bench.gateway->traceResult;
    trace.losses.push_back({{}, trace::EventKind::kernel, 7, trace::Severity::warning, "Buffers were full."});
    bench.gateway->traceResult = std::make_shared<const trace::Trace>(std::move(trace));
    ASSERT_TRUE(bench.open());
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("Buffers were full. (7 events)")));
}

TEST(TracePage, StoredTracesAreListedAndOpenAlsoWhileAnotherIsOpen)
{
    TraceBench bench;
    const auto list = [&]() -> tables::LeanTable* {
        for (auto* table : bench.page()->findChildren<tables::LeanTable*>())
            if (table->isVisible() && table->model()->rowCount() == 1)
                return table;
        return nullptr;
    };
    store::TraceSummary summary;
    summary.id = store::TraceId{4};
    summary.name = "trial 118";
    bench.gateway->traceList = {summary};
    ASSERT_TRUE(bench.settle());
    ASSERT_TRUE(QTest::qWaitFor([&] { return list() != nullptr; }, 60000));
    Q_EMIT list()->activated(list()->model()->index(0, 0));
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.page()->title().toStdString(), bench.context.traces.timeline()->trace().name);

    EXPECT_EQ(list(), nullptr);
    bench.page()->headerActions().front()->trigger();
    ASSERT_NE(list(), nullptr) << "all traces";
    bench.page()->cancelOrClear();
    EXPECT_EQ(list(), nullptr) << "and back";
    bench.page()->headerActions().front()->trigger();
    Q_EMIT list()->activated(list()->model()->index(0, 0));
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(list(), nullptr);
}

TEST(TracePage, DroppingARecordingOpensItAndTheArgumentsNameOne)
{
    EXPECT_TRUE(DropHint::actionFor(QStringLiteral("/x/run.pt.trace.json.gz")).contains(QStringLiteral("recording")));
    TraceBench bench;
    bench.window.showPage(PageId::start);
    bench.context.openFile(QStringLiteral("/x/run.pt.trace.json.gz"));
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.window.currentPage()->id(), PageId::trace);
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
            TraceBench bench(size);
            ASSERT_TRUE(bench.open());
            const QString suffix = QStringLiteral("-%1-%2").arg(scheme).arg(size.width());
            bench.timeline()->setSelection(bench.timeline()->timeline()->iterations()[4].range);
            ASSERT_TRUE(bench.settle());
            keep(bench, QStringLiteral("trace-timeline") + suffix);
            bench.timeline()->choose(bench.context.traces.statistics()->names.front().outlier);
            bench.timeline()->showWindow({16'900'000, 17'600'000});
            QCoreApplication::processEvents();
            keep(bench, QStringLiteral("trace-close") + suffix);
            EXPECT_TRUE(bench.timeline()->chosen());
        }
    }
}

} // namespace apertune::gui
