// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/legend_row.h"

#include <QImage>
#include <QSize>
#include <QString>

namespace apertune::plots {

class PlotSource;

/// The picture of a plot in a file: title and legend on one line, the plot below, on the panel's background.
struct PlotPicture
{
    const PlotSource* source = nullptr;
    QSize size; ///< size of the plot itself, in px
    QString title;
    const controls::LegendRow* legend = nullptr; ///< may be null

    /// Paints the picture with `scale` pixels for each pixel of the screen.
    QImage image(double scale) const;
    /// Writes *.png (at `scale`), *.svg or *.pdf. Vector formats ignore the scale. The file appears whole or not at
    /// all. Returns an empty text, or on failure a sentence that says what to do.
    QString write(const QString& file, double scale = 1) const;
    /// Writes the source's data as *.csv. Returns the same as write().
    QString writeCsv(const QString& file) const;

private:
    QSize wholeSize() const;
    void paint(QPainter& painter) const;
};

} // namespace apertune::plots
