// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/drop_area.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace apertune::controls {

DropArea::DropArea(const QString& title, const QString& detail, QWidget* parent)
    : QAbstractButton(parent), m_detail(detail)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(detail);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize DropArea::sizeHint() const
{
    return {320, QFontMetrics(theme::font(theme::Type::bodyStrong)).height() +
                     QFontMetrics(theme::font(theme::Type::caption)).height() * 2 + 28 + 34};
}

QSize DropArea::minimumSizeHint() const
{
    return {220, sizeHint().height()};
}

void DropArea::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool hovered = underMouse();
    QPen pen(hovered ? t.accent : t.border, 1.2);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(hovered ? t.accentSoft : Qt::transparent);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    if (hasFocus())
        theme::drawFocusRing(painter, rect());
    theme::drawIcon(painter, QStringLiteral("drop"), QRectF(width() / 2.0 - 13, 12, 26, 26),
                    hovered ? t.accent : t.text2);
    QRect line = rect().adjusted(12, 44, -12, 0);
    painter.setFont(theme::font(theme::Type::bodyStrong));
    painter.setPen(t.text);
    line.setHeight(painter.fontMetrics().height());
    painter.drawText(line, Qt::AlignCenter, text());
    line.translate(0, line.height() + 4);
    painter.setFont(theme::font(theme::Type::caption));
    painter.setPen(t.text2);
    line.setHeight(painter.fontMetrics().height() * 2);
    painter.drawText(line, static_cast<int>(Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap), m_detail);
}

} // namespace apertune::controls
