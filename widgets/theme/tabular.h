// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>

class QFontMetricsF;
class QPainter;
class QRectF;

namespace apertune::theme {

/// Text whose digits all have the width of the widest one. Inter's digits do not, and this Qt has no switch for the
/// font's tabular figures, so columns of numbers would not line up and live numbers would jitter.
/// A figure space (U+2007) is as wide as a digit and a punctuation space (U+2008) as wide as a point: pad with them to
/// line decimal points up. GUI thread.
double tabularWidth(const QFont& font, const QString& text);

/// Draws `text` on one line in `rect`, vertically centred, horizontally by `alignment`. Elided on the right when it
/// does not fit. Uses the painter's pen.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                 const QString& text);

/// A name cut to `width` so that both ends can still be told: in its middle and, where it ends in "<…>", before that:
/// one word in the bracket gets up to two thirds of the room, a list up to a quarter. At its end where there is room
/// for hardly a dozen letters, and as it is when it fits.
QString elidedName(const QFontMetricsF& metrics, const QString& name, double width);

} // namespace apertune::theme
