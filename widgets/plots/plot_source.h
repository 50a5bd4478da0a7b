// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>

class QPainter;

namespace apertune::plots {

/// The export side of a plot: its picture, its numbers, and the command line of a point. Every view that PlotActions
/// serves implements it. GUI thread.
class PlotSource
{
public:
    struct Point
    {
        QString text;    ///< the point in words, one or more lines; empty: no point is there
        QString command; ///< the command line that reproduces the point, or else the whole plot; may be empty
    };

    virtual ~PlotSource() = default;

    /// Draws the plot as it looks now, in the widget's size, at the painter's origin.
    virtual void paintPlot(QPainter& painter) const = 0;
    /// Returns the data as RFC 4180 text: one header line with the units, numbers in full precision with a decimal
    /// point.
    virtual QString toCsv() const = 0;
    /// Returns the point at a position of the widget.
    virtual Point pointAt(QPointF at) const = 0;
    /// Returns the position of the selected point, for a menu that the keyboard opens; the middle when none is
    /// selected.
    virtual QPointF selectedAt() const = 0;
};

} // namespace apertune::plots
