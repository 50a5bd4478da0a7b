// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_viewport.h"

#include <QPointF>

class QPainter;

namespace apertune::timeline {

/// Draws the parts of a timeline that change without a new layout, over its picture: the selected range and the line at
/// the pointer. It uses logical pixels and the colours of the theme in use. GUI thread.
class TimelineOverlay
{
public:
    /// `height` is the height of the widget in logical pixels.
    /// REQUIRES: painter and viewport outlive it.
    TimelineOverlay(QPainter& painter, const TimelineViewport& viewport, int height);

    void paintSelection(const TimelineSelection& selection);
    /// Paints the line at the pointer, when it is over the ruler or the rows. `at` is in logical pixels.
    void paintPointer(QPointF at);

private:
    double logical(double pixels) const { return pixels / m_viewport.ratio(); }
    double xOf(std::int64_t time) const { return logical(m_viewport.view().xOf(static_cast<double>(time))); }
    void paintRows(const std::vector<std::uint32_t>& rows, double left, double right);

    QPainter& m_painter;
    const TimelineViewport& m_viewport;
    const double m_height;
    const double m_left;  ///< left edge of the plot
    const double m_right; ///< right edge of the plot
};

} // namespace apertune::timeline
