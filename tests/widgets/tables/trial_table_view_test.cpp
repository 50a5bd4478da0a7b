// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/synthetic_study.h"
#include "widgets/tables/column_header.h"
#include "widgets/tables/lean_delegate.h"
#include "widgets/tables/trial_table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace apertune::tables {
namespace {

struct Shown
{
    Shown()
    {
        view.resize(1100, 400);
        view.setSnapshot(study, {});
        view.show();
        QCoreApplication::processEvents();
    }
    std::shared_ptr<const model::StudySnapshot> study = testing::makeSyntheticStudy();
    TrialTableView view;
};

TEST(TrialTableView, NoHeaderAndNoCellButTheLastIsCut)
{
    Shown shown;
    const QHeaderView* header = shown.view.horizontalHeader();
    for (int column = 0; column + 1 < shown.view.model()->columnCount(); ++column) {
        if (shown.view.isColumnHidden(column))
            continue;
        EXPECT_GE(header->sectionSize(column), shown.view.columns()->widthOf(column)) << column;
        for (int row = 0; row < shown.view.model()->rowCount(); ++row) {
            EXPECT_GE(header->sectionSize(column), LeanDelegate().widthOf(shown.view.model()->index(row, column)))
                << row << "," << column;
        }
    }
}

TEST(TrialTableView, ANewSnapshotKeepsTheSelectionAndSaysNothing)
{
    Shown shown;
    QSignalSpy clicks(&shown.view, &TrialTableView::trialClicked);
    shown.view.setSelected(shown.study->trials[20].id);
    shown.view.setSnapshot(testing::makeSyntheticStudy(), {});
    EXPECT_EQ(clicks.count(), 0);
    const QModelIndexList selected = shown.view.selectionModel()->selectedRows();
    ASSERT_EQ(selected.size(), 1);
    EXPECT_EQ(shown.view.trials().trialAt(selected.first().row())->id, shown.study->trials[20].id);
}

TEST(TrialTableView, TheArrowKeySelectsTheNextTrialAndSaysSo)
{
    Shown shown;
    shown.view.setSelected(shown.view.trials().trialAt(0)->id);
    QSignalSpy clicks(&shown.view, &TrialTableView::trialClicked);
    QTest::keyClick(&shown.view, Qt::Key_Down);
    ASSERT_EQ(clicks.count(), 1);
    EXPECT_EQ(clicks.first().first().value<model::TrialId>(), shown.view.trials().trialAt(1)->id);
}

TEST(TrialTableView, ControlCCopiesTheSelectedRows)
{
    Shown shown;
    shown.view.setSelected(shown.view.trials().trialAt(3)->id);
    QTest::keyClick(&shown.view, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 2);
    EXPECT_TRUE(lines[0].contains(QStringLiteral("Latency ms")));
    EXPECT_TRUE(lines[1].contains(QStringLiteral("t%1").arg(shown.view.trials().trialAt(3)->id.value)));
}

TEST(TrialTableView, EscapeClearsTheSelection)
{
    Shown shown;
    shown.view.setSelected(shown.view.trials().trialAt(3)->id);
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    EXPECT_FALSE(shown.view.selectionModel()->hasSelection());
}

} // namespace
} // namespace apertune::tables
