// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/pseudo_language.h"

#include <QRegularExpression>

#include <cmath>

namespace apertune::gui {
namespace {

constexpr double kGrowth = 1.4;

QChar accented(QChar letter)
{
    static const QString kSmall = QStringLiteral("àƀçđéƒğĥíĵķłɱñőþɋŕšţúṽŵẋýž");
    static const QString kCapital = QStringLiteral("ÀƁÇĐÉƑĞĤÍĴĶŁṀÑŐÞɊŔŠŢÚṼŴẊÝŽ");
    if (letter >= QLatin1Char('a') && letter <= QLatin1Char('z'))
        return kSmall.at(letter.unicode() - 'a');
    if (letter >= QLatin1Char('A') && letter <= QLatin1Char('Z'))
        return kCapital.at(letter.unicode() - 'A');
    return letter;
}

/// Filler words with the given number of characters, without a space at either end.
QString padding(qsizetype length)
{
    static const QString kWords = QStringLiteral("łőŕéɱ íþšúɱ đőłőŕ šíţ àɱéţ çőñšé çţéţúŕ ");
    QString text;
    while (text.size() < length)
        text += kWords;
    text.truncate(length);
    if (text.endsWith(QLatin1Char(' ')))
        text.back() = QChar(u'ő');
    return text;
}

} // namespace

QString PseudoLanguage::translated(const QString& text)
{
    // These parts stay unchanged: placeholders, tags, entities, file patterns.
    static const QRegularExpression kept(
        QStringLiteral("%L?\\d{1,2}|%L?n|\\{\\w+\\}|</?[a-zA-Z][^>]*>|&[a-z]+;|\\*(?:\\.\\w+)+"));
    QString result;
    qsizetype at = 0;
    qsizetype shown = 0;
    const auto add = [&](QStringView plain) {
        // Only letters that are shown count towards the growth.
        shown += plain.size();
        for (const QChar letter : plain)
            result += accented(letter);
    };
    for (QRegularExpressionMatchIterator all = kept.globalMatch(text); all.hasNext();) {
        const QRegularExpressionMatch match = all.next();
        add(QStringView(text).mid(at, match.capturedStart() - at));
        result += match.captured();
        at = match.capturedEnd();
    }
    add(QStringView(text).mid(at));
    // Two of the added characters are the brackets.
    const auto missing = static_cast<qsizetype>(std::ceil(static_cast<double>(shown) * (kGrowth - 1))) - 2;
    if (missing > 2)
        result += QLatin1Char(' ') + padding(missing - 1);
    else if (missing > 0)
        result += padding(missing);
    return QStringLiteral("⟦%1⟧").arg(result);
}

QString PseudoLanguage::translate(const char* /*context*/, const char* sourceText, const char* /*disambiguation*/,
                                  int /*n*/) const
{
    const QString text = QString::fromUtf8(sourceText);
    return text.isEmpty() ? QString() : translated(text);
}

} // namespace apertune::gui
