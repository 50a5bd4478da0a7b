// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/import_bar.h"
#include "app/gui/pages/study/model_page.h"
#include "app/gui/presenters/memory_view.h"
#include "app/gui/shell/drop_hint.h"
#include "app/gui/shell/page_table.h"
#include "core/models/zoo.h"
#include "tests/app/gui/fake_gateway.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/tables/lean_table.h"

#include <QAbstractItemModelTester>
#include <QInputDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

TEST(ModelView, ListsImportedModelsFirstAndTheRestOfTheZooOnce)
{
    const std::vector<model::ModelRef> models{testing::makeSyntheticModel()};
    const auto choices = modelChoices(models);
    ASSERT_EQ(choices.size(), models::zoo().size());
    EXPECT_TRUE(choices.front().imported);
    EXPECT_EQ(choices.front().name, QStringLiteral("resnet50"));
    for (std::size_t i = 1; i < choices.size(); ++i) {
        EXPECT_FALSE(choices[i].imported);
        EXPECT_NE(choices[i].source, choices.front().source);
    }
    EXPECT_TRUE(choiceRows(choices, models).front().cells[1].text.startsWith(QStringLiteral("25.6")));
}

TEST(ModelView, GivesEachLayerItsShareOfTheWork)
{
    const ModelView view = makeModelView(testing::makeSyntheticModel());
    ASSERT_EQ(view.layers.size(), 9U);
    double sum = 0;
    double longest = 0;
    for (const auto& row : view.layers) {
        sum += row.cells[6].text.isEmpty() ? 0 : row.cells[6].text.chopped(2).toDouble();
        longest = std::max(longest, row.cells[6].share);
    }
    EXPECT_NEAR(sum, 100, 0.5);
    EXPECT_DOUBLE_EQ(longest, 1);
    EXPECT_TRUE(view.layers[1].cells[5].text.isEmpty()) << "a layer without MACs shows none";
    EXPECT_LT(view.layers[1].cells[6].share, 0);
}

TEST(MemoryView, ShowsTheEstimateItsRangeTheMeasuredPeaksAndTheLimit)
{
    const study::MemoryForecast forecast = testing::makeSyntheticMemory().front();
    const MemoryView view = makeMemoryView(forecast, true);
    EXPECT_EQ(view.name, QStringLiteral("libtorch fp32 on cpu"));
    ASSERT_EQ(view.chart.series.size(), 3U);
    EXPECT_EQ(view.chart.series[1].y.size(), 7U);
    EXPECT_LT(view.chart.series[1].yLo.back(), view.chart.series[1].y.back());
    EXPECT_GT(view.chart.series[1].yHi.back(), view.chart.series[1].y.back());
    EXPECT_EQ(view.chart.series[2].x, (std::vector<double>{1, 4}));
    ASSERT_EQ(view.chart.rules.size(), 1U);
    EXPECT_DOUBLE_EQ(view.chart.rules.front().at, 4) << "GiB";
    EXPECT_TRUE(view.remarks.contains(QStringLiteral("Measure a third batch"))) << view.remarks.toStdString();
    EXPECT_TRUE(memoryToolTip(forecast.points.front()).contains(QStringLiteral("measured: 500 MiB")));
}

TEST(ModelView, WarnsAboutWhatAModelCannotDo)
{
    model::ModelRef model = testing::makeSyntheticModel();
    model.dynamicBatch = false;
    model.hasExportedProgram = false;
    model.macs.reset();
    model.layers.clear();
    const ModelView view = makeModelView(model);
    const auto warnings = std::count_if(view.facts.begin(), view.facts.end(),
                                        [](const auto& fact) { return fact.tone == controls::Tone::warn; });
    EXPECT_EQ(warnings, 2);
    EXPECT_EQ(view.figures[1].value, QStringLiteral("–"));
    EXPECT_EQ(view.figures[2].value, QStringLiteral("–"));
}

TEST(ModelView, NamesTheBatchesThatFail)
{
    model::ModelRef model = testing::makeSyntheticModel();
    model.failingBatches = {{3, "ValueError: no threes"}, {8, "too many"}};
    const ModelView view = makeModelView(model);
    const auto batch = std::find_if(view.facts.begin(), view.facts.end(),
                                    [](const auto& fact) { return fact.name == QStringLiteral("Batch"); });
    ASSERT_NE(batch, view.facts.end());
    EXPECT_EQ(batch->value, QStringLiteral("any but 3, 8"));
    EXPECT_EQ(batch->toolTip, QStringLiteral("Batch 3: ValueError: no threes\nBatch 8: too many"));
    EXPECT_EQ(batch->tone, controls::Tone::warn);
}

struct ModelFixture
{
    QTemporaryDir dir;
    Settings settings{dir.filePath(QStringLiteral("s.ini")), nullptr};
    std::shared_ptr<testing::FakeGateway> gateway = testing::makeFakeGateway();
    AppContext context{settings, gateway, pageTable()};
    ModelPage page{context, nullptr};

    void show()
    {
        page.resize(1188, 700);
        context.session.setFile("/nowhere/synthetic.apertune");
        context.session.setState(gateway->state);
        page.show();
    }
    tables::LeanTable* table(const QString& name)
    {
        for (auto* found : page.findChildren<tables::LeanTable*>())
            if (found->accessibleName() == name)
                return found;
        return nullptr;
    }
    QPushButton* button(const QString& text)
    {
        for (auto* found : page.findChildren<QPushButton*>())
            if (found->text() == text && found->isVisible())
                return found;
        return nullptr;
    }
    bool settle()
    {
        return QTest::qWaitFor([&] { return context.tasks.isIdle(); }, 60000);
    }
};

TEST(ModelPage, ShowsTheLayersSortedAndFiltered)
{
    ModelFixture fixture;
    fixture.show();
    EXPECT_EQ(fixture.page.title(), QStringLiteral("resnet50"));
    tables::LeanTable* layers = fixture.table(QStringLiteral("Layers"));
    ASSERT_NE(layers, nullptr);
    QAbstractItemModelTester tester(layers->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(layers->model()->rowCount(), 9);
    EXPECT_EQ(layers->horizontalScrollBar()->maximum(), 0) << "the name gives way, not the share at the right";
    layers->sortByColumn(5, Qt::DescendingOrder);
    EXPECT_EQ(layers->model()->index(0, 1).data().toString(), QStringLiteral("conv1"));
    fixture.page.setFilter(QStringLiteral("layer1 conv2d"));
    EXPECT_EQ(layers->model()->rowCount(), 2);
    fixture.page.cancelOrClear();
    EXPECT_EQ(layers->model()->rowCount(), 9);
}

TEST(ModelPage, OffersToImportAZooModelAndThenShowsIt)
{
    ModelFixture fixture;
    fixture.show();
    tables::LeanTable* list = fixture.table(QStringLiteral("Models of this workspace and of the zoo"));
    ASSERT_NE(list, nullptr);
    list->selectRow(1);
    const QString name = list->model()->index(1, 0).data().toString();
    EXPECT_EQ(fixture.page.title(), name);
    EXPECT_TRUE(fixture.page.facts().endsWith(QStringLiteral("not imported yet")));
    EXPECT_FALSE(fixture.table(QStringLiteral("Layers"))->isVisible());

    model::ModelRef imported = testing::makeSyntheticModel();
    imported.name = name.toStdString();
    for (const ModelChoice& choice : modelChoices({}))
        imported.source = choice.name == name ? choice.source.toStdString() : imported.source;
    fixture.gateway->importResult = imported;
    fixture.gateway->state.models.push_back(imported);
    ++fixture.gateway->state.version;
    for (auto* button : fixture.page.findChildren<QPushButton*>()) {
        if (button->text() == QStringLiteral("Import") && button->isVisible() && button->isEnabled()) {
            button->click();
            break;
        }
    }
    ASSERT_TRUE(fixture.settle());
    fixture.context.session.setState(fixture.gateway->state);
    EXPECT_EQ(fixture.page.title(), name);
    EXPECT_TRUE(fixture.table(QStringLiteral("Layers"))->isVisible());
}

TEST(ModelPage, SaysWhyAnImportFailedAndWhatToDo)
{
    ModelFixture fixture;
    fixture.show();
    fixture.gateway->importResult = base::plainError(
        base::ErrorCode::invalidArgument, "resnet5000 is not a model of timm.", {}, "Did you mean resnet50?");
    auto* source = fixture.page.findChild<ImportBar*>()->findChild<QLineEdit*>();
    source->setText(QStringLiteral("timm:resnet5000"));
    QTest::keyClick(source, Qt::Key_Return);
    EXPECT_TRUE(fixture.context.jobs.state().busy());
    ASSERT_NE(fixture.button(QStringLiteral("Stop")), nullptr);
    EXPECT_FALSE(fixture.page.headerActions().back()->isEnabled()) << "one job at a time";
    ASSERT_TRUE(fixture.settle());
    bool shown = false;
    for (auto* label : fixture.page.findChildren<controls::Label*>())
        shown = shown || (label->isVisible() && label->text().contains(QStringLiteral("Did you mean resnet50?")));
    EXPECT_TRUE(shown);
    EXPECT_TRUE(fixture.page.headerActions().back()->isEnabled());
}

TEST(ModelPage, WeightsGoWithTheSourceAndStayWhenTheImportFails)
{
    ModelFixture fixture;
    fixture.show();
    const auto fields = fixture.page.findChild<ImportBar*>()->findChildren<QLineEdit*>();
    ASSERT_EQ(fields.size(), 2);
    QLineEdit* const weights = fields[1];
    EXPECT_EQ(weights->accessibleName(), QStringLiteral("Weights of the model"));
    const auto labels = fixture.page.findChildren<controls::Label*>();
    EXPECT_TRUE(
        std::any_of(labels.begin(), labels.end(), [&](const auto* label) { return label->buddy() == weights; }));

    fixture.gateway->importResult =
        base::plainError(base::ErrorCode::notFound, "There is no weights file /w.pt.", {}, "Give the path of one.");
    fields[0]->setText(QStringLiteral("timm:convnext_tiny"));
    weights->setText(QStringLiteral("/w.pt"));
    QTest::keyClick(weights, Qt::Key_Return);
    ASSERT_TRUE(fixture.settle());
    ASSERT_EQ(fixture.gateway->imports.size(), 1U);
    EXPECT_EQ(fixture.gateway->imports[0].source, "timm:convnext_tiny");
    EXPECT_EQ(fixture.gateway->imports[0].weights, "/w.pt");
    EXPECT_EQ(weights->text(), QStringLiteral("/w.pt")) << "to be corrected";
    bool shown = false;
    for (auto* label : fixture.page.findChild<ImportBar*>()->findChildren<controls::Label*>())
        shown = shown || (label->isVisible() && label->text().contains(QStringLiteral("no weights file /w.pt")));
    EXPECT_TRUE(shown);

    fixture.gateway->importResult = testing::makeSyntheticModel();
    QTest::keyClick(weights, Qt::Key_Return);
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(weights->text().isEmpty()) << "the next model has its own";
}

TEST(ModelPage, AFileThatDoesNotSayItsInputsIsAskedForThem)
{
    ModelFixture fixture;
    fixture.show();
    fixture.gateway->importResult =
        base::plainError(base::ErrorCode::invalidArgument, "net.pt does not say its inputs.", {},
                         "Pass --input-shape NAME:float32:1x3x224x224, once for each input.");
    fixture.context.openFile(QStringLiteral("/models/net.pt"));
    ASSERT_TRUE(fixture.settle());
    auto* dialog = fixture.page.findChild<QInputDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->labelText().contains(QStringLiteral("net.pt does not say its inputs")));
    dialog->setTextValue(QStringLiteral("image:float32:1x3x8x8\n\n sizes:int64:1x2 \n"));
    dialog->accept();
    ASSERT_TRUE(fixture.settle());
    ASSERT_EQ(fixture.gateway->imports.size(), 2U);
    EXPECT_EQ(fixture.gateway->imports[1].source, "/models/net.pt");
    EXPECT_EQ(fixture.gateway->imports[1].inputShapes,
              (std::vector<std::string>{"image:float32:1x3x8x8", "sizes:int64:1x2"}));
}

TEST(ModelPage, TakesTheFilesThatTheCommandLineTakes)
{
    for (const char* file : {"a.pt", "a.pt2", "a.PTH", "a.ts", "a.torchscript", "dir.d/a.onnx", "a.xml"}) {
        EXPECT_TRUE(AppContext::isModelName(QString::fromLatin1(file))) << file;
        EXPECT_TRUE(DropHint::actionFor(QString::fromLatin1(file)).startsWith(QStringLiteral("Import model"))) << file;
    }
    for (const char* file : {"a.bin", "a.json", "pt", "a.onnx.data"})
        EXPECT_FALSE(AppContext::isModelName(QString::fromLatin1(file))) << file;
}

TEST(ModelPage, AutoTuneSweepsTheModelOnThePage)
{
    ModelFixture fixture;
    fixture.show();
    std::string swept;
    fixture.gateway->sweepScript = [&swept](const auto& what, const auto&, std::stop_token) {
        swept = std::get<study::StudyRequest>(what).model.name;
        return base::Result<base::Outcome>(base::Outcome::done);
    };
    QSignalSpy navigation(&fixture.context, &AppContext::navigationRequested);
    fixture.page.triggerPrimary();
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(swept, "resnet50");
    ASSERT_EQ(navigation.count(), 1);
    EXPECT_EQ(navigation.front().front().value<PageId>(), PageId::live);
}

} // namespace
} // namespace apertune::gui
