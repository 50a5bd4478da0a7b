// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>

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

} // namespace apertune::theme
