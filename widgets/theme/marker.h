// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QPointF>

class QPainter;
class QPainterPath;

namespace apertune::theme {

/// Returns the outline of a shape around the origin. Shapes of equal `size` look equally heavy.
QPainterPath markerPath(Shape shape, double size);

/// Draws a marker of plots and legends: outlined in its colour over a translucent fill.
void drawMarker(QPainter& painter, QPointF center, double size, const Marker& marker, bool solid = false);

} // namespace apertune::theme
