// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot tells assistive tools, point by point.
#include "widgets/plots/chart_view.h"
#include "widgets/theme/format.h"

#include <algorithm>
#include <cmath>

namespace apertune::plots {
namespace {

constexpr int kMostParts = 1000;

/// The n-th point of all series; false when there are fewer.
bool findPoint(const ChartContent& content, int n, const ChartSeries*& series, std::size_t& index)
{
    auto left = static_cast<std::size_t>(n);
    for (const ChartSeries& of : content.series) {
        if (left < of.x.size()) {
            series = &of;
            index = left;
            return true;
        }
        left -= of.x.size();
    }
    return false;
}

/// Counts stay counts.
QString valueText(double value)
{
    return value == std::floor(value) && std::abs(value) < 1e15 ? theme::count(static_cast<qint64>(value))
                                                                : theme::number(value, 4);
}

QString pointText(const ChartContent& content, const ChartSeries& series, std::size_t i)
{
    QString text = QStringLiteral("%1: %2, %3: %4")
                       .arg(content.x.title, valueText(series.x[i]), content.y.title, valueText(series.y[i]));
    const QString label = i < series.labels.size() ? series.labels[i] : series.name;
    return label.isEmpty() ? text : QStringLiteral("%1, %2").arg(label, text);
}

} // namespace

int ChartView::partCount()
{
    std::size_t count = 0;
    for (const ChartSeries& series : content().series)
        count += series.x.size();
    return static_cast<int>(std::min<std::size_t>(count, kMostParts));
}

controls::PaintedParts::Part ChartView::part(int index)
{
    const ChartSeries* series = nullptr;
    std::size_t i = 0;
    if (!findPoint(content(), index, series, i))
        return {};
    const QPoint at = positionOf(series->x[i], series->y[i]).toPoint();
    return {pointText(content(), *series, i), i < series->ids.size() ? toolTipOf(series->ids[i]) : QString(),
            QRect(at - QPoint(8, 8), QSize(16, 16))};
}

int ChartView::currentPart()
{
    if (selected() == kNone)
        return -1;
    std::size_t before = 0;
    for (const ChartSeries& series : content().series) {
        const auto found = std::find(series.ids.begin(), series.ids.end(), selected());
        if (found != series.ids.end()) {
            const auto at = before + static_cast<std::size_t>(found - series.ids.begin());
            return at < kMostParts ? static_cast<int>(at) : -1;
        }
        before += series.x.size();
    }
    return -1;
}

} // namespace apertune::plots
