// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace_page.h"

#include "app/gui/drop_hint.h"
#include "app/gui/options.h"
#include "app/gui/pages/bottleneck_tab.h"
#include "app/gui/pages/chart_tabs.h"
#include "app/gui/pages/events_tab.h"
#include "app/gui/pages/flame_tab.h"
#include "app/gui/pages/names_tab.h"
#include "app/gui/pages/timeline_tab.h"
#include "app/gui/presenters/name_table.h"
#include "app/gui/presenters/selection_view.h"
#include "core/trace/trace_builder.h"
#include "tests/app/gui/bench.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/search_field.h"
#include "widgets/controls/tab_row.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"
#include "widgets/timeline/flame_graph.h"
#include "widgets/timeline/share_bar.h"
#include "widgets/timeline/timeline_widget.h"
#include "widgets/timeline/timeline_words.h"

#include <QDir>
#include <QImage>
#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

using testing::Bench;
namespace analysis = trace::analysis;

/// The trace page with a trace made by rule.
struct TraceBench : Bench
{
    explicit TraceBench(QSize size = {1280, 800}, testing::LoopOptions options = {12, 60, 4})
    {
        gateway->traceResult = testing::makeLoopTrace(options);
        window.resize(size);
        window.showPage(PageId::trace);
        window.show();
        context.session.setFile("/nowhere/synthetic.apertune");
        context.session.setMachine(gateway->machine);
    }
    bool open(const QString& part = QStringLiteral("timeline"))
    {
        context.traces.wantTab(part);
        context.openTrace(QStringLiteral("/nowhere/loop.json.gz"));
        return settle();
    }
    TracePage* page() { return static_cast<TracePage*>(window.currentPage()); }
    timeline::TimelineWidget* timeline() { return page()->timelineTab()->timeline(); }
    QString shownText()
    {
        QString shown;
        for (const QLabel* label : window.findChildren<QLabel*>())
            shown += label->isVisible() ? label->text() : QString();
        return shown;
    }
    QPushButton* button(const QString& name)
    {
        for (QPushButton* candidate : window.findChildren<QPushButton*>()) {
            if (candidate->accessibleName() == name || candidate->text() == name) {
                return candidate;
            }
        }
        return nullptr;
    }
};

void keep(Bench& bench, const QString& name)
{
    const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
    if (!folder.isEmpty()) {
        QDir().mkpath(folder);
        bench.window.grab().toImage().save(QStringLiteral("%1/%2.png").arg(folder, name));
    }
}

} // namespace

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
    const trace::EventRef outlier = bench.context.traces.statistics()->names.front().outlier;
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

TEST(TracePage, TheFirstPartNamesTheBottleneckAndItsCardsLeadToTheTimeline)
{
    TraceBench bench({1280, 900});
    ASSERT_TRUE(bench.open({}));
    auto* bottleneck = bench.page()->findChild<BottleneckTab*>();
    ASSERT_TRUE(bottleneck && bottleneck->isVisible()) << "the first part is shown when none is asked for";
    const TraceReportPtr report = bench.context.traces.report();
    ASSERT_TRUE(report);
    bool said = false;
    for (const QLabel* label : bottleneck->findChildren<QLabel*>()) {
        said = said || (label->isVisible() && label->text() == verdictWord(report->judgement.verdict.word));
    }
    EXPECT_TRUE(said);
    double sum = 0;
    for (const advice::CauseShare& part : report->judgement.verdict.parts) {
        sum += part.share;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    keep(bench, QStringLiteral("trace-bottleneck-dark-1280"));
    auto* bar = bottleneck->findChild<timeline::ShareBar*>();
    ASSERT_TRUE(bar);
    const auto& parts = report->judgement.verdict.parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].evidence.range.length() > 0) {
            Q_EMIT bar->chosen(static_cast<int>(i));
            EXPECT_TRUE(bench.timeline()->isVisible());
            EXPECT_EQ(bench.timeline()->selection()->begin, parts[i].evidence.range.start);
            break;
        }
    }
}

TEST(TracePage, AFindingIsProvedFromItsCardWhereATrialWasTraced)
{
    TraceBench bench({1280, 900});
    ASSERT_TRUE(bench.open(QStringLiteral("bottleneck")));
    const std::vector<advice::Finding> findings = bench.context.traces.report()->judgement.findings;
    const auto finding =
        std::find_if(findings.begin(), findings.end(), [](const auto& f) { return engine::canTry(f.knob); });
    ASSERT_NE(finding, findings.end());
    const QString title = theme::toQt(finding->title);
    EXPECT_FALSE(bench.button(QStringLiteral("Prove: %1").arg(title))) << "of a recording of another tool";

    bench.gateway->ofTrial = true;
    bench.context.traces.openStored("/nowhere/synthetic.apertune", store::TraceId{3}, QStringLiteral("tr3"));
    ASSERT_TRUE(bench.settle());
    const auto prove = [&] {
        QPushButton* button = bench.button(QStringLiteral("Prove: %1").arg(title));
        if (!button)
            return false;
        button->click();
        return bench.settle();
    };
    const auto says = [&](const QString& words) {
        const auto labels = bench.page()->findChild<BottleneckTab*>()->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->text().contains(words); });
    };
    ASSERT_TRUE(prove());
    EXPECT_EQ(bench.gateway->proved, finding->rule);
    EXPECT_TRUE(says(QStringLiteral("Somebody else measures.")));

    engine::Proof proof;
    proof.word = engine::ProofWord::proved;
    proof.study = {7};
    proof.sentence = "Proved: 8.1 % of the time saved [7.2, 9.0], predicted 6.5 to 9.3 %.";
    bench.gateway->proofResult = proof;
    ASSERT_TRUE(prove());
    EXPECT_TRUE(says(QStringLiteral("Proved: 8.1 %")));
    EXPECT_TRUE(says(QStringLiteral("study 7")));
    keep(bench, QStringLiteral("trace-proved-dark-1280"));
}

TEST(TracePage, TablesOfTheReportShowOrSayWhatToRecord)
{
    for (const char* part : {"operators", "memory", "transfers"}) {
        TraceBench bench;
        ASSERT_TRUE(bench.open(QString::fromLatin1(part)));
        tables::LeanTable* table = nullptr;
        for (auto* candidate : bench.page()->findChildren<tables::LeanTable*>()) {
            table = candidate->isVisible() ? candidate : table;
        }
        ASSERT_TRUE(table) << part;
        EXPECT_GT(table->model()->rowCount(), 0) << part;
        keep(bench, QStringLiteral("trace-%1-dark-1280").arg(QString::fromLatin1(part)));
    }
    TraceBench empty;
    trace::TraceBuilder builder;
    trace::Event event;
    event.duration = {1000};
    event.name = builder.intern("alone");
    builder.add(builder.track({}), trace::EventKind::range, event);
    empty.gateway->traceResult = std::make_shared<const trace::Trace>(builder.finish());
    ASSERT_TRUE(empty.open(QStringLiteral("memory")));
    bool said = false;
    for (const QLabel* label : empty.page()->findChildren<QLabel*>()) {
        said = said || (label->isVisible() && label->text().contains(QStringLiteral("profile_memory")));
    }
    EXPECT_TRUE(said);
}

TEST(TracePage, TheTimeFilterHoldsForEveryPart)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open());
    const TraceReportPtr whole = bench.context.traces.report();
    const trace::TimeRange range = bench.timeline()->timeline()->iterations()[4].range;
    bench.timeline()->setSelection(range);
    EXPECT_FALSE(bench.context.traces.isCurrent()) << "computed apart from the window's thread";
    ASSERT_TRUE(bench.settle());
    const TraceReportPtr part = bench.context.traces.report();
    ASSERT_NE(part, whole);
    EXPECT_EQ(part->facts.window.start, range.begin);
    EXPECT_EQ(part->facts.window.end, range.end);
    EXPECT_LT(part->facts.sums.count, whole->facts.sums.count / 4);
    EXPECT_LT(part->facts.transfers.rows.front().count, whole->facts.transfers.rows.front().count);
    EXPECT_LE(part->facts.memory.front().allocations, whole->facts.memory.front().allocations);
    bench.timeline()->setSelection(std::nullopt);
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.context.traces.report(), whole) << "without a filter nothing is computed again";
}

TEST(TracePage, AFindingSetsTheTimeFilter)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open({}));
    ASSERT_FALSE(bench.context.traces.filter());
    auto* bottleneck = bench.page()->findChild<BottleneckTab*>();
    Q_EMIT bottleneck->rangeChosen({5'000'000, 6'000'000});
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.context.traces.filter(), (trace::TimeRange{5'000'000, 6'000'000}));
    EXPECT_TRUE(bench.timeline()->isVisible());
    EXPECT_EQ(bench.context.traces.report()->facts.window.start, 5'000'000);
}

TEST(TracePage, TheFlameGraphFollowsTheFilterAndLeadsToTheTimeline)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("flame")));
    auto* tab = bench.page()->findChild<FlameTab*>();
    ASSERT_TRUE(tab && tab->isVisible());
    ASSERT_TRUE(tab->graph()->tree());
    const std::int64_t all = tab->graph()->tree()->nodes[0].total;
    EXPECT_EQ(tab->graph()->tree()->weight, trace::analysis::FlameWeight::deviceTime);
    keep(bench, QStringLiteral("trace-flame-dark-1280"));
    tab->graph()->zoomTo(1);
    const std::string_view zoomed = bench.timeline()->timeline()->trace().strings[tab->graph()->tree()->nodes[1].name];
    bench.context.traces.setFilter(bench.timeline()->timeline()->iterations()[4].range);
    ASSERT_TRUE(bench.settle());
    ASSERT_TRUE(tab->graph()->tree());
    EXPECT_LT(tab->graph()->tree()->nodes[0].total, all / 6);
    ASSERT_GT(tab->graph()->focusNode(), 0) << "the zoom stays";
    const auto focus = static_cast<std::size_t>(tab->graph()->focusNode());
    EXPECT_EQ(bench.timeline()->timeline()->trace().strings[tab->graph()->tree()->nodes[focus].name], zoomed);
    tab->graph()->setCurrent(2);
    QPushButton* show = nullptr;
    for (auto* button : tab->findChildren<QPushButton*>())
        show = button->text() == QStringLiteral("Show the longest in the timeline") ? button : show;
    ASSERT_TRUE(show && show->isEnabled());
    show->click();
    EXPECT_TRUE(bench.timeline()->isVisible());
    EXPECT_TRUE(bench.timeline()->chosen());
}

TEST(TracePage, ARooflineNeedsCeilingsAndSaysSo)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("roofline")));
    const auto says = [&](const QString& words) {
        for (const QLabel* label : bench.page()->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(words))
                return true;
        return false;
    };
    auto* tab = bench.page()->findChild<RooflineTab*>();
    ASSERT_TRUE(tab && tab->isVisible());
    if (bench.context.traces.report()->facts.roofline.empty()) {
        EXPECT_TRUE(says(QStringLiteral("record_shapes")));
        return;
    }
    EXPECT_TRUE(says(QStringLiteral("ceilings are not known")));
    bench.gateway->traceContext.ceilings = {2e13, 9e11, 0, 0, "measured on cuda:0, fp16"};
    ASSERT_TRUE(bench.open(QStringLiteral("roofline")));
    EXPECT_FALSE(says(QStringLiteral("ceilings are not known")));
    EXPECT_TRUE(says(QStringLiteral("measured on cuda:0")));
    ASSERT_TRUE(tab->chart()->isVisible());
    keep(bench, QStringLiteral("trace-roofline-dark-1280"));
    const auto& series = tab->chart()->content().series;
    ASSERT_GT(series.size(), 1u);
    EXPECT_DOUBLE_EQ(series.front().y.back(), 2e13) << "the roof";
}

TEST(TracePage, MemoryOverTimeLeadsToTheInstant)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("memory")));
    auto* tab = bench.page()->findChild<MemoryTab*>();
    ASSERT_TRUE(tab && tab->chart()->isVisible());
    const auto& series = tab->chart()->content().series;
    ASSERT_GE(series.size(), 2u) << "a line and its peak";
    const analysis::MemoryUse& use = bench.context.traces.report()->facts.memory.front();
    Q_EMIT tab->chart()->pointClicked(series[1].ids.front());
    ASSERT_TRUE(bench.settle());
    ASSERT_TRUE(bench.timeline()->isVisible());
    EXPECT_LE(bench.timeline()->selection()->begin, use.peakTime);
    EXPECT_GT(bench.timeline()->selection()->end, use.peakTime);
}

TEST(TracePage, EventsAreListedForThoseWhoRead)
{
    TraceBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("events")));
    auto* tab = bench.page()->findChild<EventsTab*>();
    ASSERT_TRUE(tab && tab->isVisible());
    const int all = tab->table()->model()->rowCount();
    EXPECT_EQ(all, bench.context.traces.statistics()->events);
    keep(bench, QStringLiteral("trace-events-dark-1280"));
    bench.context.traces.setFilter(bench.timeline()->timeline()->iterations()[4].range);
    ASSERT_TRUE(bench.settle());
    ASSERT_GT(tab->table()->model()->rowCount(), 0);
    EXPECT_EQ(tab->table()->model()->rowCount(), bench.context.traces.statistics()->events);
    auto* find = tab->findChild<controls::SearchField*>();
    find->setText(QStringLiteral("dtoh"));
    QTest::qWait(250);
    ASSERT_TRUE(bench.settle());
    ASSERT_GT(tab->table()->model()->rowCount(), 0);
    Q_EMIT tab->table()->activated(tab->table()->model()->index(0, 2));
    ASSERT_TRUE(bench.timeline()->chosen());
    EXPECT_EQ(bench.timeline()->timeline()->nameOf(*bench.timeline()->chosen()), "Memcpy DtoH");
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
