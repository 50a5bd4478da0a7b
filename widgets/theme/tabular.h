// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>

class QFontMetricsF;
class QPainter;
class QRectF;

namespace apertune::theme {

/// Returns the width of a text whose digits all have the width of the widest one. Inter's digits differ, and the Qt
/// versions that we support cannot enable the font's tabular figures. Without this function, columns of numbers would
/// not line up and live numbers would jitter. Pad with a figure space (U+2007), which is as wide as a digit, and a
/// punctuation space (U+2008), which is as wide as a point, to align decimal points. GUI thread.
double tabularWidth(const QFont& font, const QString& text);

/// Draws `text` on one line in `rect`, vertically centred and horizontally by `alignment`. A text that does not fit is
/// elided on the right. Uses the painter's pen.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                 const QString& text);

/// Returns a name elided to `width` so that both of its ends can still be read:
///
/// * A name that fits is not changed.
/// * A name is elided in its middle. If it ends in "<…>", it is elided before that: one word in the bracket gets up to
///   two thirds of the room, a list up to a quarter.
/// * When there is room for fewer than about a dozen letters, it is elided at its end.
QString elidedName(const QFontMetricsF& metrics, const QString& name, double width);

} // namespace apertune::theme
