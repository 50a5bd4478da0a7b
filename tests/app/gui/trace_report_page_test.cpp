// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/bottleneck_tab.h"
#include "app/gui/pages/trace/chart_tabs.h"
#include "app/gui/pages/trace/difference_tab.h"
#include "app/gui/pages/trace/events_tab.h"
#include "app/gui/pages/trace/flame_tab.h"
#include "app/gui/presenters/selection_view.h"
#include "app/gui/presenters/trace_report.h"
#include "core/trace/trace_builder.h"
#include "tests/app/gui/trace_bench.h"
#include "widgets/controls/badge.h"
#include "widgets/controls/search_field.h"
#include "widgets/plots/waterfall_plot.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/flame_graph.h"
#include "widgets/trace_views/share_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace apertune::gui {

using testing::keep;
using testing::TraceFixture;

TEST(TracePage, TheFirstPartNamesTheBottleneckAndItsCardsLeadToTheTimeline)
{
    TraceFixture fixture({1280, 900});
    ASSERT_TRUE(fixture.open({}));
    auto* bottleneck = fixture.page()->findChild<BottleneckTab*>();
    ASSERT_TRUE(bottleneck && bottleneck->isVisible()) << "the first part is shown when none is asked for";
    const TraceReportPtr report = fixture.context.traces.report();
    ASSERT_TRUE(report);
    bool shown = false;
    for (const QLabel* label : bottleneck->findChildren<QLabel*>())
        shown = shown || (label->isVisible() && label->text() == verdictWord(report->findingReport.verdict.kind));
    EXPECT_TRUE(shown);
    double sum = 0;
    for (const advice::CauseShare& part : report->findingReport.verdict.parts)
        sum += part.share;
    EXPECT_NEAR(sum, 1, 1e-6);
    keep(fixture, QStringLiteral("trace-bottleneck-dark-1280"));
    auto* bar = bottleneck->findChild<trace_views::ShareBar*>();
    ASSERT_TRUE(bar);
    const auto& parts = report->findingReport.verdict.parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].evidence.range.length() > 0) {
            Q_EMIT bar->chosen(static_cast<int>(i));
            EXPECT_TRUE(fixture.timeline()->isVisible());
            EXPECT_EQ(fixture.timeline()->selection()->start, parts[i].evidence.range.start);
            break;
        }
    }
}

TEST(TracePage, TheKeyboardGoesFromAFindingToTheTimelineAndBackToItsButton)
{
    TraceFixture fixture({1280, 900});
    ASSERT_TRUE(fixture.open({}));
    fixture.window.activateWindow();
    fixture.window.setFocus();
    const auto isShow = [](const QWidget* widget) {
        return widget && widget->objectName().startsWith(QStringLiteral("show "));
    };
    for (int i = 0; i < 200 && !isShow(QApplication::focusWidget()); ++i) {
        QWidget* at = QApplication::focusWidget();
        QTest::keyClick(at ? at : &fixture.window, Qt::Key_Tab);
    }
    ASSERT_TRUE(isShow(QApplication::focusWidget())) << "no finding can be shown";
    const QString name = QApplication::focusWidget()->objectName();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    EXPECT_TRUE(fixture.timeline()->isVisible());
    EXPECT_TRUE(fixture.timeline()->hasFocus()) << "its keys work at once";
    ASSERT_TRUE(fixture.timeline()->selection());
    EXPECT_TRUE(fixture.button(QStringLiteral("Back to Bottleneck"))->isVisible());
    ASSERT_TRUE(fixture.settle());
    QTest::keyClick(fixture.timeline(), Qt::Key_Period);
    EXPECT_TRUE(fixture.timeline()->chosen());
    QTest::keyClick(fixture.timeline(), Qt::Key_Backspace, Qt::ControlModifier);
    EXPECT_TRUE(fixture.page()->findChild<BottleneckTab*>()->isVisible());
    EXPECT_FALSE(fixture.context.traces.filter()) << "as it was left";
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return QApplication::focusWidget() && QApplication::focusWidget()->objectName() == name; }, 60000))
        << name.toStdString();
    EXPECT_FALSE(fixture.button(QStringLiteral("Back to Bottleneck"))->isVisible());
}

TEST(TracePage, CardsSayHowGraveTheyAreInAWordAndAShape)
{
    TraceFixture fixture({1280, 900});
    ASSERT_TRUE(fixture.open({}));
    std::vector<advice::Finding> findings = fixture.context.traces.report()->findingReport.findings;
    std::erase_if(findings, [](const advice::Finding& f) { return f.isPart(); });
    ASSERT_FALSE(findings.empty());
    const auto badges = fixture.page()->findChild<BottleneckTab*>()->findChildren<controls::Badge*>();
    ASSERT_EQ(badges.size(), static_cast<qsizetype>(findings.size()));
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const controls::Badge* badge = badges[static_cast<qsizetype>(i)];
        const SeverityStyle style = severityStyle(advice::severityOf(findings[i]));
        EXPECT_TRUE(badge->isVisible());
        EXPECT_EQ(badge->accessibleName(),
                  style.word + QStringLiteral(" severity: ") + theme::fromCore(findings[i].title));
        EXPECT_FALSE(badge->toolTip().isEmpty());
        EXPECT_GE(badge->width(), badge->sizeHint().width()) << "its word is cut";
    }
    std::set<theme::Shape> shapes;
    std::set<QString> words;
    for (const auto severity : {advice::Severity::low, advice::Severity::medium, advice::Severity::high}) {
        shapes.insert(severityStyle(severity).shape);
        words.insert(severityStyle(severity).word);
    }
    EXPECT_EQ(shapes.size(), 3U) << "told apart without colour";
    EXPECT_EQ(words.size(), 3U);
}

TEST(TracePage, TheRowsBehindAFindingCanBeAskedForAgain)
{
    TraceFixture fixture({1280, 900});
    ASSERT_TRUE(fixture.open({}));
    const advice::Finding finding = fixture.context.traces.report()->findingReport.findings.front();
    const QString name = QStringLiteral("Copy the query: %1").arg(theme::fromCore(finding.title));
    QPushButton* copy = fixture.button(name);
    ASSERT_TRUE(copy);
    copy->click();
    EXPECT_EQ(QApplication::clipboard()->text(), theme::toQt(finding.evidence.query)) << "it is kept nowhere";
    EXPECT_TRUE(copy->toolTip().contains(QStringLiteral("apertune trace import")));

    fixture.context.traces.openStored("/nowhere/synthetic.apertune", store::TraceId{3}, QStringLiteral("tr3"));
    ASSERT_TRUE(fixture.settle());
    copy = fixture.button(name);
    ASSERT_TRUE(copy);
    copy->click();
    const QString command = QApplication::clipboard()->text();
    EXPECT_TRUE(command.startsWith(QStringLiteral("apertune workspace query 'SELECT "))) << theme::toStd(command);
    EXPECT_TRUE(command.endsWith(QStringLiteral("--store /nowhere/synthetic.apertune"))) << theme::toStd(command);
}

TEST(TracePage, AFindingIsProvedFromItsCardWhereATrialWasTraced)
{
    TraceFixture fixture({1280, 900});
    ASSERT_TRUE(fixture.open(QStringLiteral("bottleneck")));
    const std::vector<advice::Finding> findings = fixture.context.traces.report()->findingReport.findings;
    const auto finding =
        std::find_if(findings.begin(), findings.end(), [](const auto& f) { return runs::canApply(f.knob); });
    ASSERT_NE(finding, findings.end());
    const QString title = theme::fromCore(finding->title);
    EXPECT_FALSE(fixture.button(QStringLiteral("Verify: %1").arg(title))) << "of a recording of another tool";

    fixture.gateway->ofTrial = true;
    fixture.context.traces.openStored("/nowhere/synthetic.apertune", store::TraceId{3}, QStringLiteral("tr3"));
    ASSERT_TRUE(fixture.settle());
    const auto verifyFinding = [&] {
        QPushButton* button = fixture.button(QStringLiteral("Verify: %1").arg(title));
        if (!button)
            return false;
        button->click();
        return fixture.settle();
    };
    const auto isShown = [&](const QString& words) {
        const auto labels = fixture.page()->findChild<BottleneckTab*>()->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->text().contains(words); });
    };
    ASSERT_TRUE(verifyFinding());
    EXPECT_EQ(fixture.gateway->verifiedRule, finding->rule);
    EXPECT_TRUE(isShown(QStringLiteral("Somebody else measures.")));

    runs::Verification verification;
    verification.outcome = model::VerificationOutcome::proved;
    verification.study = {7};
    verification.message = base::foreignText("Proved: 8.1 % of the time saved [7.2, 9.0], predicted 6.5 to 9.3 %.");
    fixture.gateway->verificationResult = verification;
    ASSERT_TRUE(verifyFinding());
    EXPECT_TRUE(isShown(QStringLiteral("Proved: 8.1 %")));
    EXPECT_TRUE(isShown(QStringLiteral("study 7")));
    EXPECT_TRUE(isShown(QStringLiteral("pays on this machine: use it")));
    ASSERT_TRUE(fixture.button(QStringLiteral("Show study 7")));
    ASSERT_TRUE(fixture.button(QStringLiteral("Export with the change")));
    fixture.button(QStringLiteral("Show study 7"))->click();
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::tradeoffs);
    EXPECT_EQ(fixture.context.session.wantedStudy(), model::StudyId{7});
    fixture.window.showPage(PageId::trace);
    ASSERT_TRUE(fixture.settle());
    keep(fixture, QStringLiteral("trace-proved-dark-1280"));
}

TEST(TracePage, TablesOfTheReportShowOrSayWhatToRecord)
{
    for (const char* part : {"operators", "memory", "transfers"}) {
        TraceFixture fixture;
        ASSERT_TRUE(fixture.open(QString::fromLatin1(part)));
        tables::LeanTable* table = nullptr;
        for (auto* candidate : fixture.page()->findChildren<tables::LeanTable*>())
            table = candidate->isVisible() ? candidate : table;
        ASSERT_TRUE(table) << part;
        EXPECT_GT(table->model()->rowCount(), 0) << part;
        keep(fixture, QStringLiteral("trace-%1-dark-1280").arg(QString::fromLatin1(part)));
    }
    TraceFixture empty;
    trace::TraceBuilder builder;
    trace::Event event;
    event.duration = {1000};
    event.name = builder.intern("alone");
    builder.add(builder.track({}), trace::EventKind::range, event);
    empty.gateway->traceResult = std::make_shared<const trace::Trace>(builder.finish());
    ASSERT_TRUE(empty.open(QStringLiteral("memory")));
    bool shown = false;
    for (const QLabel* label : empty.page()->findChildren<QLabel*>())
        shown = shown || (label->isVisible() && label->text().contains(QStringLiteral("profile_memory")));
    EXPECT_TRUE(shown);
}

TEST(TracePage, TheTimeFilterHoldsForEveryPart)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open());
    const TraceReportPtr whole = fixture.context.traces.report();
    const trace::TimeRange range = fixture.timeline()->timeline()->iterations()[4].range;
    fixture.timeline()->setSelection(range);
    EXPECT_FALSE(fixture.context.traces.isCurrent()) << "computed apart from the window's thread";
    ASSERT_TRUE(fixture.settle());
    const TraceReportPtr part = fixture.context.traces.report();
    ASSERT_NE(part, whole);
    EXPECT_EQ(part->facts.window.start, range.start);
    EXPECT_EQ(part->facts.window.end, range.end);
    EXPECT_LT(part->facts.sums.count, whole->facts.sums.count / 4);
    EXPECT_LT(part->facts.transfers.rows.front().count, whole->facts.transfers.rows.front().count);
    EXPECT_LE(part->facts.memory.front().allocations, whole->facts.memory.front().allocations);
    fixture.timeline()->setSelection(std::nullopt);
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.context.traces.report(), whole) << "without a filter nothing is computed again";
}

TEST(TracePage, AFindingSetsTheTimeFilter)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open({}));
    ASSERT_FALSE(fixture.context.traces.filter());
    auto* bottleneck = fixture.page()->findChild<BottleneckTab*>();
    Q_EMIT bottleneck->rangeChosen({5'000'000, 6'000'000});
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.context.traces.filter(), (trace::TimeRange{5'000'000, 6'000'000}));
    EXPECT_TRUE(fixture.timeline()->isVisible());
    EXPECT_EQ(fixture.context.traces.report()->facts.window.start, 5'000'000);
}

TEST(TracePage, TheFlameGraphFollowsTheFilterAndLeadsToTheTimeline)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("flame")));
    auto* tab = fixture.page()->findChild<FlameTab*>();
    ASSERT_TRUE(tab && tab->isVisible());
    ASSERT_TRUE(tab->graph()->tree());
    const std::int64_t all = tab->graph()->tree()->nodes[0].total;
    EXPECT_EQ(tab->graph()->tree()->weight, analysis::FlameWeight::deviceTime);
    keep(fixture, QStringLiteral("trace-flame-dark-1280"));
    tab->graph()->zoomTo(1);
    const std::string_view zoomed =
        fixture.timeline()->timeline()->trace().strings[tab->graph()->tree()->nodes[1].name];
    fixture.context.traces.setFilter(fixture.timeline()->timeline()->iterations()[4].range);
    ASSERT_TRUE(fixture.settle());
    ASSERT_TRUE(tab->graph()->tree());
    EXPECT_LT(tab->graph()->tree()->nodes[0].total, all / 6);
    ASSERT_GT(tab->graph()->focusNode(), 0) << "the zoom stays";
    const auto focus = static_cast<std::size_t>(tab->graph()->focusNode());
    EXPECT_EQ(fixture.timeline()->timeline()->trace().strings[tab->graph()->tree()->nodes[focus].name], zoomed);
    tab->graph()->setCurrent(2);
    QPushButton* show = nullptr;
    for (auto* button : tab->findChildren<QPushButton*>())
        show = button->text() == QStringLiteral("Show the longest in the timeline") ? button : show;
    ASSERT_TRUE(show && show->isEnabled());
    show->click();
    EXPECT_TRUE(fixture.timeline()->isVisible());
    EXPECT_TRUE(fixture.timeline()->chosen());
}

TEST(TracePage, ARooflineNeedsCeilingsAndSaysSo)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("roofline")));
    const auto isShown = [&](const QString& words) {
        for (const QLabel* label : fixture.page()->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(words))
                return true;
        return false;
    };
    auto* tab = fixture.page()->findChild<RooflineTab*>();
    ASSERT_TRUE(tab && tab->isVisible());
    if (fixture.context.traces.report()->facts.roofline.empty()) {
        EXPECT_TRUE(isShown(QStringLiteral("record_shapes")));
        return;
    }
    EXPECT_TRUE(isShown(QStringLiteral("ceilings are not known")));
    fixture.gateway->traceContext.ceilings = {2e13, 9e11, 0, 0, "measured on cuda:0, fp16"};
    ASSERT_TRUE(fixture.open(QStringLiteral("roofline")));
    EXPECT_FALSE(isShown(QStringLiteral("ceilings are not known")));
    EXPECT_TRUE(isShown(QStringLiteral("measured on cuda:0")));
    ASSERT_TRUE(tab->chart()->isVisible());
    keep(fixture, QStringLiteral("trace-roofline-dark-1280"));
    const auto* table = tab->findChild<tables::LeanTable*>();
    ASSERT_TRUE(table && table->model() && table->model()->rowCount() > 0);
    EXPECT_TRUE(table->model()->index(0, 0).data().toString().contains(QStringLiteral("×")))
        << "which of many calls of one name it is";
    const auto& series = tab->chart()->content().series;
    ASSERT_GT(series.size(), 1u);
    EXPECT_DOUBLE_EQ(series.front().y.back(), 2e13) << "the roof";
}

TEST(TracePage, MemoryOverTimeLeadsToTheInstant)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("memory")));
    auto* tab = fixture.page()->findChild<MemoryTab*>();
    ASSERT_TRUE(tab && tab->chart()->isVisible());
    const auto& series = tab->chart()->content().series;
    ASSERT_GE(series.size(), 2u) << "a line and its peak";
    const analysis::MemoryUse& use = fixture.context.traces.report()->facts.memory.front();
    Q_EMIT tab->chart()->pointClicked(series[1].ids.front());
    ASSERT_TRUE(fixture.settle());
    ASSERT_TRUE(fixture.timeline()->isVisible());
    EXPECT_LE(fixture.timeline()->selection()->start, use.peakTime);
    EXPECT_GT(fixture.timeline()->selection()->end, use.peakTime);
}

TEST(TracePage, EventsAreListedForThoseWhoRead)
{
    TraceFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("events")));
    auto* tab = fixture.page()->findChild<EventsTab*>();
    ASSERT_TRUE(tab && tab->isVisible());
    const int all = tab->table()->model()->rowCount();
    EXPECT_EQ(all, fixture.context.traces.statistics()->events);
    keep(fixture, QStringLiteral("trace-events-dark-1280"));
    fixture.context.traces.setFilter(fixture.timeline()->timeline()->iterations()[4].range);
    ASSERT_TRUE(fixture.settle());
    ASSERT_GT(tab->table()->model()->rowCount(), 0);
    EXPECT_EQ(tab->table()->model()->rowCount(), fixture.context.traces.statistics()->events);
    auto* find = tab->findChild<controls::SearchField*>();
    find->setText(QStringLiteral("dtoh"));
    QTest::qWait(250);
    ASSERT_TRUE(fixture.settle());
    ASSERT_GT(tab->table()->model()->rowCount(), 0);
    Q_EMIT tab->table()->activated(tab->table()->model()->index(0, 2));
    ASSERT_TRUE(fixture.timeline()->chosen());
    EXPECT_EQ(fixture.timeline()->timeline()->nameOf(*fixture.timeline()->chosen()), "Memcpy DtoH");
}

TEST(TracePage, TheDifferenceToAnotherTraceAddsUp)
{
    TraceFixture fixture({1280, 800});
    store::TraceSummary other;
    other.id = store::TraceId{7};
    other.name = "another recording";
    fixture.gateway->traceList = std::vector<store::TraceSummary>{other};
    ASSERT_TRUE(fixture.open(QStringLiteral("difference")));
    auto* tab = fixture.page()->findChild<DifferenceTab*>();
    ASSERT_TRUE(tab && tab->isVisible());
    auto* pick = tab->findChild<QComboBox*>();
    ASSERT_TRUE(pick);
    EXPECT_EQ(pick->count(), 1);
    const auto tables = tab->findChildren<tables::LeanTable*>();
    ASSERT_EQ(tables.size(), 4) << "all traces, parts, layers, allocations";
    EXPECT_GT(tab->table()->model()->rowCount(), 0);
    EXPECT_TRUE(tab->table()->isVisible());
    const auto* waterfall = tab->findChild<plots::WaterfallPlot*>();
    ASSERT_TRUE(waterfall && waterfall->isVisible());
    double level = waterfall->waterfall().start;
    for (const plots::WaterfallStep& each : waterfall->waterfall().steps)
        level += each.change;
    EXPECT_NEAR(level, waterfall->waterfall().end, 1e-6);
    bool told = false;
    for (const QLabel* label : tab->findChildren<QLabel*>())
        told = told || (label->isVisible() && label->text().startsWith(QStringLiteral("An iteration takes")));
    EXPECT_TRUE(told);
}

} // namespace apertune::gui
