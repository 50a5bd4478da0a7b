// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/synthetic_study.h"
#include "widgets/controls/legend_row.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/sample_plots.h"
#include "widgets/plots/tradeoff_plot.h"
#include "widgets/theme/theme.h"

#include <QAccessible>
#include <QImage>
#include <QPixmap>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace apertune::plots {
namespace {

TradeoffData tradeoffs()
{
    TradeoffData data;
    data.throughputUnit = QStringLiteral("img/s");
    const auto study = testing::makeSyntheticStudy();
    for (const model::Trial& trial : study->trials) {
        if (trial.state == model::TrialState::ok) {
            const model::Interval& ns = trial.measurement.latencyNs;
            TradeoffPoint point;
            point.trial = trial.id;
            point.precision = trial.config.precision;
            point.across = {ns.value * 1e-6, ns.lo * 1e-6, ns.hi * 1e-6, ns.confidence};
            point.throughput = trial.measurement.throughput;
            point.onFront = trial.id.value % 9 == 0;
            data.points.push_back(point);
        }
    }
    data.points.front().recommended = true;
    data.points.front().label = QStringLiteral("O0 fp32 b1");
    return data;
}

struct ShownPlot
{
    explicit ShownPlot(QSize size)
    {
        plot.resize(size);
        plot.setData(data);
        plot.show();
        QCoreApplication::processEvents();
    }
    TradeoffData data = tradeoffs();
    TradeoffPlot plot;
};

TEST(TradeoffPlot, NoPointIsClippedAtAnySize)
{
    for (const QSize size : {QSize(300, 200), QSize(640, 360), QSize(1200, 700)}) {
        ShownPlot shown(size);
        const QRectF area = shown.plot.chart()->plotArea();
        for (const TradeoffPoint& point : shown.data.points) {
            const QPointF at = shown.plot.chart()->positionOf(point.across.value, point.throughput.value);
            EXPECT_TRUE(area.adjusted(4, 4, -4, -4).contains(at)) << size.width() << ": " << at.x() << ", " << at.y();
        }
    }
}

TEST(TradeoffPlot, PointsThatCannotBeToldApartAreTiedAndOneStepOfTheLine)
{
    TradeoffData data;
    for (int i = 0; i < 3; ++i) {
        TradeoffPoint point;
        point.trial = model::TrialId{i + 1};
        point.across = {10.0 + 0.01 * i, 9.9, 10.2, 0.95};
        point.throughput = {100.0 + i, 99, 104, 0.95};
        point.onFront = true;
        point.group = i < 2 ? 0 : 1;
        data.points.push_back(point);
    }
    const auto withKind = [](const ChartContent& content, ChartSeries::Kind kind) {
        std::vector<std::size_t> sizes;
        for (const ChartSeries& series : content.series)
            if (series.kind == kind)
                sizes.push_back(series.x.size());
        return sizes;
    };
    TradeoffPlot plot;
    plot.setData(data);
    EXPECT_EQ(withKind(plot.chart()->content(), ChartSeries::Kind::line), std::vector<std::size_t>{2});
    EXPECT_EQ(withKind(plot.chart()->content(), ChartSeries::Kind::step), std::vector<std::size_t>{2});
    data.points[1].group = 2;
    plot.setData(data);
    EXPECT_TRUE(withKind(plot.chart()->content(), ChartSeries::Kind::line).empty());
    EXPECT_EQ(withKind(plot.chart()->content(), ChartSeries::Kind::step), std::vector<std::size_t>{3});
}

TEST(TradeoffPlot, APointCanBeHitWhereItIsDrawn)
{
    ShownPlot shown({900, 500});
    QSignalSpy clicks(shown.plot.chart(), &ChartView::pointClicked);
    const TradeoffPoint& point = shown.data.points[5];
    const QPointF at = shown.plot.chart()->positionOf(point.across.value, point.throughput.value);
    EXPECT_EQ(shown.plot.chart()->hit(at), point.trial.value);
    QWidget* canvas = shown.plot.chart()->childAt(at.toPoint());
    ASSERT_NE(canvas, nullptr);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->mapFrom(shown.plot.chart(), at.toPoint()));
    ASSERT_EQ(clicks.count(), 1);
    EXPECT_EQ(clicks.first().first().toLongLong(), point.trial.value);
    EXPECT_EQ(shown.plot.chart()->selected(), point.trial.value);
}

TEST(TradeoffPlot, EmptyGroundHitsNothing)
{
    ShownPlot shown({900, 500});
    EXPECT_EQ(shown.plot.chart()->hit(shown.plot.chart()->plotArea().bottomRight() - QPointF(2, 2)), ChartView::kNone);
}

TEST(TradeoffPlot, ArrowKeysWalkThePointsInOrderOfLatency)
{
    ShownPlot shown({900, 500});
    auto byLatency = shown.data.points;
    std::stable_sort(byLatency.begin(), byLatency.end(),
                     [](const auto& a, const auto& b) { return a.across.value < b.across.value; });
    QTest::keyClick(shown.plot.chart(), Qt::Key_Right);
    EXPECT_EQ(shown.plot.chart()->selected(), byLatency[0].trial.value);
    QTest::keyClick(shown.plot.chart(), Qt::Key_Right);
    EXPECT_EQ(shown.plot.chart()->selected(), byLatency[1].trial.value);
    QTest::keyClick(shown.plot.chart(), Qt::Key_Left);
    EXPECT_EQ(shown.plot.chart()->selected(), byLatency[0].trial.value);
}

TEST(TradeoffPlot, ThePixelAtAPointHasItsPrecisionsColour)
{
    ShownPlot shown({900, 500});
    const QImage image = shown.plot.grab().toImage();
    const TradeoffPoint* front = nullptr;
    for (const TradeoffPoint& point : shown.data.points)
        front = point.onFront && !point.recommended ? &point : front;
    ASSERT_NE(front, nullptr);
    const QPointF at = shown.plot.chart()->positionOf(front->across.value, front->throughput.value);
    const QColor pixel = image.pixelColor(at.toPoint());
    EXPECT_LT(theme::contrast(pixel, theme::precisionMarker(front->precision, theme::currentScheme()).color), 1.3)
        << pixel.name().toStdString();
}

TEST(TradeoffPlot, TheLegendNamesThePrecisionsThatAreThere)
{
    ShownPlot shown({900, 500});
    EXPECT_EQ(shown.plot.legend()->accessibleName().toStdString(), "Legend: fp32, bf16, int8, best trade-offs");
}

TEST(TradeoffPlot, IsAChartWithASummaryForAssistiveTools)
{
    ShownPlot shown({900, 500});
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(shown.plot.chart());
    ASSERT_NE(accessible, nullptr);
    EXPECT_EQ(accessible->role(), QAccessible::Chart);
    EXPECT_TRUE(accessible->text(QAccessible::Description).contains(QStringLiteral("63 configurations")));
}

TEST(ChartView, TextsBelowTheAxisNeverRunIntoEachOther)
{
    ChartView chart;
    ChartContent content;
    content.x.hi = 3;
    content.x.ticks = {{1, QStringLiteral("1×")}, {1.25, QStringLiteral("1.25×")}, {1.5, QStringLiteral("1.5×")}};
    chart.resize(900, 300);
    chart.show();
    chart.setContent(content);
    QCoreApplication::processEvents();
    EXPECT_EQ(chart.shownTicks().size(), 3);
    chart.resize(210, 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(chart.shownTicks(), QStringList({QStringLiteral("1×"), QStringLiteral("1.5×")}));
    chart.resize(900, 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(chart.shownTicks().size(), 3) << "and come back";
}

TEST(ChartView, TellsItsBarsAndPointsOneByOne)
{
    ChartView chart;
    ChartContent content;
    content.x = {QStringLiteral("Duration (ms)"), false, 0, 4, {}};
    content.y = {QStringLiteral("Events"), false, 0, 10, {}};
    ChartSeries bars;
    bars.kind = ChartSeries::Kind::bars;
    bars.x = {1, 2};
    bars.y = {7, 3};
    ChartSeries points;
    points.name = QStringLiteral("fp32");
    points.x = {3};
    points.y = {5};
    points.ids = {42};
    content.series = {bars, points};
    chart.resize(400, 300);
    chart.setContent(content);
    chart.setToolTipSource([](qint64 id) { return QStringLiteral("trial %1").arg(id); });
    ASSERT_EQ(chart.partCount(), 3);
    EXPECT_EQ(chart.part(0).name, QStringLiteral("Duration (ms): 1, Events: 7"));
    EXPECT_EQ(chart.part(2).name, QStringLiteral("fp32, Duration (ms): 3, Events: 5"));
    EXPECT_EQ(chart.part(2).detail, QStringLiteral("trial 42"));
    EXPECT_TRUE(chart.part(2).place.contains(chart.positionOf(3, 5).toPoint()));
    EXPECT_EQ(chart.currentPart(), -1);
    chart.setSelected(42);
    EXPECT_EQ(chart.currentPart(), 2);
}

TEST(TradeoffPlot, AnEmptyPlotDrawsItsAxes)
{
    TradeoffPlot plot;
    plot.resize(400, 300);
    plot.setData({});
    plot.show();
    EXPECT_FALSE(plot.grab().isNull());
    EXPECT_EQ(plot.chart()->accessibleDescription().toStdString(), "No measured configuration yet.");
}

TEST(ChartView, AViewThatWasNeverShownTakesContent)
{
    ChartView view;
    ChartContent content;
    content.series.push_back({});
    content.series.back().x = {1, 2};
    content.series.back().y = {1, 2};
    view.setContent(content);
    view.setSelected(3);
    EXPECT_EQ(view.hit({10, 10}), ChartView::kNone);
}

TEST(SamplePlots, TakeATrialAndAnEmptyMeasurement)
{
    const auto study = testing::makeSyntheticStudy();
    DistributionPlot distribution;
    BlocksPlot blocks;
    for (QWidget* plot : {static_cast<QWidget*>(&distribution), static_cast<QWidget*>(&blocks)}) {
        plot->resize(400, 240);
        plot->show();
    }
    for (const model::Measurement& measurement : {study->trials.front().measurement, model::Measurement{}}) {
        distribution.setMeasurement(measurement);
        distribution.setMode(DistributionPlot::Mode::cumulative);
        distribution.setMode(DistributionPlot::Mode::histogram);
        blocks.setMeasurement(measurement);
        EXPECT_FALSE(distribution.grab().isNull());
        EXPECT_FALSE(blocks.grab().isNull());
    }
}

} // namespace
} // namespace apertune::plots
