// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the trace page by what they tell: the table of names, the docks of an area, rules that could not be
// evaluated, rates above a ceiling; and the sheet of shortcuts.
#include "app/gui/pages/trace/bottleneck_tab.h"
#include "app/gui/pages/trace/chart_tabs.h"
#include "app/gui/pages/trace/names_tab.h"
#include "app/gui/pages/trace/timeline_tab.h"
#include "app/gui/pages/trace/trace_page.h"
#include "app/gui/presenters/name_table.h"
#include "app/gui/session/shortcuts.h"
#include "app/gui/shell/shortcut_sheet.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace_builder.h"
#include "tests/app/gui/bench.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/controls/kpi_card.h"
#include "widgets/plots/chart_view.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/timeline/timeline_widget.h"

#include <QAbstractButton>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace apertune::gui {
namespace {

using testing::Fixture;

struct PartsFixture : Fixture
{
    explicit PartsFixture(trace::TracePtr trace = testing::makeLoopTrace({6, 20, 4}))
    {
        gateway->traceResult = std::move(trace);
        window.resize(1280, 800);
        window.showPage(PageId::trace);
        window.show();
        context.session.setFile("/nowhere/synthetic.apertune");
        context.session.setMachine(gateway->machine);
    }
    bool open(const QString& part)
    {
        context.traces.wantTab(part);
        context.openTrace(QStringLiteral("/nowhere/loop.json.gz"));
        return settle();
    }
    template <typename T>
    T* part()
    {
        return window.currentPage()->findChild<T*>();
    }
    QAbstractButton* button(const QString& text)
    {
        for (auto* candidate : window.findChildren<QAbstractButton*>())
            if (candidate->isVisible() && candidate->text() == text)
                return candidate;
        return nullptr;
    }
    /// Captions and details of the cards that are shown.
    QStringList figures()
    {
        QStringList texts;
        for (const auto* card : window.currentPage()->findChildren<controls::KpiCard*>())
            if (card->isVisible())
                texts << card->figure().caption << card->figure().detail;
        return texts;
    }
    bool shows(const QString& text)
    {
        const auto labels = window.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* l) { return l->isVisible() && l->text().contains(text); });
    }
};

/// Two devices that work all the time, one of them on two streams: three times as much work as time.
trace::TracePtr busyDevices()
{
    trace::TraceBuilder builder;
    for (int device = 0; device < 2; ++device) {
        trace::DeviceProperties properties;
        properties.id = device;
        properties.multiprocessors = 100;
        properties.computeMajor = 9;
        properties.maxThreadsPerMultiprocessor = 2048;
        properties.registersPerMultiprocessor = 65536;
        properties.sharedBytesPerMultiprocessor = 228 << 10;
        builder.head().devices.push_back(properties);
    }
    trace::KernelDetail launch;
    launch.grid = {25, 2, 1};
    launch.block = {128, 1, 1};
    launch.registersPerThread = 32;
    for (int stream = 0; stream < 3; ++stream) {
        trace::Track track;
        track.type = trace::TrackType::stream;
        track.device = stream / 2;
        track.stream = stream;
        for (int i = 0; i < 400; ++i) {
            trace::Event event;
            event.start = {i * 1000};
            event.duration = {1000};
            event.name = builder.intern(i % 4 == 0 ? "sm90_xmma_gemm_bf16_tensorop" : "vectorized_elementwise_kernel");
            event.detail = builder.detail(launch);
            builder.add(builder.track(track), trace::EventKind::kernel, event);
        }
    }
    return std::make_shared<const trace::Trace>(builder.finish());
}

/// A thread that computes and allocates; no device.
trace::TracePtr operatorsOfAProcessor()
{
    trace::TraceBuilder builder;
    const trace::TrackId thread =
        builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1, .label = "main thread"});
    for (int i = 0; i < 40; ++i) {
        trace::Event event;
        event.start = {i * 1'000'000};
        event.duration = {900'000};
        event.name = builder.intern(i % 2 == 0 ? "aten::conv2d" : "aten::relu");
        builder.add(thread, trace::EventKind::operatorCall, event);
        event.duration = {};
        event.address = 1000;
        event.value = i % 2 == 0 ? 3 << 20 : -(3 << 20);
        builder.add(thread, trace::EventKind::tensorMemory, event);
    }
    return std::make_shared<const trace::Trace>(builder.finish());
}

/// Saves a picture of the window for people to look at, where APERTUNE_GRABS names a folder.
void keepPicture(Fixture& fixture, const QString& name)
{
    const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
    if (!folder.isEmpty())
        fixture.window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

std::set<QString> namesIn(const QAbstractItemModel& model, int column)
{
    std::set<QString> names;
    for (int row = 0; row < model.rowCount(); ++row)
        names.insert(model.index(row, column).data().toString());
    return names;
}

} // namespace

TEST(NameTable, SharesOfSeveralDevicesAddUpToOneAndLaunchesAreTold)
{
    const timeline::TimelinePtr timeline = timeline::Timeline::build(busyDevices());
    const auto statistics = timeline::rangeStatistics(*timeline, timeline->extent());
    const analysis::TraceIndex index(timeline->trace());
    const auto kernels = analysis::kernelTable(index, analysis::kAlways);
    ASSERT_EQ(kernels.size(), 4u) << "by name and device";
    const auto rows = nameRows(*timeline, *statistics, kernels);
    ASSERT_EQ(rows.size(), 2u) << "by name";
    const auto cell = [&](std::size_t row, NameColumn column) {
        return rows[row].cells[static_cast<std::size_t>(column)];
    };
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        sum += cell(i, NameColumn::share).raw.toDouble();
    EXPECT_NEAR(sum, 100, 1e-9) << "of the work of all devices, not of the wall time that it exceeds three times";
    EXPECT_EQ(cell(0, NameColumn::calls).raw.toInt(), 900);
    EXPECT_EQ(cell(0, NameColumn::p99).raw.toInt(), 1000);
    EXPECT_EQ(cell(0, NameColumn::grid).text, QStringLiteral("25 × 2"));
    EXPECT_EQ(cell(0, NameColumn::block).text, QStringLiteral("128"));
    EXPECT_EQ(cell(0, NameColumn::smFill).raw.toDouble(), 50);
    EXPECT_NEAR(cell(0, NameColumn::occupancy).raw.toDouble(), 100 * 200.0 / 6400, 1e-9) << "50 blocks of 4 warps";
    EXPECT_EQ(cell(0, NameColumn::tensorCores).text, QStringLiteral("no"));
    EXPECT_EQ(cell(1, NameColumn::tensorCores).text, QStringLiteral("yes"));
    const auto early = nameRows(*timeline, *statistics);
    EXPECT_FALSE(early[0].cells[static_cast<std::size_t>(NameColumn::grid)].raw.isValid()) << "before the report";
}

TEST(NameTable, NoShareOfTheHostIsAboveTheWhole)
{
    trace::TraceBuilder builder;
    for (int thread = 1; thread <= 3; ++thread) {
        trace::Event event;
        event.duration = {1'000'000};
        event.name = builder.intern("infer");
        const trace::TrackId track =
            builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = thread});
        builder.add(track, trace::EventKind::operatorCall, event);
        event.start = {100};
        event.duration = {500'000}; // it calls itself
        builder.add(track, trace::EventKind::operatorCall, event);
    }
    const timeline::TimelinePtr timeline =
        timeline::Timeline::build(std::make_shared<const trace::Trace>(builder.finish()));
    const auto rows = nameRows(*timeline, *timeline::rangeStatistics(*timeline, {0, 2'000'000}));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].cells[static_cast<std::size_t>(NameColumn::share)].raw.toDouble(), 50);
    EXPECT_EQ(rows[0].cells[static_cast<std::size_t>(NameColumn::total)].raw.toLongLong(), 4'500'000);
    const QString told = nameColumns()[static_cast<std::size_t>(NameColumn::share)].toolTip;
    EXPECT_TRUE(told.contains(QStringLiteral("at least one call of this name runs"))) << told.toStdString();
}

TEST(NameTable, ColumnsThatSayNothingAreLeftOutAndTheChoiceOutlivesTheReport)
{
    PartsFixture fixture(busyDevices());
    ASSERT_TRUE(fixture.open(QStringLiteral("kernels")));
    auto* tab = fixture.part<NamesTab>();
    ASSERT_TRUE(tab && tab->isVisible());
    auto* table = tab->findChild<tables::LeanTable*>();
    const auto hidden = [table](NameColumn column) { return !table->isWanted(static_cast<int>(column)); };
    EXPECT_FALSE(hidden(NameColumn::grid) || hidden(NameColumn::occupancy) || hidden(NameColumn::p99));
    EXPECT_TRUE(hidden(NameColumn::where)) << "on devices the class says it";
    EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0) << "at 1280 x 800 every column that is shown is in sight";
    EXPECT_FALSE(table->isColumnHidden(static_cast<int>(NameColumn::grid)));
    EXPECT_FALSE(table->isColumnHidden(static_cast<int>(NameColumn::block)));
    table->setCurrentIndex(table->model()->index(1, 0));
    const QString chosen = table->currentIndex().data().toString();
    fixture.context.traces.setFilter(trace::TimeRange{0, 200'000});
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(table->currentIndex().data().toString(), chosen);
    table->sortByColumn(static_cast<int>(NameColumn::occupancy), Qt::AscendingOrder);
    table->sortByColumn(static_cast<int>(NameColumn::p99), Qt::DescendingOrder);

    PartsFixture host;
    ASSERT_TRUE(host.open(QStringLiteral("kernels")));
    auto* chip = host.button(QStringLiteral("On the host"));
    ASSERT_TRUE(chip);
    chip->click();
    ASSERT_TRUE(host.settle());
    auto* names = host.part<NamesTab>()->findChild<tables::LeanTable*>();
    EXPECT_TRUE(names->isColumnHidden(static_cast<int>(NameColumn::grid)));
    EXPECT_EQ(names->horizontalScrollBar()->maximum(), 0);
    EXPECT_FALSE(names->isColumnHidden(static_cast<int>(NameColumn::where)));
}

TEST(TimelineDocks, AnAreaIsCountedByItselfAndAllTracksComeBack)
{
    PartsFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("timeline")));
    auto* tab = fixture.part<TimelineTab>();
    timeline::TimelineWidget* timeline = tab->timeline();
    auto* table = tab->findChild<tables::LeanTable*>();
    ASSERT_TRUE(table);
    timeline->setSelection(timeline->timeline()->iterations()[2].range);
    ASSERT_TRUE(fixture.settle());
    const auto all = namesIn(*table->model(), 0);
    EXPECT_FALSE(fixture.button(QStringLiteral("All tracks")));

    const auto& rows = timeline->timeline()->rows();
    std::uint32_t row = 0;
    while (rows[row].kind != trace::EventKind::kernel)
        ++row;
    timeline->choose(timeline::EventRef{row, 0}, false);
    QTest::keyClick(timeline, Qt::Key_T);
    EXPECT_EQ(timeline->area(), std::vector<std::uint32_t>{row});
    ASSERT_TRUE(QTest::qWaitFor([&] { return fixture.button(QStringLiteral("All tracks")) != nullptr; }, 60000));
    ASSERT_TRUE(fixture.settle());
    const auto some = namesIn(*table->model(), 0);
    EXPECT_LT(some.size(), all.size());
    EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end()));
    std::int64_t count = 0;
    for (int i = 0; i < table->model()->rowCount(); ++i)
        count += table->model()->index(i, 3).data().toString().toInt();
    const trace::EventColumns& c = timeline->timeline()->columns(rows[row]);
    const trace::TimeRange range = *timeline->selection();
    EXPECT_EQ(count, std::count_if(c.start.begin(), c.start.end(),
                                   [&](std::int64_t t) { return t >= range.start && t < range.end; }));
    keepPicture(fixture, QStringLiteral("trace-area"));
    EXPECT_EQ(fixture.context.traces.filter(), range) << "the time filter of all parts is the range alone";
    fixture.button(QStringLiteral("All tracks"))->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(namesIn(*table->model(), 0), all);
}

TEST(TimelineDocks, CountersOfAnAreaTellLeastMeanMostLastAndGrowth)
{
    trace::TraceBuilder builder;
    trace::Track memory;
    memory.type = trace::TrackType::counter;
    memory.label = "Resident memory";
    memory.unit = "B";
    trace::Track power;
    power.type = trace::TrackType::counter;
    power.device = 0;
    power.label = "GPU power";
    power.unit = "1e-3 W";
    trace::Track thread;
    thread.thread = 1;
    for (int i = 0; i < 10; ++i) {
        trace::Event event;
        event.start = {i * 1'000'000};
        event.value = (64 + 4 * i) << 20;
        builder.add(builder.track(memory), trace::EventKind::counter, event);
        event.value = 100'000 + 1000 * i;
        builder.add(builder.track(power), trace::EventKind::counter, event);
        event.name = builder.intern("aten::mm");
        event.duration = {900'000};
        builder.add(builder.track(thread), trace::EventKind::operatorCall, event);
    }
    PartsFixture fixture(std::make_shared<const trace::Trace>(builder.finish()));
    ASSERT_TRUE(fixture.open(QStringLiteral("timeline")));
    auto* tab = fixture.part<TimelineTab>();
    timeline::TimelineWidget* timeline = tab->timeline();
    timeline->setSelection(trace::TimeRange{2'000'000, 6'000'000});
    ASSERT_TRUE(fixture.settle());
    const auto& rows = timeline->timeline()->rows();
    std::vector<std::uint32_t> curves;
    for (std::uint32_t r = 0; r < rows.size(); ++r)
        if (rows[r].isCurve())
            curves.push_back(r);
    ASSERT_EQ(curves.size(), 2u);
    timeline->selectTracks(curves);
    tables::LeanTable* table = nullptr;
    for (auto* candidate : tab->findChildren<tables::LeanTable*>())
        if (candidate->accessibleName() == QStringLiteral("Counters in the range"))
            table = candidate;
    ASSERT_TRUE(table);
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->isVisible() && table->model()->rowCount() == 2; }, 60000));
    ASSERT_TRUE(fixture.settle());
    std::map<QString, QStringList> shown;
    for (int r = 0; r < 2; ++r)
        for (int c = 1; c < table->model()->columnCount(); ++c)
            shown[table->model()->index(r, 0).data().toString()] << table->model()->index(r, c).data().toString();
    EXPECT_EQ(shown[QStringLiteral("Resident memory")].join(QLatin1Char(',')).toStdString(),
              "72.0 MiB,78.0 MiB,84.0 MiB,84.0 MiB,+16.0 MiB");
    EXPECT_EQ(shown[QStringLiteral("GPU power")].join(QLatin1Char(',')).toStdString(),
              "102.0 W,103.5 W,105.0 W,105.0 W,");
    keepPicture(fixture, QStringLiteral("trace-counters"));
    ASSERT_TRUE(fixture.button(QStringLiteral("All tracks")));
    fixture.button(QStringLiteral("All tracks"))->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_FALSE(table->isVisible());
}

TEST(BottleneckPage, RulesThatCouldNotBeToldAreFoldedAndSayWhatTheyNeed)
{
    PartsFixture fixture; // its trace has no memory events of the driver and no shapes
    ASSERT_TRUE(fixture.open(QStringLiteral("bottleneck")));
    const auto unevaluated = advice::unevaluatedRules(fixture.context.traces.report()->findingReport);
    ASSERT_FALSE(unevaluated.empty());
    std::set<std::string> needs;
    for (const advice::UnevaluatedRules& one : unevaluated) {
        EXPECT_TRUE(needs.insert(sentences::sentence(one.need)).second)
            << "told once: " << sentences::sentence(one.need);
        EXPECT_FALSE(fixture.shows(theme::fromCore(one.need))) << "folded";
    }
    auto* tab = fixture.part<BottleneckTab>();
    QAbstractButton* fold = nullptr;
    for (auto* candidate : tab->findChildren<QAbstractButton*>())
        if (candidate->text().endsWith(QStringLiteral("could not be evaluated")))
            fold = candidate;
    ASSERT_TRUE(fold && fold->isVisible());
    fold->click();
    QTest::qWait(30);
    fixture.window.resize(1280, 1500);
    QTest::qWait(30);
    keepPicture(fixture, QStringLiteral("untold"));
    for (const advice::UnevaluatedRules& one : unevaluated) {
        EXPECT_TRUE(fixture.shows(theme::fromCore(one.need)));
        QStringList titles;
        for (const advice::RuleResult* rule : one.rules)
            titles << theme::fromCore(rule->title);
        EXPECT_TRUE(fixture.shows(titles.join(QStringLiteral("; "))));
    }
    fold->click();
    EXPECT_FALSE(fixture.shows(theme::fromCore(unevaluated.front().need)));
}

TEST(BottleneckPage, ARecordingOfAProcessorTellsOfItsTensorsInsteadOfCopies)
{
    PartsFixture fixture(operatorsOfAProcessor());
    ASSERT_TRUE(fixture.open(QStringLiteral("bottleneck")));
    EXPECT_TRUE(fixture.figures().contains(QStringLiteral("Tensors at the peak")));
    EXPECT_TRUE(fixture.figures().contains(QStringLiteral("20 allocations")));
    EXPECT_FALSE(fixture.figures().contains(QStringLiteral("Exposed copies")));
}

TEST(BottleneckPage, TheIterationIsToldWithItsInterval)
{
    PartsFixture fixture(testing::makeLoopTrace({12, 60, 4}));
    ASSERT_TRUE(fixture.open(QStringLiteral("bottleneck")));
    const QStringList figures = fixture.figures();
    const qsizetype at = figures.indexOf(QStringLiteral("Iteration"));
    ASSERT_GE(at, 0);
    EXPECT_TRUE(figures[at + 1].contains(QStringLiteral("steady, ["))) << figures[at + 1].toStdString();
    EXPECT_TRUE(figures[at + 1].endsWith(QStringLiteral("] ms"))) << figures[at + 1].toStdString();
}

TEST(TracePage, WhatOnlyDevicesHaveIsNotOfferedForAProcessor)
{
    for (const bool device : {false, true}) {
        PartsFixture fixture(device ? testing::makeLoopTrace({6, 20, 4}) : operatorsOfAProcessor());
        ASSERT_TRUE(fixture.open(QStringLiteral("timeline")));
        EXPECT_EQ(fixture.button(QStringLiteral("Launches")) != nullptr, device);
        ASSERT_TRUE(fixture.open(QStringLiteral("kernels")));
        EXPECT_EQ(fixture.button(QStringLiteral("On devices")) != nullptr, device);
    }
}

TEST(BottleneckPage, WithoutAnyWorkThereAreNoFigures)
{
    trace::TraceBuilder builder;
    trace::Event event;
    event.duration = {1000};
    event.name = builder.intern("task");
    builder.add(builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1}),
                trace::EventKind::range, event);
    PartsFixture fixture(std::make_shared<const trace::Trace>(builder.finish()));
    ASSERT_TRUE(fixture.open(QStringLiteral("bottleneck")));
    EXPECT_TRUE(fixture.shows(QStringLiteral("neither device work nor an operator")));
    EXPECT_TRUE(fixture.figures().isEmpty()) << "100 % of nothing";
}

TEST(BottleneckPage, NoticesOfTheRecordingAreFoldedAndNotSilent)
{
    PartsFixture fixture;
    auto trace = std::make_shared<trace::Trace>(**fixture.gateway->traceResult);
    trace->losses = {
        {.count = 7, .severity = trace::LossSeverity::notice, .reason = base::foreignText("Arrows were left out.")},
        {.severity = trace::LossSeverity::warning, .reason = base::foreignText("The clock moved.")}};
    fixture.gateway->traceResult = trace::TracePtr(trace);
    ASSERT_TRUE(fixture.open(QStringLiteral("bottleneck")));
    EXPECT_TRUE(fixture.shows(QStringLiteral("The clock moved.")));
    EXPECT_FALSE(fixture.shows(QStringLiteral("Arrows were left out. (7 events)"))) << "folded";
    QAbstractButton* fold = fixture.button(QStringLiteral("1 note on the recording"));
    ASSERT_TRUE(fold && fold->isVisible());
    fold->click();
    EXPECT_TRUE(fixture.shows(QStringLiteral("Arrows were left out. (7 events)")));
}

TEST(RooflinePage, WhatLiesAboveItsCeilingIsMarkedAndNotDrawnAsReached)
{
    trace::TraceBuilder builder;
    trace::Track thread;
    thread.thread = 1;
    trace::OperatorDetail detail;
    detail.inputShapes = builder.intern("[[512, 512], [512, 512]]");
    for (int i = 0; i < 40; ++i) {
        trace::Event event;
        event.start = {i * 20'000};
        event.duration = {i % 2 == 0 ? 10'000 : 19'000};
        event.name = builder.intern(i % 2 == 0 ? "aten::mm" : "aten::bmm");
        event.detail = i % 2 == 0 ? builder.detail(detail) : 0;
        builder.add(builder.track(thread), trace::EventKind::operatorCall, event);
    }
    PartsFixture fixture(std::make_shared<const trace::Trace>(builder.finish()));
    fixture.gateway->traceContext.ceilings = {1e13, 9e11, 0, 0, "measured on cpu, fp32"}; // it "reaches" 2.7e13
    ASSERT_TRUE(fixture.open(QStringLiteral("roofline")));
    auto* tab = fixture.part<RooflineTab>();
    ASSERT_TRUE(tab && tab->isVisible());
    const auto& series = tab->chart()->content().series;
    const auto above = std::find_if(series.begin(), series.end(), [](const plots::ChartSeries& s) {
        return s.name == QStringLiteral("above its ceiling");
    });
    ASSERT_NE(above, series.end());
    EXPECT_EQ(above->y, std::vector<double>{1e13}) << "on the roof";
    keepPicture(fixture, QStringLiteral("roofline-above"));
    EXPECT_TRUE(fixture.shows(QStringLiteral("measured too low")));
}

TEST(ShortcutSheet, TheQuestionMarkShowsWhatIsBoundAndAnyKeyHidesIt)
{
    PartsFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("timeline")));
    fixture.window.activateWindow();
    auto* timeline = fixture.part<TimelineTab>()->timeline();
    timeline->setFocus();
    auto* sheet = fixture.window.findChild<ShortcutSheet*>();
    ASSERT_TRUE(sheet && !sheet->isVisible());
    QTest::keyClick(timeline, Qt::Key_Question, Qt::ShiftModifier);
    ASSERT_TRUE(sheet->isVisible());
    keepPicture(fixture, QStringLiteral("shortcuts"));
    const auto* list = sheet->findChild<QScrollArea*>();
    EXPECT_EQ(list->horizontalScrollBarPolicy(), Qt::ScrollBarAlwaysOff) << "nothing is cut at 1280 px";
    EXPECT_EQ(list->verticalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
    QString descriptions;
    for (const QWidget* part : sheet->findChildren<QWidget*>())
        descriptions += part->accessibleDescription();
    int bindings = 0;
    for (const KeyGroup& group : keyGroups(pageTable())) {
        std::set<QString> keys;
        for (const controls::KeyBinding& binding : group.keys) {
            ++bindings;
            EXPECT_TRUE(descriptions.contains(QStringLiteral("%1: %2").arg(keysText(binding), binding.text)))
                << binding.text.toStdString();
            for (const QString& key : controls::keyNames(binding))
                EXPECT_TRUE(keys.insert(key).second) << key.toStdString() << " is bound twice";
        }
    }
    EXPECT_GT(bindings, 45);
    QTest::keyClick(sheet, Qt::Key_Escape);
    EXPECT_FALSE(sheet->isVisible());
    EXPECT_TRUE(timeline->hasFocus()) << "back to where it was";
    QTest::keyClick(timeline, Qt::Key_Question, Qt::ShiftModifier);
    EXPECT_TRUE(sheet->isVisible());
    QTest::mouseClick(sheet, Qt::LeftButton, {}, QPoint(5, 5));
    EXPECT_FALSE(sheet->isVisible());
}

} // namespace apertune::gui
