// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QPointF>

class QPainter;
class QPainterPath;

namespace apertune::theme {

/// The outline of a shape around the origin. All shapes of one `size` look equally heavy.
QPainterPath markerPath(Shape shape, double size);

/// A marker as plots and legends draw it: outlined in its colour over a translucent fill.
void drawMarker(QPainter& painter, QPointF center, double size, const Marker& marker, bool solid = false);

} // namespace apertune::theme
