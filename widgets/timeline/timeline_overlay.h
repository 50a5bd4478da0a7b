// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_viewport.h"

#include <QPointF>

class QPainter;

namespace apertune::timeline {

/// What lies over the picture of a timeline and changes without a new layout: the selected range and the line at the
/// pointer. Drawn in logical pixels, in the colours of the theme in use. GUI thread.
class TimelineOverlay
{
public:
    /// `height` is the height of the widget in logical pixels. REQUIRES: painter and viewport outlive it.
    TimelineOverlay(QPainter& painter, const TimelineViewport& viewport, int height);

    void paintSelection(const TimelineSelection& selection);
    /// Paints nothing where the pointer is neither over ruler nor over rows. `at` is in logical pixels.
    void paintPointer(QPointF at);

private:
    double logical(double pixels) const { return pixels / m_viewport.ratio(); }
    double xOf(std::int64_t time) const { return logical(m_viewport.view().xOf(static_cast<double>(time))); }
    void paintRows(const std::vector<std::uint32_t>& rows, double left, double right);

    QPainter& m_painter;
    const TimelineViewport& m_viewport;
    const double m_height;
    const double m_left;  ///< of the plot
    const double m_right; ///< of the plot
};

} // namespace apertune::timeline
