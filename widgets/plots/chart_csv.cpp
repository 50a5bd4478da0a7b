// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_csv.h"

#include "core/base/csv.h"
#include "widgets/plots/chart_content.h"

#include <QObject>

#include <algorithm>
#include <optional>

namespace apertune::plots {
namespace {

void addText(base::CsvLine& line, const QString& text)
{
    line.text(text.toStdString());
}

void addNumber(base::CsvLine& line, const std::vector<double>& values, std::size_t i)
{
    line.number(i < values.size() ? std::optional(values[i]) : std::nullopt);
}

/// Adds both ends of a point's interval; empty fields when it has none.
void addBounds(base::CsvLine& line, const std::vector<double>& lo, const std::vector<double>& hi, std::size_t i)
{
    addNumber(line, lo, i);
    addNumber(line, hi, i);
}

void addAxis(base::CsvLine& header, const QString& title, bool bounds)
{
    addText(header, title);
    if (bounds) {
        addText(header, title + QObject::tr(", low"));
        addText(header, title + QObject::tr(", high"));
    }
}

} // namespace

QString chartCsv(const ChartContent& content)
{
    const auto any = [&](auto member) {
        return std::any_of(content.series.begin(), content.series.end(),
                           [member](const ChartSeries& series) { return !(series.*member).empty(); });
    };
    // A column that no series has would be empty.
    const bool names = any(&ChartSeries::labels);
    const bool xBounds = any(&ChartSeries::xLo);
    const bool hasY = !content.y.title.isEmpty(); // an axis without a title only spreads points on the screen
    const bool yBounds = hasY && any(&ChartSeries::yLo);
    base::CsvLine header;
    addText(header, QObject::tr("series"));
    if (names)
        addText(header, QObject::tr("point"));
    addAxis(header, content.x.title.isEmpty() ? QStringLiteral("x") : content.x.title, xBounds);
    if (hasY)
        addAxis(header, content.y.title, yBounds);
    std::string text = header.take();
    for (const ChartSeries& series : content.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            base::CsvLine line;
            addText(line, series.name);
            if (names)
                addText(line, i < series.labels.size() ? series.labels[i] : QString());
            addNumber(line, series.x, i);
            if (xBounds)
                addBounds(line, series.xLo, series.xHi, i);
            if (hasY)
                addNumber(line, series.y, i);
            if (yBounds)
                addBounds(line, series.yLo, series.yHi, i);
            text += line.take();
        }
    }
    return QString::fromStdString(text);
}

} // namespace apertune::plots
