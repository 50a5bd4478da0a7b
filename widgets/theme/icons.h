// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPixmap>

namespace apertune::theme {

/// An icon of resources/icons by name ("start", "search" …). Drawn in the colour of the scheme in use, at any size and
/// device pixel ratio, and drawn anew when the scheme changes. An unknown name gives a null icon. GUI thread.
QIcon icon(const QString& name);

/// One icon in one colour.
QPixmap iconPixmap(const QString& name, int size, const QColor& color, double devicePixelRatio);

/// Draws it centred in `rect`, at most as large as its shorter side.
void drawIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color);

} // namespace apertune::theme
