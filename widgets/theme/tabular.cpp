// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/tabular.h"

#include <QCache>
#include <QFontMetricsF>
#include <QGlyphRun>
#include <QPainter>
#include <QRawFont>
#include <QRectF>

#include <algorithm>
#include <cmath>

namespace apertune::theme {
namespace {

// Spaces as wide as a digit and as a point. Few fonts have them, so they are laid out and not drawn.
constexpr ushort kFigureSpace = 0x2007;
constexpr ushort kPunctuationSpace = 0x2008;

/// The facts about a font that drawing needs, computed once.
struct Face
{
    QRawFont raw;
    double digit = 0;
    double point = 0;
};

const Face& faceOf(const QFont& font)
{
    static QCache<QString, Face> cache(32);
    const QString key = font.key();
    if (Face* known = cache.object(key))
        return *known;
    auto* face = new Face;
    face->raw = QRawFont::fromFont(font);
    const QFontMetricsF metrics(font);
    for (char digit = '0'; digit <= '9'; ++digit)
        face->digit = std::max(face->digit, metrics.horizontalAdvance(QLatin1Char(digit)));
    face->point = metrics.horizontalAdvance(QLatin1Char('.'));
    cache.insert(key, face);
    return *face;
}

struct Line
{
    QVector<quint32> glyphs;
    QVector<QPointF> positions;
    double width = 0;
    bool complete = true; ///< every character is in the font itself
};

Line layOut(const Face& face, const QString& text)
{
    Line line;
    const QVector<quint32> glyphs = face.raw.glyphIndexesForString(text);
    const QVector<QPointF> advances = face.raw.advancesForGlyphIndexes(glyphs);
    if (glyphs.size() != text.size()) {
        line.complete = false;
        return line;
    }
    line.glyphs.reserve(glyphs.size());
    line.positions.reserve(glyphs.size());
    for (qsizetype i = 0; i < glyphs.size(); ++i) {
        const QChar character = text.at(i);
        if (character.unicode() == kFigureSpace || character.unicode() == kPunctuationSpace) {
            line.width += character.unicode() == kFigureSpace ? face.digit : face.point;
            continue;
        }
        if (glyphs.at(i) == 0) {
            line.complete = false;
            return line;
        }
        const double advance = advances.at(i).x();
        const bool isDigit = character >= QLatin1Char('0') && character <= QLatin1Char('9');
        line.glyphs.append(glyphs.at(i));
        line.positions.append(QPointF(line.width + (isDigit ? (face.digit - advance) / 2 : 0), 0));
        line.width += isDigit ? face.digit : advance;
    }
    return line;
}

} // namespace

double tabularWidth(const QFont& font, const QString& text)
{
    const Line line = layOut(faceOf(font), text);
    return line.complete ? line.width : QFontMetricsF(font).horizontalAdvance(text);
}

void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font, const QString& text)
{
    const Face& face = faceOf(font);
    const Line line = layOut(face, text);
    // Qt finds characters in other fonts and shortens texts, which a glyph run cannot.
    if (!line.complete || line.width > rect.width() + 0.5) {
        painter.setFont(font);
        const QString shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width());
        painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter | Qt::TextSingleLine), shown);
        return;
    }
    double x = rect.left();
    if (alignment & Qt::AlignRight)
        x = rect.right() - line.width;
    else if (alignment & Qt::AlignHCenter)
        x = rect.center().x() - line.width / 2;
    const QFontMetricsF metrics(font);
    const double baseline = rect.top() + (rect.height() - metrics.height()) / 2 + metrics.ascent();
    QGlyphRun run;
    run.setRawFont(face.raw);
    run.setGlyphIndexes(line.glyphs);
    run.setPositions(line.positions);
    // On a whole pixel, because digits between two pixels are blurred.
    painter.drawGlyphRun(QPointF(x, std::round(baseline)), run);
}

QString elidedName(const QFontMetricsF& metrics, const QString& name, double width)
{
    if (metrics.horizontalAdvance(name) <= width)
        return name;
    // A narrower text has no room for two ends.
    if (width < 14 * metrics.averageCharWidth())
        return metrics.elidedText(name, Qt::ElideRight, width);
    const qsizetype open = name.endsWith(QLatin1Char('>')) ? name.indexOf(QLatin1Char('<')) : -1;
    if (open <= 0)
        return metrics.elidedText(name, Qt::ElideMiddle, width);
    const QString base = name.left(open);
    const QString bracket = name.mid(open);
    const double rest = metrics.horizontalAdvance(bracket);
    // One word in the bracket says what is done. A list of types and numbers says less than the name before it.
    const bool list = bracket.contains(QLatin1String(", ")) && bracket.indexOf(QLatin1Char('<'), 1) < 0;
    const double least = list ? width - std::min(rest, width / 4) : width / 3;
    const double room = std::max(std::min(metrics.horizontalAdvance(base), least), width - rest);
    const QString begin = metrics.elidedText(base, Qt::ElideRight, room);
    return begin + metrics.elidedText(bracket, Qt::ElideMiddle, width - metrics.horizontalAdvance(begin));
}

} // namespace apertune::theme
