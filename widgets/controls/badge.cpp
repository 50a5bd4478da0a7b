// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/badge.h"

#include "widgets/controls/accessible.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/marker.h"
#include "widgets/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

namespace apertune::controls {
namespace {

constexpr int kLead = 17; ///< width of the shape and of the gap behind it

} // namespace

Badge::Badge(theme::Shape shape, const QString& word, Tone tone, QWidget* parent)
    : QWidget(parent), m_shape(shape), m_word(word), m_tone(tone)
{
    setPaintedRole(this, PaintedRole::figure);
    setAccessibleName(word);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize Badge::sizeHint() const
{
    const QFontMetrics metrics(theme::font(theme::Type::bodyStrong));
    return {kLead + metrics.horizontalAdvance(m_word) + 2, metrics.height() + 2};
}

void Badge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QColor ink = toneColor(m_tone);
    theme::drawMarker(painter, QPointF(6, height() / 2.0), 9, {m_shape, ink}, true);
    painter.setFont(theme::font(theme::Type::bodyStrong));
    painter.setPen(ink);
    painter.drawText(rect().adjusted(kLead, 0, 0, 0), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), m_word);
}

} // namespace apertune::controls
