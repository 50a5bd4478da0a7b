// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/search_field.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

namespace apertune::controls {

SearchField::SearchField(const QString& placeholder, const QString& shortcutHint, QWidget* parent)
    : QLineEdit(parent), m_hint(shortcutHint)
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    setTextMargins(24, 0, 0, 0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize SearchField::sizeHint() const
{
    const QFontMetrics body(theme::font(theme::Type::body));
    const QFontMetrics caption(theme::font(theme::Type::caption));
    const int hint = m_hint.isEmpty() ? 0 : caption.horizontalAdvance(m_hint) + 20;
    return {body.horizontalAdvance(placeholderText()) + 52 + hint, QLineEdit::sizeHint().height()};
}

void SearchField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    theme::drawIcon(painter, QStringLiteral("search"), QRectF(8, height() / 2.0 - 8, 16, 16), t.text2);
    if (text().isEmpty() && !m_hint.isEmpty()) {
        painter.setFont(theme::font(theme::Type::caption));
        painter.setPen(t.text3);
        painter.drawText(rect().adjusted(0, 0, -10, 0), static_cast<int>(Qt::AlignVCenter | Qt::AlignRight), m_hint);
    }
}

void SearchField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace apertune::controls
