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

#include <algorithm>

namespace apertune::controls {
namespace {

constexpr int kPadding = 12;

int lineHeight(theme::Type type)
{
    return static_cast<int>(QFontMetricsF(theme::font(type)).height() + 0.5);
}

} // namespace

KpiCard::KpiCard(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
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
    const double room = width() - 2 * kPadding + 0.5;
    const double value = theme::tabularWidth(theme::font(theme::Type::figure), m_figure.value) + 6 +
                         theme::tabularWidth(theme::font(theme::Type::body), m_figure.unit);
    return value > room || theme::tabularWidth(theme::font(theme::Type::caption), m_figure.caption) > room ||
           theme::tabularWidth(theme::font(theme::Type::caption), m_figure.detail) > room;
}

QSize KpiCard::sizeHint() const
{
    return {260, 2 * kPadding + 2 * lineHeight(theme::Type::caption) + lineHeight(theme::Type::figure)};
}

QSize KpiCard::minimumSizeHint() const
{
    return {180, sizeHint().height()};
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
    QRectF line(kPadding, kPadding - 1, width() - 2 * kPadding, lineHeight(theme::Type::caption));
    painter.setPen(t.text2);
    theme::drawTabular(painter, line, Qt::AlignLeft, caption, m_figure.caption);

    line = QRectF(line.left(), line.bottom(), line.width(), lineHeight(theme::Type::figure));
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
    theme::drawTabular(painter, line, Qt::AlignLeft, caption, m_figure.detail);
}

} // namespace apertune::controls
