// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/trend_page.h"
#include "tests/app/gui/bench.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/command_line.h"
#include "widgets/plots/chart_view.h"
#include "widgets/tables/lean_table.h"

#include <QLabel>

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::gui {
namespace {

using testing::Fixture;

struct TrendBench : Fixture
{
    TrendPage& page() { return *static_cast<TrendPage*>(window.currentPage()); }
    QAbstractItemModel& table(const char* name)
    {
        for (auto* candidate : page().findChildren<tables::LeanTable*>())
            if (candidate->accessibleName() == QLatin1String(name))
                return *candidate->model();
        throw std::runtime_error(name);
    }
    QString shownText()
    {
        QString shown;
        for (const QLabel* label : page().findChildren<QLabel*>())
            shown += label->isVisible() ? label->text() + QLatin1Char('\n') : QString();
        return shown;
    }
};

TEST(TrendPage, ShowsAHistoryWithItsIntervalsItsStepAndWhatChangedThere)
{
    TrendBench bench;
    ASSERT_TRUE(bench.load(PageId::trend));
    const std::vector<comparison::Trend> trends = *bench.gateway->trendsResult;
    ASSERT_FALSE(trends.empty());
    EXPECT_EQ(bench.table("Configurations with their newest trial").rowCount(), static_cast<int>(trends.size()));
    const auto* chart = bench.page().findChild<plots::ChartView*>();
    ASSERT_TRUE(chart);
    std::size_t points = 0;
    for (const plots::ChartSeries& series : chart->content().series) {
        points += series.x.size();
        ASSERT_EQ(series.yLo.size(), series.y.size());
        for (std::size_t i = 0; i < series.y.size(); ++i) {
            EXPECT_LT(series.yLo[i], series.y[i]);
            EXPECT_GT(series.yHi[i], series.y[i]);
        }
    }
    EXPECT_EQ(points, 8U);
    EXPECT_EQ(bench.table("Trials of this configuration, the oldest first").rowCount(), 8);
    const auto& rules = chart->content().rules;
    EXPECT_EQ(std::count_if(rules.begin(), rules.end(), [](const auto& rule) { return !rule.dashed; }), 1)
        << "the step";
    EXPECT_EQ(std::count_if(rules.begin(), rules.end(), [](const auto& rule) { return rule.dashed; }), 0)
        << "the engine's new version is at the step, whose sentence names it";
    const QString text = bench.shownText();
    EXPECT_TRUE(text.contains(QStringLiteral("slower than"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("libtorch 2.12 → 2.13"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Busy trials (1) make no step"))) << text.toStdString();
    EXPECT_TRUE(
        bench.page().findChild<controls::CommandLine*>()->command().startsWith(QStringLiteral("apertune trend t")));
}

TEST(TrendPage, AStepLeadsToTheComparisonOfTheTrialsAroundIt)
{
    TrendBench bench;
    ASSERT_TRUE(bench.load(PageId::trend));
    QPushButton* compare = testing::buttonOf(bench.page(), QStringLiteral("Compare"));
    ASSERT_TRUE(compare);
    compare->click();
    EXPECT_EQ(bench.window.currentPage()->id(), PageId::compare);
    const Session& session = bench.context.session;
    // The third study is a busy one, and the fifth one has the new version.
    EXPECT_EQ(session.baseline().trial.value / 1000, 3);
    EXPECT_EQ(session.candidate().trial.value / 1000, 4);
    EXPECT_EQ(session.candidate().trial.value % 1000, session.baseline().trial.value % 1000);
    EXPECT_EQ(session.candidate().study.value, session.baseline().study.value + 1);
}

TEST(TrendPage, ConfigurationsThatWereMeasuredOnceAreLeftOut)
{
    TrendBench bench;
    std::vector<comparison::Trend> trends = *bench.gateway->trendsResult;
    ASSERT_GT(trends.size(), 2U);
    trends.front().points.resize(1);
    trends.front().steps.clear();
    bench.gateway->trendsResult = trends;
    ASSERT_TRUE(bench.load(PageId::trend));
    QAbstractItemModel& table = bench.table("Configurations with their newest trial");
    EXPECT_EQ(table.rowCount(), static_cast<int>(trends.size()) - 1);
    bench.page().findChild<controls::Chip*>()->setChecked(true);
    EXPECT_EQ(table.rowCount(), static_cast<int>(trends.size()));
}

TEST(TrendPage, SaysWhyThereIsNothing)
{
    TrendBench bench;
    bench.gateway->trendsResult = std::vector<comparison::Trend>{};
    ASSERT_TRUE(bench.load(PageId::trend));
    EXPECT_TRUE(bench.shownText().contains(QStringLiteral("No history yet")));
    TrendBench damaged;
    damaged.gateway->trendsResult = base::plainError(base::ErrorCode::corrupt, "The workspace is damaged.");
    ASSERT_TRUE(damaged.load(PageId::trend));
    EXPECT_TRUE(damaged.shownText().contains(QStringLiteral("The workspace is damaged.")));
}

} // namespace
} // namespace apertune::gui
