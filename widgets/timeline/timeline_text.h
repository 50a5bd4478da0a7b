// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/timeline_layout.h"
#include "widgets/theme/tokens.h"

#include <QFont>
#include <QHash>
#include <QStaticText>
#include <QString>

#include <array>
#include <optional>
#include <vector>

class QPainter;

namespace apertune::timeline {

/// The texts of a timeline. Names in boxes are shortened and elided once and kept. GUI thread.
class TimelineText
{
public:
    void paint(QPainter& painter, const trace::Timeline& timeline, const trace::TimelineView& view,
               const trace::TimelineDrawing& drawing, const std::array<QRgb, trace::kWorkClasses>& classes, QRgb grey,
               double ratio);

private:
    void follow(const trace::Timeline& timeline, double ratio);
    void paintBoxes(QPainter& painter, const trace::Timeline& timeline, const trace::TimelineDrawing& drawing,
                    const std::array<QRgb, trace::kWorkClasses>& classes, QRgb grey);
    void paintNames(QPainter& painter, const trace::Timeline& timeline, const trace::TimelineView& view,
                    const trace::TimelineDrawing& drawing);
    void paintGroups(QPainter& painter, const trace::Timeline& timeline, const trace::TimelineView& view,
                     const trace::TimelineDrawing& drawing);
    void paintRuler(QPainter& painter, const trace::Timeline& timeline, const trace::TimelineView& view,
                    const trace::TimelineDrawing& drawing);
    QString rowFigure(const trace::Timeline& timeline, const trace::TimelineView& view,
                      const trace::TimelineRow& row) const;
    const QStaticText& nameOf(const trace::Timeline& timeline, std::uint32_t name, int width);

    const trace::Timeline* m_timeline = nullptr; ///< whose texts are kept; only compared
    double m_ratio = 0;
    int m_size = 0;
    QFont m_caption, m_body, m_strong;
    std::vector<QString> m_rows;
    std::vector<QString> m_groups;
    QHash<quint64, QStaticText> m_names;
};

} // namespace apertune::timeline
