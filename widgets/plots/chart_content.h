// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QColor>
#include <QString>

#include <vector>

namespace apertune::plots {

/// A plot as values: axes, series of points, lines or bars, bands and rules. It contains everything that the
/// statistical plots need, and no type of the library that draws them.
struct ChartAxis
{
    QString title;
    bool logarithmic = false;
    double lo = 0;
    double hi = 1;
    struct Tick
    {
        double at = 0;
        QString text;
    };
    std::vector<Tick> ticks; ///< empty: none are shown
    bool grid = true;
};

struct ChartSeries
{
    enum class Kind { points, line, step, bars, spans };
    Kind kind = Kind::points;
    QString name; ///< name in the legend and in the exported data
    QColor color;
    theme::Shape shape = theme::Shape::circle;
    double size = 8;        ///< marker diameter in px; 0: no markers (line, step)
    double lineWidth = 1.5; ///< bars and spans: width in axis units
    bool solid = false;     ///< markers filled with the colour itself
    std::vector<double> x, y;
    /// Spans: the ends of a horizontal bar at y; its point is x. Of other kinds:
    std::vector<double> xLo, xHi, yLo, yHi; ///< intervals; each pair is empty or as long as x; NaN: the point has none
    std::vector<qint64> ids;                ///< ids that a hit reports; empty: the series cannot be hit
    std::vector<QString> labels{};          ///< names of the points in the exported data; empty or as long as x
};

struct ChartBand
{
    Qt::Orientation along = Qt::Horizontal; ///< a horizontal band spans values of y
    double lo = 0;
    double hi = 0;
    QColor color;
};

struct ChartRule
{
    Qt::Orientation along = Qt::Horizontal;
    double at = 0;
    QColor color;
    bool dashed = false;
    QString text;
};

struct ChartNote
{
    double x = 0;
    double y = 0;
    QString text;
    QColor color;
    bool beside = false; ///< on the right of the point instead of above it
};

struct ChartContent
{
    ChartAxis x, y;
    std::vector<ChartSeries> series; ///< later ones on top
    std::vector<ChartBand> bands;
    std::vector<ChartRule> rules;
    std::vector<ChartNote> notes; ///< short direct labels beside a point, kept inside the plot
};

} // namespace apertune::plots
