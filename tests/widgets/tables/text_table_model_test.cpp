// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/text_table_model.h"

#include "widgets/tables/roles.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

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
    EXPECT_EQ(model.keyAt(0), 2); // whatever the case
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

} // namespace
} // namespace apertune::tables
