// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/compare_page.h"
#include "app/gui/shell/page_table.h"
#include "core/stats/block_stats.h"
#include "core/stats/summarize.h"
#include "tests/app/gui/fake_gateway.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/search_field.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/waterfall_plot.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <map>

namespace apertune::gui {
namespace {

using Snapshot = std::shared_ptr<const model::StudySnapshot>;
const std::filesystem::path kFile = "/nowhere/synthetic.apertune";

/// The synthetic study as if another driver had run it: every cell of `precision` takes `factor` times as long.
Snapshot changedStudy(std::int64_t id, model::Precision precision, double factor)
{
    auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy());
    study->study.id = model::StudyId{id};
    study->study.name = "resnet50 · study " + std::to_string(id);
    study->study.environment.kernel = "6.9.0-1-amd64";
    for (model::Trial& trial : study->trials) {
        trial.id = model::TrialId{trial.id.value + 1000 * id};
        trial.study = study->study.id;
        if (trial.state == model::TrialState::ok && trial.config.precision == precision) {
            for (model::Block& block : trial.measurement.blocks)
                block.wall.count = static_cast<std::int64_t>(static_cast<double>(block.wall.count) * factor);
            trial.measurement.flags.clear();
            stats::summarize(trial.measurement, trial.config.batch);
        }
    }
    return study;
}

base::Result<std::shared_ptr<const CompareView>> compared(const Snapshot& a, const Snapshot& b,
                                                          model::TrialId trialA = {}, model::TrialId trialB = {})
{
    return makeCompareView({kFile, a->study.id, trialA}, a, {kFile, b->study.id, trialB}, b);
}

const model::Trial& measuredTrial(const Snapshot& study)
{
    return *study->find(study->recommended->trial);
}

TEST(CompareView, GivesEachCellAVerdictAndCountsThem)
{
    const auto view = compared(testing::makeSyntheticStudy(), changedStudy(4, model::Precision::bf16, 0.8));
    ASSERT_TRUE(view);
    int bf16 = 0;
    int total = 0;
    for (const plots::ForestRow& row : (*view)->forest) {
        const bool changed = row.label.contains(QStringLiteral("bf16"));
        bf16 += changed ? 1 : 0;
        EXPECT_EQ(row.verdict == stats::Verdict::faster, changed) << row.label.toStdString();
        if (changed) {
            EXPECT_NEAR(row.ratio.value, 1.25, 0.001);
        }
    }
    for (const auto& [verdict, count] : (*view)->counts)
        total += count;
    EXPECT_GT(bf16, 0);
    EXPECT_EQ((*view)->counts.at(stats::Verdict::faster), bf16);
    EXPECT_EQ(total, (*view)->matched());
    EXPECT_EQ((*view)->configurations.size(), (*view)->forest.size());
    EXPECT_EQ((*view)->command, QStringLiteral("apertune compare s3 s4 --store /nowhere/synthetic.apertune"));
}

/// What the columns of A and B hold, over each other.
double quotientShown(const CompareView& view, std::size_t row)
{
    const auto value = [&](std::size_t column) {
        return view.configurations[row].cells[column].raw.toList().at(0).toDouble();
    };
    return value(1) / value(2);
}

TEST(CompareView, ATimeSaysWhatItIsOfAndTheSpeedUpIsOfTheTimesBesideIt)
{
    const auto a = testing::makeSyntheticStudy();
    const auto b = changedStudy(4, model::Precision::bf16, 0.8);
    const auto alike = compared(a, b);
    ASSERT_TRUE(alike);
    EXPECT_EQ((*alike)->timeUnit, QStringLiteral("ms/pass"));
    for (std::size_t row = 0; row < (*alike)->configurations.size(); ++row)
        EXPECT_NEAR(quotientShown(**alike, row) / (*alike)->forest[row].ratio.value, 1, 0.05);
    const auto ofBatch = [&](int batch) {
        return std::find_if(a->trials.begin(), a->trials.end(),
                            [batch](const model::Trial& trial) {
                                return trial.state == model::TrialState::ok && trial.config.batch == batch;
                            })
            ->id;
    };
    const auto view = compared(a, a, ofBatch(1), ofBatch(4));
    ASSERT_TRUE(view);
    ASSERT_EQ((*view)->configurations.size(), 1U);
    EXPECT_EQ((*view)->timeUnit, QStringLiteral("ms/image"));
    EXPECT_NEAR(quotientShown(**view, 0) / (*view)->forest[0].ratio.value, 1, 0.05)
        << "a pass of 1 image against one of 4 says the opposite";
    EXPECT_EQ(comparisonColumns((*view)->timeUnit)[1].title, QStringLiteral("A ms/image"));
    EXPECT_TRUE((*view)->a.facts.contains(QStringLiteral("ms per pass of 1 image"))) << (*view)->a.facts.toStdString();
    EXPECT_TRUE((*view)->b.facts.contains(QStringLiteral("ms per pass of 4 images"))) << (*view)->b.facts.toStdString();
}

TEST(CompareView, TheEndsOfAnIntervalAreInTheUnitOfTheTimeBeforeThem)
{
    const auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy());
    std::map<int, model::Trial*> ofBatch;
    for (model::Trial& trial : study->trials)
        if (trial.state == model::TrialState::ok)
            ofBatch.try_emplace(trial.config.batch, &trial);
    model::Interval& wide = ofBatch.at(4)->measurement.latencyNs;
    wide.lo = wide.value / 2;
    wide.hi = wide.value * 2;
    ofBatch.at(1)->measurement.latencyNs.confidence = 0;
    const auto view = compared(study, study, ofBatch.at(1)->id, ofBatch.at(4)->id);
    ASSERT_TRUE(view);
    const auto& cells = (*view)->configurations.at(0).cells;
    EXPECT_TRUE(cells[1].text.endsWith(QStringLiteral(" ± ?"))) << cells[1].text.toStdString();
    const double shown = wide.value * 1e-6 / 4;
    EXPECT_EQ(cells[2].text.section(QLatin1Char(' '), 1),
              QStringLiteral("[%1, %2]").arg(theme::number(shown / 2, 3), theme::number(shown * 2, 3)))
        << cells[2].text.toStdString();
}

TEST(CompareView, WarnsWhereTheModelsDifferAndSaysNothingWhereTheyDoNot)
{
    const auto a = testing::makeSyntheticStudy();
    EXPECT_TRUE((*compared(a, changedStudy(4, model::Precision::bf16, 0.8)))->warning.isEmpty());
    const auto b = std::make_shared<model::StudySnapshot>(*a);
    b->study.model.contentHash = std::string(64, 'b');
    EXPECT_TRUE((*compared(a, b))->warning.contains(QStringLiteral("two versions of")));
    b->study.model.name = "vit_b_16";
    const QString warning = (*compared(a, b))->warning;
    EXPECT_TRUE(warning.contains(QStringLiteral("different models")) && warning.contains(QStringLiteral("vit_b_16")))
        << warning.toStdString();
}

TEST(CompareView, ListsWhatDiffersAndCellsWithoutAPartner)
{
    const auto a = testing::makeSyntheticStudy();
    testing::SyntheticOptions fewer;
    fewer.batches = 5;
    const auto b = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy(fewer));
    b->study.environment.kernel = "6.9.0-1-amd64";
    const auto view = compared(a, b);
    ASSERT_TRUE(view);
    ASSERT_EQ((*view)->differences.size(), 2U);
    EXPECT_EQ((*view)->differences[0].cells[0].text, QStringLiteral("batch"));
    EXPECT_EQ((*view)->differences[0].cells[1].text, QStringLiteral("1, 2, 4, 8, 16, 32"));
    EXPECT_EQ((*view)->differences[0].cells[2].text, QStringLiteral("1, 2, 4, 8, 16"));
    EXPECT_EQ((*view)->differences[1].cells[0].text, QStringLiteral("kernel"));
    EXPECT_EQ((*view)->differences[1].cells[2].text, QStringLiteral("6.9.0-1-amd64"));
    ASSERT_FALSE((*view)->oneSided.empty());
    for (const auto& row : (*view)->oneSided) {
        EXPECT_TRUE(row.cells[0].text.contains(QStringLiteral("b32"))) << row.cells[0].text.toStdString();
        EXPECT_EQ(row.cells[1].text, QStringLiteral("only in A"));
    }
}

TEST(CompareView, HoldsASingleTrialAgainstTheSameConfigurationOfTheOtherStudy)
{
    const auto a = testing::makeSyntheticStudy();
    const auto b = changedStudy(4, model::Precision::bf16, 0.8);
    const model::Trial& trial = measuredTrial(a);
    const auto view = compared(a, b, trial.id);
    ASSERT_TRUE(view);
    ASSERT_EQ((*view)->matched(), 1);
    EXPECT_EQ((*view)->b.side.trial.value, trial.id.value + 4000);
    EXPECT_NE((*view)->b.name, QStringLiteral("resnet50 · study 4"));
}

TEST(CompareView, SaysWhatToChooseWhenATrialIsGone)
{
    const auto a = testing::makeSyntheticStudy();
    const auto view = compared(a, a, model::TrialId{99999});
    ASSERT_FALSE(view);
    EXPECT_EQ(view.error().code, base::ErrorCode::notFound);
    EXPECT_FALSE(view.error().hint.empty());
}

store::StudySummary summaryOf(std::int64_t id, const std::string& model, int ok)
{
    store::StudySummary summary;
    summary.id = model::StudyId{id};
    summary.name = model + " · study " + std::to_string(id);
    summary.modelName = model;
    summary.trials = 10;
    summary.ok = ok;
    return summary;
}

TEST(CompareView, ComparesTheLastStudyWithTheOneOfItsModelBefore)
{
    const auto sides = defaultComparison(kFile,
                                         {summaryOf(9, "resnet50", 0), summaryOf(7, "resnet50", 4),
                                          summaryOf(6, "vit_b_16", 4), summaryOf(5, "resnet50", 4)},
                                         nullptr);
    ASSERT_TRUE(sides);
    EXPECT_EQ(sides->first.study.value, 5);
    EXPECT_EQ(sides->second.study.value, 7);
}

TEST(CompareView, ComparesTheStudyThatIsShownAndNeverAnotherModelsUnasked)
{
    const auto study = testing::makeSyntheticStudy(); // study 3
    ASSERT_EQ(study->study.id.value, 3);
    const auto withLater = defaultComparison(
        kFile, {summaryOf(5, "vit_b_16", 4), summaryOf(4, "resnet50", 4), summaryOf(3, "resnet50", 4)}, study);
    ASSERT_TRUE(withLater);
    EXPECT_EQ(withLater->first.study.value, 3);
    EXPECT_EQ(withLater->second.study.value, 4);
    const auto alone = defaultComparison(kFile, {summaryOf(5, "vit_b_16", 4), summaryOf(3, "resnet50", 4)}, study);
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->first.trial, study->recommended->against);
    EXPECT_EQ(alone->second.trial, study->recommended->trial);
    const auto others = defaultComparison(kFile, {summaryOf(5, "vit_b_16", 4), summaryOf(3, "resnet50", 4)}, nullptr);
    ASSERT_TRUE(others);
    EXPECT_EQ(others->first.study.value, 3);
    EXPECT_EQ(others->second.study.value, 5);
}

TEST(CompareView, ComparesASingleStudysRecommendationWithItsBaseline)
{
    const auto study = testing::makeSyntheticStudy();
    const auto sides = defaultComparison(kFile, {summaryOf(3, "resnet50", 4)}, study);
    ASSERT_TRUE(sides);
    EXPECT_EQ(sides->first.trial, study->recommended->against);
    EXPECT_EQ(sides->second.trial, study->recommended->trial);
    EXPECT_FALSE(defaultComparison(kFile, {}, nullptr));
}

/// A Compare page over two studies, shown.
struct CompareFixture
{
    QTemporaryDir dir;
    Settings settings{dir.filePath(QStringLiteral("s.ini")), nullptr};
    std::shared_ptr<testing::FakeGateway> gateway = testing::makeFakeGateway();
    AppContext context{settings, gateway, pageTable()};
    ComparePage page{context, nullptr};

    CompareFixture()
    {
        const Snapshot b = changedStudy(4, model::Precision::bf16, 0.8);
        gateway->stored[{kFile, 3}] = gateway->state.snapshot;
        gateway->stored[{kFile, 4}] = b;
        store::StudySummary second = gateway->state.studies.front();
        second.id = b->study.id;
        second.name = b->study.name;
        gateway->state.studies.insert(gateway->state.studies.begin(), second);
    }
    bool show()
    {
        page.resize(1188, 700);
        context.session.setFile(kFile);
        context.session.setState(gateway->state);
        page.show();
        return settle();
    }
    bool settle()
    {
        return QTest::qWaitFor([&] { return context.tasks.isIdle() && page.isReady(); }, 60000);
    }
    tables::LeanTable* table(const char* name)
    {
        for (auto* found : page.findChildren<tables::LeanTable*>())
            if (found->accessibleName() == QLatin1String(name))
                return found;
        return nullptr;
    }
};

TEST(ComparePage, TeachesWhatItNeedsWhileThereIsNothingToCompare)
{
    CompareFixture fixture;
    fixture.gateway->state.studies.clear();
    fixture.gateway->state.snapshot.reset();
    ASSERT_TRUE(fixture.show());
    EXPECT_TRUE(fixture.page.facts().isEmpty());
    EXPECT_FALSE(fixture.table("Configurations measured on both sides")->isVisible());
}

TEST(ComparePage, LinksTableAndForestPlotWhateverTheOrder)
{
    CompareFixture fixture;
    ASSERT_TRUE(fixture.show());
    tables::LeanTable* table = fixture.table("Configurations measured on both sides");
    ASSERT_NE(table, nullptr);
    QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_GT(table->model()->rowCount(), 4);
    auto* forest = fixture.page.findChild<plots::ForestPlot*>();
    table->sortByColumn(3, Qt::DescendingOrder);
    table->selectRow(2);
    const auto& model = *static_cast<tables::TextTableModel*>(table->model());
    EXPECT_EQ(forest->chart()->selected(), model.keyAt(2));
    Q_EMIT forest->rowClicked(model.keyAt(4));
    EXPECT_EQ(table->currentIndex().row(), 4);
    // The plot's lines stand in the table's order, from the top.
    const auto& ticks = forest->chart()->content().y.ticks;
    ASSERT_FALSE(ticks.empty());
    EXPECT_EQ(ticks.front().text, model.index(0, 0).data().toString());
    EXPECT_GT(ticks.front().at, ticks.back().at);
}

TEST(ComparePage, TheVerdictIsSeenInANarrowWindowAndInLargeText)
{
    for (const int text : {theme::kDefaultTextSize, theme::kMaxTextSize}) {
        theme::Theme::instance().setTextSize(text);
        CompareFixture fixture;
        ASSERT_TRUE(fixture.show());
        // The page has these widths in windows of 1024 and 1280 px.
        fixture.page.resize(text == theme::kDefaultTextSize ? 932 : 1188, 640);
        QTest::qWait(50);
        const auto* table = fixture.table("Configurations measured on both sides");
        const int last = table->model()->columnCount() - 1;
        ASSERT_GT(table->model()->rowCount(), 0);
        EXPECT_LE(table->columnViewportPosition(last) + table->columnWidth(last), table->viewport()->width())
            << text << " px";
    }
    theme::Theme::instance().setTextSize(theme::kDefaultTextSize);
}

TEST(ComparePage, AVerdictChipNarrowsTableAndPlot)
{
    CompareFixture fixture;
    ASSERT_TRUE(fixture.show());
    tables::LeanTable* table = fixture.table("Configurations measured on both sides");
    const int all = table->model()->rowCount();
    controls::Chip* faster = nullptr;
    for (auto* chip : fixture.page.findChildren<controls::Chip*>())
        faster = chip->accessibleName().endsWith(QStringLiteral("faster")) ? chip : faster;
    ASSERT_NE(faster, nullptr);
    ASSERT_TRUE(faster->isVisible());
    faster->click();
    const int shown = table->model()->rowCount();
    EXPECT_GT(shown, 0);
    EXPECT_LT(shown, all);
    for (int row = 0; row < shown; ++row)
        EXPECT_EQ(table->model()->index(row, 5).data().toString(), QStringLiteral("faster"));
}

TEST(ComparePage, AnEmptyTableSaysWhyAndWhatToDo)
{
    CompareFixture fixture;
    ASSERT_TRUE(fixture.show());
    tables::LeanTable* table = fixture.table("Configurations measured on both sides");
    const auto isShown = [&](const QString& words) {
        for (const auto* label : fixture.page.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(words))
                return true;
        return false;
    };
    auto* filter = fixture.page.findChild<controls::SearchField*>();
    ASSERT_NE(filter, nullptr);
    filter->setText(QStringLiteral("no such configuration"));
    EXPECT_FALSE(table->isVisible());
    EXPECT_TRUE(isShown(QStringLiteral("Clear the filter")));
    filter->clear();
    EXPECT_TRUE(table->isVisible());
    EXPECT_FALSE(isShown(QStringLiteral("Clear the filter")));

    auto apart = std::make_shared<model::StudySnapshot>(*fixture.gateway->stored[{kFile, 4}]);
    for (model::Trial& trial : apart->trials)
        trial.config.batch += 1000; // no batch of the other study
    fixture.gateway->stored[{kFile, 4}] = apart;
    fixture.page.headerActions().front()->trigger(); // swap, which reads both again
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(table->model()->rowCount(), 0);
    EXPECT_TRUE(isShown(QStringLiteral("No configuration was measured on both sides")));
}

TEST(ComparePage, SwappingTurnsTheVerdictsAround)
{
    CompareFixture fixture;
    ASSERT_TRUE(fixture.show());
    const QString before = fixture.page.facts();
    ASSERT_TRUE(before.startsWith(QStringLiteral("resnet50 · study 4 against resnet50 · study 3")));
    fixture.page.headerActions().front()->trigger();
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(fixture.page.facts().startsWith(QStringLiteral("resnet50 · study 3 against resnet50 · study 4")));
}

TEST(ComparePage, AFailureIsSaidOnThePageAndLeavesNoOldNumbers)
{
    CompareFixture fixture;
    ASSERT_TRUE(fixture.show());
    ASSERT_GT(fixture.table("Configurations measured on both sides")->model()->rowCount(), 0);
    fixture.gateway->studyError =
        base::plainError(base::ErrorCode::corrupt, "The workspace is damaged.", {}, "Restore it.");
    fixture.page.headerActions().front()->trigger();
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.table("Configurations measured on both sides")->model()->rowCount(), 0);
    EXPECT_TRUE(fixture.page.facts().isEmpty());
}

/// The button with that text, when it is shown.
QPushButton* shownButton(const QWidget& page, const QString& text)
{
    for (auto* button : page.findChildren<QPushButton*>())
        if (button->text() == text && button->isVisible())
            return button;
    return nullptr;
}

TEST(ComparePage, OffersToRecordATraceThatIsMissing)
{
    CompareFixture fixture;
    ASSERT_TRUE(fixture.show());
    auto* waterfall = fixture.page.findChild<plots::WaterfallPlot*>();
    ASSERT_TRUE(waterfall);
    EXPECT_FALSE(waterfall->isVisible());
    EXPECT_FALSE(shownButton(fixture.page, QStringLiteral("Parts and layers")));
    EXPECT_TRUE(shownButton(fixture.page, QStringLiteral("Trace A")));
    QPushButton* record = shownButton(fixture.page, QStringLiteral("Trace B"));
    ASSERT_TRUE(record);
    record->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(fixture.gateway->captured) << "the trial is recorded at once";
}

TEST(ComparePage, ShowsTheWaterfallOfTheTracesOfBothSides)
{
    CompareFixture fixture;
    fixture.gateway->traceResult = testing::makeLoopTrace({12, 60, 4});
    const Snapshot a = fixture.gateway->stored[{kFile, 3}];
    const Snapshot b = fixture.gateway->stored[{kFile, 4}];
    const auto view = compared(a, b);
    ASSERT_TRUE(view);
    store::TraceSummary counters;
    counters.name = "resnet50, counters of the SM";
    for (const auto& [number, trial] :
         {std::pair(7, (*view)->trials[0].first), std::pair(8, (*view)->trials[0].second)}) {
        store::TraceSummary trace;
        trace.id = store::TraceId{number};
        trace.trial = trial;
        trace.name = "resnet50";
        trace.complete = true;
        counters.trial = trial;
        counters.id = store::TraceId{100 + number};
        counters.complete = true;
        fixture.gateway->traceList.push_back(counters); // newer, and no record of the work
        fixture.gateway->traceList.push_back(trace);
    }
    ASSERT_TRUE(fixture.show());
    auto* waterfall = fixture.page.findChild<plots::WaterfallPlot*>();
    ASSERT_TRUE(waterfall);
    EXPECT_TRUE(waterfall->isVisible());
    EXPECT_GT(waterfall->waterfall().start, 0);
    EXPECT_FALSE(shownButton(fixture.page, QStringLiteral("Trace A")));
    QPushButton* open = shownButton(fixture.page, QStringLiteral("Parts and layers"));
    ASSERT_TRUE(open);
    open->click();
    ASSERT_TRUE(fixture.context.traces.wantedOther());
    EXPECT_EQ(fixture.context.traces.wantedOther()->value, 7);
    EXPECT_EQ(fixture.context.traces.wantedTab(), QStringLiteral("difference"));
    tables::LeanTable* table = fixture.table("Configurations measured on both sides");
    table->selectRow(1); // a configuration without traces
    ASSERT_TRUE(fixture.settle());
    EXPECT_FALSE(waterfall->isVisible());
}

TEST(ComparePage, EveryControlHasANameAndIsReachedByKeyboard)
{
    CompareFixture fixture;
    ASSERT_TRUE(fixture.show());
    for (auto* box : fixture.page.findChildren<QComboBox*>()) {
        EXPECT_FALSE(box->accessibleName().isEmpty());
        EXPECT_TRUE(box->focusPolicy() & Qt::TabFocus);
    }
    for (auto* table : fixture.page.findChildren<tables::LeanTable*>()) {
        EXPECT_FALSE(table->accessibleName().isEmpty());
        EXPECT_TRUE(table->focusPolicy() & Qt::TabFocus);
    }
}

} // namespace
} // namespace apertune::gui
