// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPixmap>

namespace apertune::theme {

/// Returns an icon of resources/icons by its name ("start", "search" …). It is drawn in the colour of the current
/// scheme, at any size and device pixel ratio, and drawn again when the scheme changes. An unknown name gives a null
/// icon. GUI thread.
QIcon icon(const QString& name);

/// Draws an icon in one colour.
QPixmap iconPixmap(const QString& name, int size, const QColor& color, double devicePixelRatio);

/// Draws an icon centred in `rect`, as large as its shorter side.
void drawIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color);

} // namespace apertune::theme
