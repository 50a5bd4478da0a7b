// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_view.h"

#include "core/base/escape.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace apertune::plots {
namespace {

QString field(const QString& text)
{
    return QString::fromStdString(base::csvField(text.toStdString()));
}

QString number(const std::vector<double>& values, std::size_t i)
{
    return i < values.size() && std::isfinite(values[i]) ? QString::number(values[i], 'g', 17) : QString();
}

/// Both ends of a point's interval; empty where it has none.
QStringList bounds(const ChartSeries& series, const std::vector<double>& lo, const std::vector<double>& hi,
                   std::size_t i)
{
    const bool isRange = i < series.isRange.size() && series.isRange[i];
    return isRange ? QStringList{{}, {}} : QStringList{number(lo, i), number(hi, i)};
}

} // namespace

QString csvLine(const QStringList& fields)
{
    QStringList quoted;
    std::transform(fields.begin(), fields.end(), std::back_inserter(quoted), field);
    return quoted.join(QLatin1Char(',')) + QLatin1Char('\n');
}

QString chartCsv(const ChartContent& content)
{
    const auto any = [&](auto member) {
        return std::any_of(content.series.begin(), content.series.end(),
                           [member](const ChartSeries& series) { return !(series.*member).empty(); });
    };
    const bool names = any(&ChartSeries::labels);
    const bool xBounds = any(&ChartSeries::xLo);
    const bool hasY = !content.y.title.isEmpty(); // else y is only a place on the screen
    const bool yBounds = hasY && any(&ChartSeries::yLo);
    const auto addAxis = [](QStringList& header, const QString& title, bool bounds) {
        header << title;
        if (bounds) {
            header << title + QObject::tr(", low") << title + QObject::tr(", high");
        }
    };
    QStringList header{QObject::tr("series")};
    if (names) {
        header << QObject::tr("point");
    }
    addAxis(header, content.x.title.isEmpty() ? QStringLiteral("x") : content.x.title, xBounds);
    if (hasY) {
        addAxis(header, content.y.title, yBounds);
    }
    QString text = csvLine(header);
    for (const ChartSeries& series : content.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            QStringList line{series.name};
            if (names) {
                line << (i < series.labels.size() ? series.labels[i] : QString());
            }
            line << number(series.x, i);
            if (xBounds) {
                line << bounds(series, series.xLo, series.xHi, i);
            }
            if (hasY) {
                line << number(series.y, i);
            }
            if (yBounds) {
                line << bounds(series, series.yLo, series.yHi, i);
            }
            text += csvLine(line);
        }
    }
    return text;
}

} // namespace apertune::plots
