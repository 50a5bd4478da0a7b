// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/info_bar.h"

#include "widgets/controls/accessible.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace apertune::controls {
namespace {

constexpr int kGapBelow = 12; // gap to the content below; hidden with the strip

QString glyphOf(Tone tone)
{
    switch (tone) {
    case Tone::good:
        return QStringLiteral("check");
    case Tone::warn:
        return QStringLiteral("warning");
    case Tone::bad:
        return QStringLiteral("error");
    default:
        return QStringLiteral("info");
    }
}

} // namespace

InfoBar::InfoBar(QWidget* parent) : QWidget(parent)
{
    setPaintedRole(this, PaintedRole::message);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(40, 6, 6, 6 + kGapBelow);
    layout->setSpacing(8);
    m_text = new Label({}, theme::Type::body, Tone::text, this);
    m_text->setWordWrap(true);
    m_action = new QPushButton(this);
    m_close = new QPushButton(this);
    m_close->setIcon(theme::icon(QStringLiteral("close")));
    m_close->setAccessibleName(tr("Dismiss message"));
    m_close->setToolTip(tr("Dismiss"));
    m_close->setFixedSize(28, 28);
    theme::setButtonKind(m_close, theme::ButtonKind::quiet);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_close);
    connect(m_close, &QPushButton::clicked, this, [this] { hide(); });
    connect(m_action, &QPushButton::clicked, this, [this] {
        // The action may show the next message in this strip, so the strip is hidden first and a copy is called.
        const auto action = m_message.action;
        hide();
        if (action)
            action();
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] { update(); });
    QWidget::hide();
}

void InfoBar::show(const Message& message)
{
    const bool same = isVisibleTo(parentWidget()) && message.text == m_message.text && message.id == m_message.id;
    m_repeats = same ? m_repeats + 1 : 1;
    m_message = message;
    refresh();
    QWidget::show();
    QAccessibleEvent alert(this, QAccessible::Alert); // assistive tools read an alert independently of the focus
    QAccessible::updateAccessibility(&alert);
}

void InfoBar::dismiss(const QString& id)
{
    if (m_message.id == id)
        hide();
}

void InfoBar::refresh()
{
    m_text->setText(m_repeats > 1 ? tr("%1 (%2 times)").arg(m_message.text).arg(m_repeats) : m_message.text);
    m_action->setText(m_message.actionText);
    m_action->setVisible(!m_message.actionText.isEmpty());
    setAccessibleName(m_text->text());
    update();
}

void InfoBar::paintEvent(QPaintEvent*)
{
    const theme::Tokens& t = theme::current();
    QPainter painter(this);
    const QColor ink = m_message.tone == Tone::secondary ? t.accent : toneColor(m_message.tone);
    const QRect box = rect().adjusted(0, 0, 0, -kGapBelow);
    theme::drawBox(painter, box, theme::mixed(t.panel, ink, 0.10), theme::mixed(t.line, ink, 0.5), 6);
    theme::drawIcon(painter, glyphOf(m_message.tone), QRectF(12, box.height() / 2.0 - 9, 18, 18), ink);
}

} // namespace apertune::controls
