// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/heat_map.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/tabular.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace apertune::plots {
namespace {

HeatMapMetrics metricsFor(double width, double height, int rows, int columns, double label = 80)
{
    return {width, height, rows, columns, label, 30, 14, true};
}

TEST(HeatMapLayout, ARowLabelIsNeverCut)
{
    for (double width = 120; width < 900; width += 37) {
        const HeatMapLayout layout = layOutHeatMap(metricsFor(width, 300, 6, 8, 96.4));
        for (const Box& label : layout.rowLabels)
            EXPECT_GE(label.width, 96.4) << width;
    }
}

TEST(HeatMapLayout, CellsTouchNeitherEachOtherNorTheEdges)
{
    const HeatMapLayout layout = layOutHeatMap(metricsFor(600, 300, 7, 9));
    ASSERT_EQ(layout.cells.size(), 63u);
    for (std::size_t i = 0; i < layout.cells.size(); ++i) {
        const Box& cell = layout.cells[i];
        // The frame around the chosen one is whole, too.
        EXPECT_LE(cell.right() + 3, 600);
        EXPECT_GE(cell.y, 3);
        if (i % 9 > 0) {
            EXPECT_GE(cell.x, layout.cells[i - 1].right());
        }
        if (i >= 9) {
            EXPECT_GE(cell.y, layout.cells[i - 9].bottom());
        }
        EXPECT_EQ(cell.x, std::round(cell.x));
    }
    EXPECT_LE(layout.columnTitle.bottom(), 301);
}

TEST(HeatMapLayout, TextShowsOnlyWhereItFits)
{
    EXPECT_TRUE(layOutHeatMap(metricsFor(600, 300, 4, 6)).showText);
    EXPECT_FALSE(layOutHeatMap(metricsFor(200, 300, 4, 20)).showText);
    EXPECT_FALSE(layOutHeatMap(metricsFor(600, 80, 12, 6)).showText);
}

TEST(HeatMapLayout, FindsTheCellUnderAPoint)
{
    const HeatMapLayout layout = layOutHeatMap(metricsFor(600, 300, 4, 6));
    const Box& box = layout.cells[9];
    EXPECT_EQ(layout.cellAt(box.x + 2, box.y + 2), 9);
    EXPECT_EQ(layout.cellAt(5, 5), std::nullopt);
    EXPECT_EQ(layout.cellAt(-1, 1e6), std::nullopt);
}

TEST(HeatMapLayout, NothingToShowIsFine)
{
    EXPECT_TRUE(layOutHeatMap(metricsFor(600, 300, 0, 6)).cells.empty());
    EXPECT_TRUE(layOutHeatMap(metricsFor(600, 300, 6, 0)).cells.empty());
}

HeatMapData sample()
{
    HeatMapData data;
    data.rows = {QStringLiteral("O0 fp32"), QStringLiteral("a very long row label")};
    data.columns = {QStringLiteral("1"), QStringLiteral("2")};
    data.columnTitle = QStringLiteral("batch");
    const auto cell = [](HeatCell::State state, double value, std::int64_t id) {
        return HeatCell{state, value, QString::number(value), {}, model::TrialId{id}};
    };
    data.cells = {cell(HeatCell::State::value, 10, 1), cell(HeatCell::State::value, 20, 2),
                  cell(HeatCell::State::failed, 0, 3), cell(HeatCell::State::skipped, 0, 0)};
    return data;
}

TEST(HeatMap, AClickSelectsTheTrialOfItsCell)
{
    HeatMap map;
    map.resize(400, 200);
    map.setData(sample());
    map.show();
    QSignalSpy clicks(&map, &HeatMap::trialClicked);
    const Box box = map.layoutNow().cells[1];
    QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(static_cast<int>(box.x) + 4, static_cast<int>(box.y) + 4));
    ASSERT_EQ(clicks.count(), 1);
    EXPECT_EQ(clicks.first().first().value<model::TrialId>().value, 2);
    const Box empty = map.layoutNow().cells[3];
    QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(static_cast<int>(empty.x) + 4, static_cast<int>(empty.y) + 4));
    EXPECT_EQ(clicks.count(), 1);
}

TEST(HeatMap, ArrowKeysMoveOverCellsWithTrials)
{
    HeatMap map;
    map.resize(400, 200);
    map.setData(sample());
    map.setSelected(model::TrialId{1});
    QSignalSpy clicks(&map, &HeatMap::trialClicked);
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Right);
    ASSERT_EQ(clicks.count(), 2);
    EXPECT_EQ(clicks.at(0).first().value<model::TrialId>().value, 2);
    EXPECT_EQ(clicks.at(1).first().value<model::TrialId>().value, 3);
}

TEST(HeatMap, SaysItsBestCellToAssistiveTools)
{
    HeatMap map;
    map.setData(sample());
    EXPECT_EQ(map.accessibleDescription().toStdString(), "2 of 4 cells measured. Highest: 20 at O0 fp32, batch 2.");
}

TEST(HeatMap, RowLabelsHaveTheRoomTheirTextNeeds)
{
    HeatMap map;
    map.resize(300, 160);
    map.setData(sample());
    const double needed =
        theme::tabularWidth(theme::font(theme::Type::caption), QStringLiteral("a very long row label"));
    EXPECT_GE(map.layoutNow().rowLabels[1].width, needed);
}

} // namespace
} // namespace apertune::plots
