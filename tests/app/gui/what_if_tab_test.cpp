// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/what_if_tab.h"
#include "tests/app/gui/trace_bench.h"
#include "widgets/controls/command_line.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"

#include <QComboBox>
#include <QDoubleSpinBox>

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

using testing::keep;
using testing::TraceFixture;

struct WhatIfBench : TraceFixture
{
    explicit WhatIfBench(QSize size = {1280, 900}) : TraceFixture(size) {}

    WhatIfTab& tab() { return *page()->findChild<WhatIfTab*>(); }
    bool add(const char* change)
    {
        tab().add(QString::fromLatin1(change));
        return settle();
    }
    const QAbstractItemModel& table() { return *tab().findChild<tables::LeanTable*>()->model(); }
    QString cell(int row, WhatIfColumn column)
    {
        return table().index(row, static_cast<int>(column)).data().toString();
    }
    QComboBox* box(const char* name)
    {
        for (auto* candidate : tab().findChildren<QComboBox*>())
            if (candidate->accessibleName() == QLatin1String(name))
                return candidate;
        return nullptr;
    }
    /// Chooses a kind of change in the editor.
    void choose(const char* kind) { box("What changes")->setCurrentText(QString::fromLatin1(kind)); }
    QPushButton* shownButton(const char* text) { return testing::buttonOf(tab(), QString::fromLatin1(text)); }
};

TEST(WhatIf, PredictsAChangeOfTheEditorWithItsRangeAndWhatItRestsOn)
{
    WhatIfBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("whatif")));
    EXPECT_TRUE(bench.box("What changes")->isVisible());
    ASSERT_GT(bench.box("Name of what changes")->count(), 0) << "the names of the trace are offered";
    const QString longest = bench.box("Name of what changes")->itemText(0);
    bench.tab().findChild<QDoubleSpinBox*>()->setValue(25);
    bench.shownButton("Predict")->click();
    ASSERT_TRUE(bench.settle());
    ASSERT_EQ(bench.table().rowCount(), 2) << bench.shownText().toStdString();
    EXPECT_EQ(bench.cell(1, WhatIfColumn::change), QStringLiteral("kernel:%1=25%").arg(longest));
    const auto change = advice::parseChange(bench.cell(1, WhatIfColumn::change).toStdString());
    ASSERT_TRUE(change);
    const auto expected = advice::whatIf(bench.context.traces.report()->facts, {*change});
    ASSERT_TRUE(expected);
    EXPECT_GT(expected->effects.front().saved, 0);
    const QModelIndex saved = bench.table().index(1, static_cast<int>(WhatIfColumn::saved));
    EXPECT_TRUE(saved.data().toString().startsWith(theme::percent(expected->effects.front().saved, 3)) ||
                saved.data().toString().startsWith(theme::percent(expected->effects.front().saved, 2)))
        << saved.data().toString().toStdString();
    EXPECT_TRUE(saved.data().toString().contains(QLatin1Char('[')));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("The range is that of the median over")));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("Now: ")));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("Then: ")));
    keep(bench, QStringLiteral("what-if-dark-1280"));
}

TEST(WhatIf, ChangesArePredictedAloneAndTogetherAndCanBeRemoved)
{
    WhatIfBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("whatif")));
    ASSERT_TRUE(bench.add("copies=remove"));
    ASSERT_TRUE(bench.add("graph"));
    ASSERT_EQ(bench.table().rowCount(), 4);
    EXPECT_EQ(bench.cell(3, WhatIfColumn::change), QStringLiteral("all of them"));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("With all of them: ")));
    bench.shownButton("Remove the change")->click(); // the one that was added last is chosen
    ASSERT_TRUE(bench.settle());
    ASSERT_EQ(bench.table().rowCount(), 2);
    EXPECT_EQ(bench.cell(1, WhatIfColumn::change), QStringLiteral("copies=remove"));
    bench.shownButton("Remove the change")->click();
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.table().rowCount(), 0);
    EXPECT_FALSE(bench.shownButton("Remove the change"));
}

TEST(WhatIf, ARefusedChangeTellsItsReasonAndKeepsTheOthers)
{
    WhatIfBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("whatif")));
    ASSERT_TRUE(bench.add("copies=remove"));
    ASSERT_TRUE(bench.add("kernel:no_such_kernel=50%"));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("Not predicted: Nothing in the trace matches")));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("These take longest")));
    EXPECT_EQ(bench.table().rowCount(), 2);
    ASSERT_TRUE(bench.add("copies=remove"));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("is among the changes already")));
    ASSERT_TRUE(bench.add("threads=2"));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("The number of threads of this recording is not known.")));
    ASSERT_TRUE(bench.add("copies=overlap"));
    EXPECT_FALSE(bench.shownText().contains(QStringLiteral("Not predicted")));
    EXPECT_EQ(bench.table().rowCount(), 4);
}

TEST(WhatIf, AChangeThatApertuneCanMakeIsVerifiedByAClick)
{
    WhatIfBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("whatif")));
    ASSERT_TRUE(bench.add("copies=remove"));
    EXPECT_FALSE(bench.shownButton("Verify"));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("neither a switch nor a number of threads")));
    ASSERT_TRUE(bench.add("graph"));
    EXPECT_FALSE(bench.shownButton("Verify"));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("a recording without its trial")));

    bench.gateway->ofTrial = true;
    bench.gateway->traceContext.traceId = 3;
    bench.context.traces.openStored("/nowhere/synthetic.apertune", store::TraceId{3}, QStringLiteral("tr3"));
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.table().rowCount(), 0) << "the changes of the former trace";
    ASSERT_TRUE(bench.add("graph"));
    runs::Verification verification;
    verification.outcome = model::VerificationOutcome::proved;
    verification.study = {7};
    verification.message = base::foreignText("Proved: 8.1 % of the time saved [7.2, 9.0], predicted 6.5 to 9.3 %.");
    bench.gateway->verificationResult = verification;
    ASSERT_TRUE(bench.shownButton("Verify"));
    bench.shownButton("Verify")->click();
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.gateway->verifiedRule, "what-if graph");
    EXPECT_EQ(bench.gateway->verifiedBy,
              "apertune trace whatif tr3 graph --verify --store /nowhere/synthetic.apertune");
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("Proved: 8.1 %")));
    EXPECT_TRUE(bench.shownButton("Verify again"));
    EXPECT_TRUE(bench.shownButton("Show study 7"));
    EXPECT_EQ(bench.tab().findChild<controls::CommandLine*>()->command(),
              QStringLiteral("apertune trace whatif tr3 graph --store /nowhere/synthetic.apertune"));
    keep(bench, QStringLiteral("what-if-verified-dark-1280"));
}

TEST(WhatIf, ARunningPredictionCanBeCancelled)
{
    WhatIfBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("whatif")));
    bench.tab().add(QStringLiteral("copies=remove"));
    ASSERT_TRUE(bench.shownButton("Cancel"));
    EXPECT_FALSE(bench.shownButton("Predict"));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("The recording is being simulated")));
    bench.shownButton("Cancel")->click();
    EXPECT_TRUE(bench.shownButton("Predict"));
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.table().rowCount(), 0);
}

TEST(WhatIf, TheEditorOffersWhatEachKindTakes)
{
    WhatIfBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("whatif")));
    const auto shown = [&](const char* name) {
        for (const QWidget* widget : bench.tab().findChildren<QWidget*>())
            if (widget->accessibleName() == QLatin1String(name) && widget->isVisible())
                return true;
        return false;
    };
    bench.choose("Copies");
    EXPECT_TRUE(shown("What happens to copies"));
    EXPECT_FALSE(shown("Name of what changes"));
    bench.choose("Streams");
    EXPECT_TRUE(shown("Number after the change"));
    bench.shownButton("Predict")->click();
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.cell(1, WhatIfColumn::change), QStringLiteral("streams=2"));
    bench.choose("Host");
    EXPECT_TRUE(shown("Time after the change, in per cent of the recorded time"));
    bench.choose("Launches as a graph");
    EXPECT_FALSE(shown("Number after the change"));
    bench.shownButton("Predict")->click();
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.cell(2, WhatIfColumn::change), QStringLiteral("graph"));
}

} // namespace
} // namespace apertune::gui
