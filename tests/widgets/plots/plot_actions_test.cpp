// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/legend_row.h"
#include "widgets/controls/panel.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/heat_map.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/plots/tradeoff_plot.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QMenu>
#include <QPushButton>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include <gtest/gtest.h>

namespace apertune::plots {
namespace {

TradeoffData fourPoints()
{
    TradeoffData data;
    data.throughputUnit = QStringLiteral("img/s");
    for (int i = 1; i <= 4; ++i) {
        TradeoffPoint point;
        point.trial = model::TrialId{i};
        point.precision = i % 2 ? model::Precision::fp32 : model::Precision::bf16;
        point.across = {10.0 * i, 9.5 * i, 10.5 * i, 0.95};
        point.throughput = {100.0 * i, 95.0 * i, 105.0 * i, 0.95};
        point.onFront = i == 4;
        point.label = QStringLiteral("O%1, b\"%1\"").arg(i);
        point.toolTip = QStringLiteral("O%1\n%2 ms").arg(i).arg(10 * i);
        data.points.push_back(point);
    }
    data.command = [](model::TrialId id) { return QStringLiteral("apertune tune x --trial %1").arg(id.value); };
    return data;
}

struct Shown
{
    Shown()
    {
        panel.resize(700, 420);
        panel.setTitle(QStringLiteral("Throughput against latency"));
        panel.body()->addWidget(plot);
        plot->setData(fourPoints());
        panel.show();
        QCoreApplication::processEvents();
    }
    QTemporaryDir dir;
    controls::Panel panel;
    TradeoffPlot* plot = new TradeoffPlot(&panel);
    PlotActions* actions = PlotActions::addTo(&panel, plot->chart(), plot->legend());

    QString file(const char* name) const { return dir.filePath(QString::fromLatin1(name)); }
    QByteArray read(const char* name) const
    {
        QFile in(file(name));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    QPointF at(int trial) const { return plot->chart()->positionOf(10.0 * trial, 100.0 * trial); }
};

QAction* entry(QMenu& menu, const QString& start)
{
    for (QAction* action : menu.actions())
        if (action->text().startsWith(start))
            return action;
    return nullptr;
}

int coloursIn(const QImage& image, const QColor& wanted)
{
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            found += theme::contrast(image.pixelColor(x, y), wanted) < 1.1 ? 1 : 0;
    return found;
}

TEST(PlotActions, SavesAPictureInEachFormat)
{
    Shown shown;
    shown.actions->saveTo(shown.file("a.png"), 1);
    shown.actions->saveTo(shown.file("b.png"), 2);
    const QImage once(shown.file("a.png"));
    EXPECT_EQ(QImage(shown.file("b.png")).size(), once.size() * 2);
    const QColor front = theme::precisionMarker(model::Precision::bf16, theme::currentScheme()).color;
    EXPECT_GT(coloursIn(once, front), 20) << "the points are in the picture";

    shown.actions->saveTo(shown.file("a.svg"), 1);
    QSvgRenderer svg(shown.file("a.svg"));
    ASSERT_TRUE(svg.isValid());
    EXPECT_EQ(svg.viewBox().size(), once.size());
    const QByteArray text = shown.read("a.svg");
    EXPECT_TRUE(text.contains("Throughput against latency")) << "the title of the panel";
    EXPECT_TRUE(text.contains("best trade-offs")) << "the legend";
    EXPECT_FALSE(text.contains("<image")) << "vectors, not a bitmap";

    shown.actions->saveTo(shown.file("a.pdf"), 1);
    EXPECT_TRUE(shown.read("a.pdf").startsWith("%PDF-"));
    EXPECT_TRUE(shown.actions->note().contains(QStringLiteral("a.pdf")));
}

TEST(PlotActions, TheDataAreCsvWithUnitsAndIntervals)
{
    Shown shown;
    shown.actions->saveTo(shown.file("a.csv"), 1);
    const QList<QByteArray> lines = shown.read("a.csv").split('\n');
    EXPECT_EQ(lines[0].toStdString(),
              "series,point,\"Latency of one pass, median (ms, log)\",\"Latency of one pass, median (ms, log), low\","
              "\"Latency of one pass, median (ms, log), high\",Throughput (img/s),\"Throughput (img/s), low\","
              "\"Throughput (img/s), high\"");
    EXPECT_TRUE(lines.contains("fp32,\"O1, b\"\"1\"\"\",10,9.5,10.5,100,95,105")) << shown.read("a.csv").toStdString();
    EXPECT_TRUE(lines.contains("\"bf16, best trade-off\",\"O4, b\"\"4\"\"\",40,38,42,400,380,420"));
}

TEST(PlotActions, AFileThatCannotBeWrittenSaysSoAndLeavesNothing)
{
    Shown shown;
    shown.actions->saveTo(QStringLiteral("/proc/no/such/a.png"), 1);
    EXPECT_TRUE(shown.actions->note().contains(QStringLiteral("Choose another folder")))
        << shown.actions->note().toStdString();
    shown.actions->saveTo(shown.file("a.doc"), 1);
    EXPECT_TRUE(shown.actions->note().contains(QStringLiteral(".png, .svg nor .pdf")));
    EXPECT_FALSE(QFile::exists(shown.file("a.doc")));
}

TEST(PlotActions, APointGivesItsValuesAndItsCommandLine)
{
    Shown shown;
    const std::unique_ptr<QMenu> menu(shown.actions->makeMenu(shown.at(3)));
    QAction* values = entry(*menu, QStringLiteral("Copy values of “O3”"));
    ASSERT_NE(values, nullptr);
    values->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("O3\n30 ms"));
    QAction* command = entry(*menu, QStringLiteral("Copy the command line"));
    ASSERT_NE(command, nullptr);
    command->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("apertune tune x --trial 3"));
}

TEST(PlotActions, EmptyGroundHasOnlyWhatConcernsThePlot)
{
    Shown shown;
    const std::unique_ptr<QMenu> menu(shown.actions->makeMenu(shown.plot->chart()->plotArea().bottomRight()));
    EXPECT_EQ(entry(*menu, QStringLiteral("Copy values")), nullptr);
    EXPECT_EQ(entry(*menu, QStringLiteral("Copy the command line")), nullptr);
    entry(*menu, QStringLiteral("Copy data as CSV"))->trigger();
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("series,point,")));
    entry(*menu, QStringLiteral("Copy picture"))->trigger();
    EXPECT_FALSE(QApplication::clipboard()->image().isNull());
}

TEST(PlotActions, TheContextMenuOpensByMouseAndByKeyAtTheSelectedPoint)
{
    Shown shown;
    shown.plot->setSelected(model::TrialId{2});
    QContextMenuEvent byKey(QContextMenuEvent::Keyboard, QPoint(1, 1), QPoint(1, 1));
    QApplication::sendEvent(shown.plot->chart(), &byKey);
    auto* menu = shown.actions->findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    EXPECT_TRUE(menu->isVisible());
    EXPECT_NE(entry(*menu, QStringLiteral("Copy values of “O2”")), nullptr);
    menu->close();
}

TEST(PlotActions, SavingAsksForAFileWithAFittingName)
{
    Shown shown;
    const std::unique_ptr<QMenu> menu(shown.actions->makeMenu(std::nullopt));
    entry(*menu, QStringLiteral("Save as SVG"))->trigger();
    auto* dialog = shown.actions->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->selectedFiles().value(0).endsWith(QStringLiteral("/throughput-against-latency.svg")));
    dialog->close();
    EXPECT_EQ(shown.actions->button()->accessibleName(),
              QStringLiteral("Save or copy: Trade-off plot: throughput against latency"));
}

TEST(PlotActions, AHeatMapGivesItsCells)
{
    HeatMapData data;
    data.rows = QStringList{QStringLiteral("O0 fp32"), QStringLiteral("O2 bf16")};
    data.columns = QStringList{QStringLiteral("1"), QStringLiteral("2")};
    data.rowTitle = QStringLiteral("level");
    data.columnTitle = QStringLiteral("batch");
    data.cells.resize(4);
    data.cells[1] = {HeatCell::State::value, 12.5, QStringLiteral("12.5"), QStringLiteral("O0 fp32 b2"),
                     model::TrialId{9}};
    data.cells[2].state = HeatCell::State::failed;
    data.cells[2].text = QStringLiteral("OOM");
    data.command = [](model::TrialId id) { return QStringLiteral("again %1").arg(id.value); };
    HeatMap map;
    map.resize(400, 200);
    map.setData(data);
    map.setSelected(model::TrialId{9});
    EXPECT_EQ(map.toCsv(), QStringLiteral("level,batch,value,state\nO0 fp32,1,,not run\nO0 fp32,2,12.5,measured\n"
                                          "O2 bf16,1,,OOM\nO2 bf16,2,,not run\n"));
    const PlotSource::Point point = map.pointAt(map.selectedAt());
    EXPECT_EQ(point.text, QStringLiteral("O0 fp32 b2"));
    EXPECT_EQ(point.command, QStringLiteral("again 9"));
}

} // namespace
} // namespace apertune::plots
