// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>

class QWidget;

namespace apertune::controls {

/// Self-painted widgets show to assistive tools as nameless fillers unless they say what they are.
enum class PaintedRole { chart, table, figure, button, message };

/// Call first in the constructor of a self-painted widget, for a name already makes it a filler; its accessibleName and
/// accessibleDescription carry the summary.
/// Where the widget is a PaintedParts as well, its parts are its children for assistive tools: cells of a table, items
/// of a chart.
void setPaintedRole(QWidget* widget, PaintedRole role);

/// What a self-painted widget shows, one by one: points, bars, boxes, cells. Asked only by assistive tools. GUI thread.
class PaintedParts
{
public:
    struct Part
    {
        QString name;   ///< with its number and unit: "conv2d, 2.3 ms"
        QString detail; ///< what a tool tip would add; may be empty
        QRect place;    ///< on the widget; empty: out of sight
    };

    virtual ~PaintedParts() = default;

    virtual int partCount() = 0;
    /// REQUIRES: 0 ≤ index < partCount().
    virtual Part part(int index) = 0;
    /// Where the arrow keys are; −1: at none.
    virtual int currentPart() = 0;
};

/// Call after the arrow keys went to another part of a PaintedParts: while it has the focus, assistive tools read that
/// part.
void tellCurrentPart(QWidget* widget);

} // namespace apertune::controls
