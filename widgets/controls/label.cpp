// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/label.h"

#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace apertune::controls {

QColor toneColor(Tone tone)
{
    const theme::Tokens& t = theme::current();
    switch (tone) {
    case Tone::text:
        return t.text;
    case Tone::secondary:
        return t.text2;
    case Tone::tertiary:
        return t.text3;
    case Tone::accent:
        return t.accent;
    case Tone::good:
        return t.good;
    case Tone::warn:
        return t.warn;
    case Tone::bad:
        return t.bad;
    }
    return t.text;
}

Label::Label(const QString& text, theme::Type type, Tone tone, QWidget* parent)
    : QLabel(text, parent), m_type(type), m_tone(tone)
{
    setTextFormat(Qt::PlainText);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &Label::refresh);
    refresh();
}

void Label::setTone(Tone tone)
{
    m_tone = tone;
    refresh();
}

void Label::setElided(bool elided)
{
    m_elided = elided;
    updateGeometry();
    update();
}

void Label::setName(const QString& shown, const QString& whole)
{
    m_isName = true;
    setText(shown);
    setToolTip(whole);
    setElided(true);
}

QSize Label::sizeHint() const
{
    return hasFixedWidth() ? QSize(minimumWidth(), heightForWidth(minimumWidth())) : QLabel::sizeHint();
}

QSize Label::minimumSizeHint() const
{
    if (hasFixedWidth())
        return sizeHint();
    const QSize hint = QLabel::minimumSizeHint();
    return m_elided ? QSize(fontMetrics().averageCharWidth() * 6, hint.height()) : hint;
}

int Label::heightForWidth(int width) const
{
    // A layout passes its own width, even if it will centre the label in it.
    return QLabel::heightForWidth(hasFixedWidth() ? minimumWidth() : width);
}

void Label::refresh()
{
    setFont(theme::font(m_type));
    QPalette colours = theme::paletteOf(theme::currentScheme(), theme::Theme::instance().contrast());
    colours.setColor(QPalette::WindowText, toneColor(m_tone));
    setPalette(colours);
}

bool Label::event(QEvent* event)
{
    // The tip is computed on demand, because text, font and width may have changed since the last layout.
    if (event->type() == QEvent::ToolTip && m_elided && toolTip().isEmpty()) {
        const bool cut = fontMetrics().horizontalAdvance(text()) > contentsRect().width();
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), cut ? text() : QString(), this);
        return true;
    }
    return QLabel::event(event);
}

void Label::paintEvent(QPaintEvent* event)
{
    if (!m_elided) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    const int width = contentsRect().width();
    painter.drawText(contentsRect(), static_cast<int>(alignment() | Qt::TextSingleLine),
                     m_isName ? theme::elidedName(QFontMetricsF(font()), text(), width)
                              : fontMetrics().elidedText(text(), Qt::ElideRight, width));
}

} // namespace apertune::controls
