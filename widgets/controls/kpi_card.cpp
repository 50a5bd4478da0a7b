// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/kpi_card.h"

#include "widgets/controls/accessible.h"
#include "widgets/theme/style.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace apertune::controls {
namespace {

constexpr int kPadding = 12;

int lineHeight(theme::Type type)
{
    return static_cast<int>(QFontMetricsF(theme::font(type)).height() + 0.5);
}

/// Breaks a text between words. QPainter's own wrapping does not know the digits of equal width.
QStringList linesOf(const QString& text, int room)
{
    const QFont font = theme::font(theme::Type::caption);
    QStringList lines{QString()};
    for (const QString& word : text.split(QLatin1Char(' '))) {
        const QString longer = lines.back().isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (lines.back().isEmpty() || theme::tabularWidth(font, longer) <= room + 0.5)
            lines.back() = longer;
        else
            lines << word;
    }
    return lines;
}

double numberWidth(const Figure& figure)
{
    return theme::tabularWidth(theme::font(theme::Type::figure), figure.value) + 6 +
           theme::tabularWidth(theme::font(theme::Type::body), figure.unit);
}

} // namespace

KpiCard::KpiCard(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    // Captions wrap on narrow cards, so the height depends on the width.
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::TabFocus);
    setPaintedRole(this, PaintedRole::figure);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void KpiCard::setFigure(const Figure& figure)
{
    if (m_figure == figure)
        return;
    m_figure = figure;
    describe();
    updateGeometry();
    update();
}

void KpiCard::setAction(const QString& text)
{
    m_action = text;
    setPaintedRole(this, text.isEmpty() ? PaintedRole::figure : PaintedRole::button);
    setCursor(text.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover, !text.isEmpty());
    describe();
}

void KpiCard::describe()
{
    attachFigure(this, m_figure);
    if (!m_action.isEmpty()) {
        setToolTip(toolTip() + (toolTip().isEmpty() ? QString() : QStringLiteral("\n")) +
                   tr("Click: %1").arg(m_action));
        setAccessibleDescription(QStringList({accessibleDescription(), m_action}).join(QStringLiteral(". ")));
    }
}

void KpiCard::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_action.isEmpty() && event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT activated();
}

void KpiCard::keyPressEvent(QKeyEvent* event)
{
    const bool pressed =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (!m_action.isEmpty() && pressed && event->modifiers() == Qt::NoModifier) {
        Q_EMIT activated();
        return;
    }
    QWidget::keyPressEvent(event);
}

bool KpiCard::isClipped() const
{
    const int room = width() - 2 * kPadding;
    const auto tooWide = [room](const QString& line) {
        return theme::tabularWidth(theme::font(theme::Type::caption), line) > room + 0.5;
    };
    const QStringList lines = linesOf(m_figure.caption, room) + linesOf(m_figure.detail, room);
    return numberWidth(m_figure) > room + 0.5 || std::any_of(lines.begin(), lines.end(), tooWide) ||
           height() < heightForWidth(width());
}

int KpiCard::heightForWidth(int width) const
{
    const int room = width - 2 * kPadding;
    const auto lines = linesOf(m_figure.caption, room).size() + linesOf(m_figure.detail, room).size();
    return 2 * kPadding + static_cast<int>(lines) * lineHeight(theme::Type::caption) + lineHeight(theme::Type::figure);
}

QSize KpiCard::sizeHint() const
{
    return {260, heightForWidth(260)};
}

QSize KpiCard::minimumSizeHint() const
{
    constexpr int kLeast = 150;
    const int width = std::max(kLeast, static_cast<int>(std::ceil(numberWidth(m_figure))) + 2 * kPadding);
    return {width, heightForWidth(width)};
}

void KpiCard::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    const bool hovered = !m_action.isEmpty() && underMouse();
    theme::drawBox(painter, rect(), hovered ? theme::mixed(t.panel, t.raised, 0.6) : t.panel,
                   hovered ? t.border : t.line, 6);
    if (hasFocus())
        theme::drawFocusRing(painter, rect());
    const QFont caption = theme::font(theme::Type::caption);
    const QFont big = theme::font(theme::Type::figure);
    const QFont body = theme::font(theme::Type::body);
    const int room = width() - 2 * kPadding;
    QRectF line(kPadding, kPadding - 1, room, lineHeight(theme::Type::caption));
    const auto drawLines = [&](const QString& text) {
        for (const QString& part : linesOf(text, room)) {
            theme::drawTabular(painter, line, Qt::AlignLeft, caption, part);
            line.translate(0, lineHeight(theme::Type::caption));
        }
    };
    painter.setPen(t.text2);
    drawLines(m_figure.caption);

    line = QRectF(line.left(), line.top(), line.width(), lineHeight(theme::Type::figure));
    painter.setPen(m_figure.value == QStringLiteral("–") ? t.text3 : t.text);
    theme::drawTabular(painter, line, Qt::AlignLeft, big, m_figure.value);
    const double used = theme::tabularWidth(big, m_figure.value) + 6;
    // The unit stands on the number's baseline.
    const double drop = (QFontMetricsF(big).ascent() - QFontMetricsF(big).descent() - QFontMetricsF(body).ascent() +
                         QFontMetricsF(body).descent()) /
                        2;
    painter.setPen(t.text2);
    theme::drawTabular(painter, line.adjusted(used, drop, 0, drop), Qt::AlignLeft, body, m_figure.unit);

    line = QRectF(line.left(), line.bottom() + 1, line.width(), lineHeight(theme::Type::caption));
    painter.setPen(toneColor(m_figure.detailTone));
    drawLines(m_figure.detail);
}

} // namespace apertune::controls
