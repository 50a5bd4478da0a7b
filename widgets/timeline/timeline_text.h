// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_layout.h"
#include "widgets/theme/tokens.h"

#include <QCache>
#include <QFont>
#include <QImage>
#include <QString>

#include <array>
#include <optional>
#include <vector>

class QPainter;

namespace apertune::timeline {

/// Returns the figure on the right of a row's name: a curve's value at the right edge, otherwise the share of the
/// visible time in which an event runs. Empty when there is none.
QString rowFigure(const timeline::Timeline& timeline, const timeline::TimelineView& view,
                  const timeline::TimelineRow& row);

/// Returns the width in logical pixels at which every row shows its whole name and figure.
double widthOfNames(const timeline::Timeline& timeline);

/// Draws the texts of a timeline. Names in boxes are shortened, elided and drawn once, and then kept as pictures. A
/// frame with a hundred long names copies the pictures in a fifth of the time of drawing glyphs. GUI thread.
class TimelineText
{
public:
    void paint(QPainter& painter, const timeline::Timeline& timeline, const timeline::TimelineView& view,
               const timeline::TimelineDrawing& drawing, const std::array<QRgb, analysis::kWorkClasses>& classes,
               QRgb grey, double ratio);

private:
    void follow(const timeline::Timeline& timeline, double ratio);
    void paintBoxes(QPainter& painter, const timeline::Timeline& timeline, const timeline::TimelineDrawing& drawing,
                    const std::array<QRgb, analysis::kWorkClasses>& classes, QRgb grey);
    void paintNames(QPainter& painter, const timeline::Timeline& timeline, const timeline::TimelineView& view,
                    const timeline::TimelineDrawing& drawing);
    void paintGroups(QPainter& painter, const timeline::Timeline& timeline, const timeline::TimelineView& view,
                     const timeline::TimelineDrawing& drawing);
    void paintRuler(QPainter& painter, const timeline::Timeline& timeline, const timeline::TimelineView& view,
                    const timeline::TimelineDrawing& drawing);
    const QImage& nameOf(const timeline::Timeline& timeline, timeline::EventRef event, int width, const QColor& pen);

    const timeline::Timeline* m_timeline = nullptr; ///< timeline of the kept texts; compared, never used
    double m_ratio = 0;
    int m_size = 0;
    QFont m_caption, m_body, m_strong;
    std::vector<QString> m_rows;
    std::vector<QString> m_groups;
    QCache<quint64, QImage> m_names{kNamesKiB}; ///< key: name, width and color; costs are KiB
    static constexpr int kNamesKiB = 48 * 1024;
};

} // namespace apertune::timeline
