// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>

class QFontMetricsF;
class QPainter;
class QRectF;

namespace apertune::theme {

/// The width of a text whose digits all have the width of the widest one. Inter's digits differ, and this Qt cannot
/// switch the font's tabular figures on, so columns of numbers would not line up and live numbers would jitter. A
/// figure space (U+2007) is as wide as a digit and a punctuation space (U+2008) as wide as a point: pad with them to
/// align decimal points. GUI thread.
double tabularWidth(const QFont& font, const QString& text);

/// Draws `text` on one line in `rect`, vertically centred and horizontally by `alignment`. A text that does not fit is
/// elided on the right. Uses the painter's pen.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                 const QString& text);

/// A name cut to `width` so that both of its ends can still be read:
///
/// * A name that fits is not changed.
/// * A name is cut in its middle. If it ends in "<…>", it is cut before that: one word in the bracket gets up to two
///   thirds of the room, a list up to a quarter.
/// * Where there is room for fewer than about a dozen letters, it is cut at its end.
QString elidedName(const QFontMetricsF& metrics, const QString& name, double width);

} // namespace apertune::theme
