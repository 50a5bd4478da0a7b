// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/marker.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <numbers>

namespace apertune::theme {
namespace {

QPainterPath polygon(int corners, double radius, double turn)
{
    QPainterPath path;
    for (int i = 0; i < corners; ++i) {
        const double angle = turn + 2 * std::numbers::pi * i / corners;
        const QPointF point(radius * std::cos(angle), radius * std::sin(angle));
        i == 0 ? path.moveTo(point) : path.lineTo(point);
    }
    path.closeSubpath();
    return path;
}

} // namespace

QPainterPath markerPath(Shape shape, double size)
{
    const double r = size / 2;
    const double up = -std::numbers::pi / 2;
    QPainterPath path;
    switch (shape) {
    case Shape::circle:
        path.addEllipse(QPointF(0, 0), r, r);
        break;
    case Shape::square:
        path.addRect(QRectF(-r * 0.9, -r * 0.9, r * 1.8, r * 1.8));
        break;
    case Shape::triangle:
        path = polygon(3, r * 1.25, up).translated(0, r * 0.2);
        break;
    case Shape::diamond:
        path = polygon(4, r * 1.22, up);
        break;
    case Shape::pentagon:
        path = polygon(5, r * 1.12, up);
        break;
    case Shape::hexagon:
        path = polygon(6, r * 1.1, up);
        break;
    case Shape::cross:
        path.moveTo(-r * 0.8, -r * 0.8);
        path.lineTo(r * 0.8, r * 0.8);
        path.moveTo(r * 0.8, -r * 0.8);
        path.lineTo(-r * 0.8, r * 0.8);
        break;
    }
    return path;
}

void drawMarker(QPainter& painter, QPointF center, double size, const Marker& marker, bool solid)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(center);
    painter.setPen(QPen(marker.color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::MiterJoin));
    QColor fill = marker.color;
    fill.setAlphaF(solid ? 1.0F : 0.38F);
    painter.setBrush(fill);
    painter.drawPath(markerPath(marker.shape, size));
    painter.restore();
}

} // namespace apertune::theme
