// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/label.h"

#include <QString>

class QMenu;
class QWidget;

namespace apertune::controls {

/// A number as the window shows it, always with its origin.
struct Figure
{
    QString caption;
    QString value; ///< formatted; "–" when there is none
    QString unit;
    QString detail; ///< the line below: interval, comparison
    Tone detailTone = Tone::secondary;
    QString definition; ///< definition of the quantity, in one or two sentences
    QString sample;     ///< interval and sample count, "95 % interval [21.8, 22.1] ms · n = 42 blocks"
    QString command;    ///< the command line that reproduces it

    bool operator==(const Figure&) const = default;
};

/// Returns the plain-text tool tip of a figure: definition and sample.
QString explanation(const Figure& figure);

/// Gives a widget the figure's tool tip, accessible name and a context menu (copy value, copy command line).
void attachFigure(QWidget* widget, const Figure& figure);

/// A menu with "copy" entries for a value and a command line. An empty text makes no entry. It deletes itself when
/// closed.
QMenu* makeCopyMenu(QWidget* parent, const QString& value, const QString& command);
/// Shows the menu of makeCopyMenu() at `global`.
void showCopyMenu(QWidget* parent, const QPoint& global, const QString& value, const QString& command);

} // namespace apertune::controls
