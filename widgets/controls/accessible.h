// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>

class QWidget;

namespace apertune::controls {

/// The role of a self-painted widget. Without one, assistive tools treat it as a nameless filler.
enum class PaintedRole { chart, table, figure, button, message };

/// Sets the role of a self-painted widget. Its accessibleName and accessibleDescription hold the summary. If the widget
/// is also a PaintedParts, its parts are its children for assistive tools: cells of a table, items of a chart.
/// REQUIRES: called first in the constructor of the widget, because setting a name makes it a filler.
void setPaintedRole(QWidget* widget, PaintedRole role);

/// The single items that a self-painted widget shows: points, bars, boxes, cells. Only assistive tools ask for them.
/// GUI thread.
class PaintedParts
{
public:
    struct Part
    {
        QString name;   ///< the item with its number and unit: "conv2d, 2.3 ms"
        QString detail; ///< text that a tool tip would add; may be empty
        QRect place;    ///< rectangle on the widget; empty: out of sight
    };

    virtual ~PaintedParts() = default;

    virtual int partCount() = 0;
    /// REQUIRES: 0 ≤ index < partCount().
    virtual Part part(int index) = 0;
    /// The part that the arrow keys selected; −1: none.
    virtual int currentPart() = 0;
};

/// Call this after the arrow keys went to another part of a PaintedParts. While the widget has the focus, assistive
/// tools read that part.
void announceCurrentPart(QWidget* widget);

} // namespace apertune::controls
