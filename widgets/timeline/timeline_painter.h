// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_layout.h"
#include "widgets/theme/tokens.h"
#include "widgets/timeline/timeline_text.h"

#include <QImage>

#include <array>
#include <vector>

class QPainter;

namespace apertune::timeline {

/// Draws a laid-out timeline in the colours of the theme in use. It writes boxes and bars directly to the picture's
/// memory, because a rectangle of QPainter costs two microseconds and there are thousands. It caches texts, so each
/// widget has its own painter. GUI thread.
class TimelinePainter
{
public:
    /// Fills the whole picture. View and picture already contain the device pixel ratio; `ratio` is needed for fonts.
    /// REQUIRES: picture is QImage::Format_RGB32 of the view's size, and the drawing belongs to the view.
    void paint(QImage& picture, const timeline::Timeline& timeline, const timeline::TimelineView& view,
               const timeline::TimelineDrawing& drawing, double ratio = 1);

private:
    struct Canvas;
    void readColors();
    void paintGround(Canvas& canvas, const timeline::TimelineView& view, const timeline::TimelineDrawing& drawing);
    void paintStrips(Canvas& canvas, const timeline::Timeline& timeline, const timeline::TimelineView& view,
                     const timeline::TimelineDrawing& drawing);
    void paintBoxes(Canvas& canvas, const timeline::TimelineDrawing& drawing);
    void paintCurves(Canvas& canvas, const timeline::Timeline& timeline, const timeline::TimelineDrawing& drawing);
    void paintOverview(Canvas& canvas, const timeline::Timeline& timeline, const timeline::TimelineView& view,
                       const timeline::TimelineDrawing& drawing);
    void paintArrows(QPainter& painter, const timeline::TimelineView& view, const timeline::TimelineDrawing& drawing);

    std::array<QRgb, analysis::kWorkClasses> m_classes{};
    std::array<QRgb, analysis::kWorkClasses> m_soft{}; ///< corners of boxes
    QRgb m_grey = 0;
    std::vector<int> m_heights;
    std::vector<QRgb> m_colors;
    TimelineText m_text;
};

} // namespace apertune::timeline
