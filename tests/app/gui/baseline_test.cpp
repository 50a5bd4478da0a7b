// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/baseline_bar.h"
#include "tests/app/gui/bench.h"
#include "widgets/tables/trial_table_view.h"

#include <QLabel>
#include <QLineEdit>

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::gui {
namespace {

using testing::buttonOf;
using testing::Fixture;

struct BaselineBench : Fixture
{
    BaselineBar& bar() { return *window.currentPage()->findChild<BaselineBar*>(); }
    QLineEdit& name() { return *bar().findChild<QLineEdit*>(); }
    /// Two measured trials of the study.
    std::pair<model::TrialId, model::TrialId> trials()
    {
        std::vector<model::TrialId> measured;
        for (const model::Trial& trial : context.session.snapshot()->trials)
            if (trial.state == model::TrialState::ok)
                measured.push_back(trial.id);
        return {measured.at(0), measured.at(1)};
    }
    bool click(const char* text)
    {
        QPushButton* button = buttonOf(bar(), QString::fromUtf8(text));
        if (!button || !button->isEnabled())
            return false;
        button->click();
        return settle() && QTest::qWaitFor([this] { return context.tasks.isIdle(); }, 60000);
    }
    const model::Baseline* of(model::TrialId trial) { return context.session.baselineOf(trial); }
};

TEST(Baseline, IsMarkedNamedMovedAndRemovedOnTheTrialPage)
{
    BaselineBench bench;
    ASSERT_TRUE(bench.load(PageId::trial));
    const model::TrialId first = bench.trials().first;
    const model::TrialId second = bench.trials().second;
    bench.context.session.selectTrial(first);
    ASSERT_TRUE(bench.settle());
    ASSERT_TRUE(bench.click("Mark as a baseline"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.of(first) != nullptr; }, 60000));
    bench.name().setText(QStringLiteral("release"));
    ASSERT_TRUE(bench.click("Set the name"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.of(first)->name == "release"; }, 60000));

    bench.context.session.selectTrial(second);
    ASSERT_TRUE(bench.settle());
    EXPECT_TRUE(bench.name().text().isEmpty());
    EXPECT_TRUE(buttonOf(bench.bar(), QStringLiteral("Compare with this baseline")));
    bench.name().setText(QStringLiteral("release"));
    EXPECT_FALSE(buttonOf(bench.bar(), QStringLiteral("Set the name"))->isEnabled()) << "another trial has it";
    ASSERT_TRUE(bench.click("Move the name here"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.of(second) && bench.of(second)->name == "release"; }, 60000));
    EXPECT_TRUE(bench.of(first)->name.empty());
    ASSERT_TRUE(bench.click("Compare with this baseline"));
    EXPECT_EQ(bench.window.currentPage()->id(), PageId::compare);
    EXPECT_EQ(bench.context.session.baseline().trial, first);
    EXPECT_EQ(bench.context.session.candidate().trial, second);

    bench.window.showPage(PageId::trial);
    ASSERT_TRUE(bench.settle());
    ASSERT_TRUE(bench.click("Remove the baseline mark"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return bench.of(second) == nullptr; }, 60000));
}

TEST(Baseline, ANameThatNamesSomethingElseIsRefusedWithItsReason)
{
    BaselineBench bench;
    ASSERT_TRUE(bench.load(PageId::trial));
    bench.context.session.selectTrial(bench.trials().first);
    ASSERT_TRUE(bench.settle());
    bench.name().setText(QStringLiteral("best"));
    EXPECT_FALSE(buttonOf(bench.bar(), QStringLiteral("Set the name"))->isEnabled());
    const auto labels = bench.bar().findChildren<QLabel*>();
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel* label) { return label->isVisible() && !label->text().isEmpty(); }));
}

TEST(Baseline, StandsInTheTableOfTrials)
{
    BaselineBench bench;
    ASSERT_TRUE(bench.load(PageId::tradeoffs));
    auto* table = bench.window.currentPage()->findChild<tables::TrialTableView*>();
    const int column = tables::columnOf(tables::TrialColumn::Kind::baseline);
    EXPECT_FALSE(table->isWanted(column)) << "no trial is one";
    const model::TrialId trial = bench.trials().first;
    ASSERT_TRUE(bench.gateway->changeBaseline({}, {trial, true, "release", false}));
    bench.context.session.requestReading();
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.of(trial) != nullptr; }, 60000));
    ASSERT_TRUE(bench.settle());
    EXPECT_TRUE(table->isWanted(column));
    const auto row = table->trials().rowOf(trial);
    ASSERT_TRUE(row);
    EXPECT_EQ(table->trials().index(*row, column).data().toString(), QStringLiteral("release"));
}

} // namespace
} // namespace apertune::gui
