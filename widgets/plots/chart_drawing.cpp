// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_drawing.h"

#include "widgets/plots/chart_content.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/marker.h"
#include "widgets/theme/theme.h"

#include <qcustomplot.h>

#include <algorithm>

namespace apertune::plots {
namespace {

QVector<double> toVector(const std::vector<double>& values)
{
    return QVector<double>(values.begin(), values.end());
}

QCPScatterStyle scatterOf(const ChartSeries& series)
{
    QColor fill = series.color;
    fill.setAlphaF(series.solid ? 1.0F : 0.38F * static_cast<float>(series.color.alphaF()));
    // The library scales custom paths by size/6: draw them in full size and ask for 6.
    return QCPScatterStyle(theme::markerPath(series.shape, series.size), QPen(series.color, 1.5), QBrush(fill), 6);
}

void styleAxis(QCPAxis* axis, const ChartAxis& spec)
{
    const theme::Tokens& t = theme::current();
    axis->setScaleType(spec.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setRange(spec.lo, spec.hi);
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    // The plot shows the ticks of the content and makes none of its own.
    ticker->setSubTickCount(0);
    for (const ChartAxis::Tick& tick : spec.ticks)
        ticker->addTick(tick.at, tick.text);
    axis->setTicker(ticker);
    axis->setSubTicks(false);
    axis->setLabel(spec.title);
    axis->setLabelFont(theme::font(theme::Type::caption));
    axis->setTickLabelFont(theme::font(theme::Type::caption));
    axis->setLabelColor(t.text2);
    axis->setTickLabelColor(t.text2);
    axis->setBasePen(QPen(t.line, 1));
    axis->setTickPen(Qt::NoPen);
    axis->setTickLength(0, 0);
    axis->setTickLabelPadding(6);
    axis->setLabelPadding(spec.title.isEmpty() ? 0 : 6);
    axis->grid()->setVisible(spec.grid);
    axis->grid()->setPen(QPen(t.plotGrid, 1));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->grid()->setAntialiased(false);
}

void addErrors(QCustomPlot& plot, QCPGraph* graph, const ChartSeries& series, QCPErrorBars::ErrorType type)
{
    const bool key = type == QCPErrorBars::etKeyError;
    const auto& lo = key ? series.xLo : series.yLo;
    const auto& hi = key ? series.xHi : series.yHi;
    if (lo.size() != series.x.size() || lo.empty())
        return;
    // Graphs sort their data by key; error bars refer to it by index.
    std::vector<std::size_t> order(series.x.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return series.x[a] < series.x[b]; });
    QVector<double> minus;
    QVector<double> plus;
    for (const std::size_t i : order) {
        const double at = key ? series.x[i] : series.y[i];
        // An end on the wrong side of the value would draw a negative bar.
        minus.append(std::max(0.0, at - lo[i]));
        plus.append(std::max(0.0, hi[i] - at));
    }
    auto* bars = new QCPErrorBars(plot.xAxis, plot.yAxis);
    bars->setErrorType(type);
    bars->setDataPlottable(graph);
    bars->setData(minus, plus);
    // Whiskers without ends stay readable when many are close.
    bars->setWhiskerWidth(0);
    bars->setSymbolGap(series.size + 2); // a whisker within the marker would look like a speck
    QColor color = series.color;
    color.setAlphaF(0.75F * static_cast<float>(color.alphaF()));
    bars->setPen(QPen(color, 1.2));
    bars->setSelectable(QCP::stNone);
}

void addSpans(QCustomPlot& plot, const ChartSeries& series)
{
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        auto* rect = new QCPItemRect(&plot);
        rect->topLeft->setCoords(series.xLo[i], series.y[i] + series.lineWidth / 2);
        rect->bottomRight->setCoords(series.xHi[i], series.y[i] - series.lineWidth / 2);
        rect->setPen(QPen(series.color, 1)); // so that the shortest is still seen
        rect->setBrush(series.color);
        rect->setSelectable(false);
    }
}

} // namespace

void drawContent(QCustomPlot& plot, const ChartContent& content)
{
    const theme::Tokens& t = theme::current();
    plot.clearPlottables();
    plot.clearItems();
    plot.setBackground(QBrush(t.panel));
    styleAxis(plot.xAxis, content.x);
    styleAxis(plot.yAxis, content.y);
    for (const ChartBand& band : content.bands) {
        auto* rect = new QCPItemRect(&plot);
        const bool horizontal = band.along == Qt::Horizontal;
        rect->topLeft->setCoords(horizontal ? content.x.lo : band.lo, horizontal ? band.hi : content.y.hi);
        rect->bottomRight->setCoords(horizontal ? content.x.hi : band.hi, horizontal ? band.lo : content.y.lo);
        rect->setPen(Qt::NoPen);
        rect->setBrush(band.color);
        // Bands lie in the layer of the grid, so that points stay visible.
        rect->setLayer(QStringLiteral("grid"));
    }
    for (const ChartSeries& series : content.series) {
        if (series.kind == ChartSeries::Kind::bars) {
            auto* bars = new QCPBars(plot.xAxis, plot.yAxis);
            bars->setWidth(series.lineWidth);
            bars->setData(toVector(series.x), toVector(series.y));
            bars->setPen(Qt::NoPen);
            bars->setBrush(series.color);
            bars->setSelectable(QCP::stNone);
            continue;
        }
        if (series.kind == ChartSeries::Kind::spans) {
            addSpans(plot, series);
            continue;
        }
        QCPGraph* graph = plot.addGraph();
        graph->setSelectable(QCP::stNone);
        // Sampling drops points that share a pixel, but each point can be hit and has a tool tip.
        graph->setAdaptiveSampling(series.kind != ChartSeries::Kind::points);
        graph->setLineStyle(series.kind == ChartSeries::Kind::points ? QCPGraph::lsNone
                            : series.kind == ChartSeries::Kind::step ? QCPGraph::lsStepLeft
                                                                     : QCPGraph::lsLine);
        graph->setPen(QPen(series.color, series.lineWidth));
        graph->setData(toVector(series.x), toVector(series.y));
        if (series.size > 0)
            graph->setScatterStyle(scatterOf(series));
        addErrors(plot, graph, series, QCPErrorBars::etKeyError);
        addErrors(plot, graph, series, QCPErrorBars::etValueError);
    }
    for (const ChartRule& rule : content.rules) {
        auto* line = new QCPItemStraightLine(&plot);
        const bool horizontal = rule.along == Qt::Horizontal;
        line->point1->setCoords(horizontal ? content.x.lo : rule.at, horizontal ? rule.at : content.y.lo);
        line->point2->setCoords(horizontal ? content.x.hi : rule.at, horizontal ? rule.at : content.y.hi);
        line->setPen(QPen(rule.color, 1, rule.dashed ? Qt::DashLine : Qt::SolidLine));
        if (!rule.text.isEmpty()) {
            auto* text = new QCPItemText(&plot);
            text->setText(rule.text);
            text->setFont(theme::font(theme::Type::caption));
            text->setColor(rule.color);
            // The text is on the left of the line, or on its right when the line is near the left end.
            const bool atLeft = !horizontal && 4 * (rule.at - content.x.lo) < content.x.hi - content.x.lo;
            text->setPositionAlignment(horizontal ? Qt::AlignRight | Qt::AlignBottom
                                                  : (atLeft ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
            text->position->setCoords(horizontal ? content.x.hi : rule.at, horizontal ? rule.at : content.y.hi);
            text->setPadding(QMargins(4, 2, 4, 2));
            // A transparent ground keeps the points behind the text visible.
            QColor ground = t.panel;
            ground.setAlphaF(0.75F);
            text->setBrush(ground);
        }
    }
}

} // namespace apertune::plots
