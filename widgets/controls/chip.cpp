// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/chip.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/marker.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QPainter>

namespace apertune::controls {

Chip::Chip(const QString& text, QWidget* parent) : QAbstractButton(parent)
{
    setText(text);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(text);
    connect(this, &QAbstractButton::toggled, this, &Chip::takeTabStop);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

/// Tab stops at the chosen chip of an exclusive group, and the arrow keys go on from there. Qt does this only for chips
/// that were chosen by a click.
void Chip::takeTabStop(bool on)
{
    if (!on || !autoExclusive() || !group())
        return;
    for (QAbstractButton* button : group()->buttons())
        button->setFocusPolicy(button == this ? Qt::StrongFocus : Qt::ClickFocus);
}

void Chip::setMarker(const theme::Marker& marker)
{
    m_marker = marker;
    updateGeometry();
}

QSize Chip::sizeHint() const
{
    const QFontMetrics metrics(theme::font(theme::Type::body));
    const int lead = isCheckable() || m_marker ? 20 : 0;
    return {metrics.horizontalAdvance(text()) + 20 + lead, metrics.height() + 10};
}

void Chip::enterEvent(QEnterEvent*)
{
    update();
}

void Chip::leaveEvent(QEvent*)
{
    update();
}

void Chip::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    const double radius = height() / 2.0;
    const bool on = isChecked();
    const QColor outline = !isEnabled() ? t.line : on ? t.accent : underMouse() ? t.text2 : t.border;
    theme::drawBox(painter, rect(), on && isEnabled() ? t.accentSoft : QColor(), outline, radius - 1);
    if (hasFocus())
        theme::drawFocusRing(painter, rect(), radius - 1);
    QRectF inside = QRectF(rect()).adjusted(10, 0, -10, 0);
    const QColor ink = !isEnabled() ? t.text3 : on ? t.text : t.text2;
    if (m_marker) {
        theme::Marker shown = *m_marker;
        if (!isEnabled())
            shown.color = t.text3;
        theme::drawMarker(painter, QPointF(inside.left() + 6, inside.center().y()), 9, shown, on);
        inside.setLeft(inside.left() + 20);
    } else if (isCheckable()) {
        const QRectF box(inside.left() - 1, inside.center().y() - 7, 14, 14);
        if (on)
            theme::drawIcon(painter, QStringLiteral("check"), box, isEnabled() ? t.accent : t.text3);
        else
            theme::drawBox(painter, box.adjusted(2, 2, -2, -2), QColor(), ink, autoExclusive() ? 5 : 2.5);
        inside.setLeft(inside.left() + 20);
    }
    painter.setFont(theme::font(theme::Type::body));
    painter.setPen(ink);
    painter.drawText(inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text());
}

} // namespace apertune::controls
