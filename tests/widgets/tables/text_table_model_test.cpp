// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/column_header.h"
#include "widgets/tables/copy_text.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/roles.h"
#include "widgets/tables/text_table_model.h"

#include <QAbstractItemModelTester>
#include <QCoreApplication>

#include <gtest/gtest.h>

#include <limits>

namespace apertune::tables {
namespace {

std::vector<TextTableModel::Row> rows()
{
    std::vector<TextTableModel::Row> result;
    const char* names[] = {"pear", "Apple", "plum"};
    for (int i = 0; i < 3; ++i) {
        TextTableModel::Row row;
        row.key = i + 1;
        row.cells = {{QString::fromLatin1(names[i])}, {QString::number(10 * i), 10 * i}};
        result.push_back(row);
    }
    result[1].cells[1].raw = {};
    return result;
}

TEST(TextTableModel, SortsByRawValueAndKeepsMissingOnesLast)
{
    TextTableModel model({{QStringLiteral("Name")}, {QStringLiteral("N"), true}});
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(rows());
    model.sort(1, Qt::DescendingOrder);
    EXPECT_EQ(model.keyAt(0), 3);
    EXPECT_EQ(model.keyAt(2), 2);
    model.sort(1, Qt::AscendingOrder);
    EXPECT_EQ(model.keyAt(0), 1);
    EXPECT_EQ(model.keyAt(2), 2);
    model.sort(0, Qt::AscendingOrder);
    EXPECT_EQ(model.keyAt(0), 2); // the order ignores the case
}

TEST(CopyText, AValueThatIsNotThereIsEmptyAndUnitsStandInTheHeader)
{
    TextTableModel model({{QStringLiteral("Name, as written")},
                          {QStringLiteral("Time"), true, {}, false, {QStringLiteral("Time (ns)")}},
                          {QStringLiteral("Ratio"), true, {}, false, {QStringLiteral("low"), QStringLiteral("high")}},
                          {QStringLiteral("In effect")}});
    TextTableModel::Cell effect{QStringLiteral("on")};
    effect.order = 7;
    TextTableModel::Row full{{{QStringLiteral("a")},
                              {QStringLiteral("1.5 µs"), qlonglong(1500)},
                              {QStringLiteral("[2, 3]"), QVariantList{2.0, 3.0}},
                              effect}};
    TextTableModel::Row bare{
        {{QStringLiteral("–")}, {QStringLiteral("–")}, {QStringLiteral("–"), QVariantList()}, {QStringLiteral("off")}}};
    TextTableModel::Row broken{{{QStringLiteral("b")},
                                {QStringLiteral("–"), std::numeric_limits<double>::quiet_NaN()},
                                {QStringLiteral("–")},
                                {QStringLiteral("–")}}};
    model.setRows({full, bare, broken});
    EXPECT_EQ(toCsv(model, {0, 1, 2}, {0, 1, 2, 3}),
              QStringLiteral("\"Name, as written\",Time (ns),low,high,In effect\n"
                             "a,1500,2,3,on\n"
                             ",,,,off\n"
                             "b,,,,\n"));
    EXPECT_EQ(toTsv(model, {0, 1}, {0, 1}), QStringLiteral("Name, as written\tTime\na\t1.5 µs\n\t\n"));
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(0, order);
        EXPECT_EQ(model.index(2, 0).data().toString(), QStringLiteral("–")) << "no name comes last";
    }
}

TEST(TextTableModel, KeysFindTheirRowsThroughFilters)
{
    TextTableModel model({{QStringLiteral("Name")}, {QStringLiteral("N"), true}});
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(rows());
    model.setFilter(QStringLiteral("PL"));
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.rowOfKey(1), -1);
    EXPECT_EQ(model.keyAt(model.rowOfKey(3)), 3);
    EXPECT_EQ(model.keyAt(99), 0);
}

TEST(TextTableModel, NumericColumnsAlignRightWithTheirHeader)
{
    TextTableModel model({{QStringLiteral("Name")}, {QStringLiteral("N"), true}});
    model.setRows(rows());
    for (int column = 0; column < 2; ++column) {
        EXPECT_EQ(model.index(0, column).data(Qt::TextAlignmentRole),
                  model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole));
    }
}

TEST(LeanTable, ColumnsOfLessWeightLeaveANarrowTableAndComeBack)
{
    const QString name(60, QLatin1Char('n'));
    TextTableModel model({{QStringLiteral("Name"), false, {}, true},
                          {QStringLiteral("Calls"), true},
                          {QStringLiteral("Class")},
                          {QStringLiteral("Nothing")}});
    TextTableModel::Row row;
    row.key = 1;
    row.cells = {{name}, {QStringLiteral("12 345"), 12345}, {QStringLiteral("convolution")}, {}};
    model.setRows({row});
    LeanTable table;
    table.setModel(&model);
    table.setDense();
    table.setElastic(0, 100);
    table.setExpendable({2}, 250);
    table.setWanted(3, false);
    table.resize(480, 200);
    table.show();
    table.fitColumns();
    QCoreApplication::processEvents();
    EXPECT_FALSE(table.isColumnHidden(2));
    EXPECT_EQ(table.columns()->length(), table.viewport()->width()) << "the name takes what is there";
    table.resize(330, 200);
    QCoreApplication::processEvents();
    EXPECT_TRUE(table.isColumnHidden(2));
    EXPECT_TRUE(table.isColumnHidden(3));
    EXPECT_EQ(table.columns()->length(), table.viewport()->width());
    table.selectRow(0);
    EXPECT_TRUE(table.selectionAsTsv().contains(QStringLiteral("convolution"))) << "out of sight, not out of the row";
    EXPECT_FALSE(table.selectionAsTsv().contains(QStringLiteral("Nothing")));
    table.resize(500, 200);
    QCoreApplication::processEvents();
    EXPECT_FALSE(table.isColumnHidden(2));
    EXPECT_TRUE(table.isColumnHidden(3));
}

TEST(LeanTable, AColumnWithBarsIsLongerWhereThereIsRoomAndNoWiderThanItsTextWhereThereIsNone)
{
    TextTableModel model(
        {{QStringLiteral("Name"), false, {}, true}, {QStringLiteral("Share"), true}, {QStringLiteral("Calls"), true}});
    TextTableModel::Row row;
    row.key = 1;
    row.cells = {{QString(30, QLatin1Char('n'))}, {QStringLiteral("62.6 %"), 0.626}, {QStringLiteral("62.6 %"), 62.6}};
    row.cells[1].share = 0.626;
    model.setRows({row});
    LeanTable table;
    table.setModel(&model);
    table.setElastic(0, 100);
    table.show();
    for (const auto& [width, more] : {std::pair(1200, true), std::pair(260, false)}) {
        table.resize(width, 200);
        table.fitColumns();
        QCoreApplication::processEvents();
        const int difference = table.columnWidth(1) - table.columnWidth(2);
        EXPECT_EQ(difference > 80, more) << width << ": " << difference;
        EXPECT_EQ(table.columns()->length(), table.viewport()->width()) << width;
    }
}

} // namespace
} // namespace apertune::tables
