// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/legend_row.h"

#include <QImage>
#include <QSize>
#include <QString>

namespace apertune::plots {

class PlotSource;

/// A plot as it leaves the window: its title and legend on one line, the plot below, on the panel's ground.
struct PlotPicture
{
    const PlotSource* source = nullptr;
    QSize size; ///< of the plot itself, in px
    QString title;
    const controls::LegendRow* legend = nullptr; ///< may be null

    /// `scale` pixels per pixel of the screen.
    QImage image(double scale) const;
    /// Writes *.png (at `scale`), *.svg or *.pdf; the vector formats ignore the scale. The file is there whole or not
    /// at all. Failure: a sentence that says what to do; empty on success.
    QString write(const QString& file, double scale = 1) const;
    /// The source's data as *.csv. Failure as above.
    QString writeCsv(const QString& file) const;

private:
    QSize wholeSize() const;
    void paint(QPainter& painter) const;
};

} // namespace apertune::plots
