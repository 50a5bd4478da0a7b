// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/panel.h"

#include "widgets/controls/label.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace apertune::controls {

Panel::Panel(const QString& title, QWidget* parent) : QWidget(parent)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 1, 1, 1);
    outer->setSpacing(0);
    m_header = new QWidget(this);
    m_headerLayout = new QHBoxLayout(m_header);
    m_headerLayout->setContentsMargins(12, 10, 12, 0);
    m_headerLayout->setSpacing(8);
    m_title = new Label(title, theme::Type::bodyStrong, Tone::text, m_header);
    m_headerLayout->addWidget(m_title);
    m_headerLayout->addStretch(1);
    outer->addWidget(m_header);
    m_body = new QVBoxLayout;
    m_body->setContentsMargins(12, 8, 12, 12);
    m_body->setSpacing(8);
    outer->addLayout(m_body, 1);
    m_header->setVisible(!title.isEmpty());
    setAccessibleName(title);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] { update(); });
}

void Panel::setTitle(const QString& title)
{
    m_title->setText(title);
    m_header->setVisible(!title.isEmpty());
    setAccessibleName(title);
}

QString Panel::title() const
{
    return m_title->text();
}

void Panel::addHeaderWidget(QWidget* widget)
{
    m_headerLayout->addWidget(widget);
    m_header->setVisible(true);
}

void Panel::setBodyMargin(int margin)
{
    // A table that reaches the edges must not paint over the round corners.
    m_body->setContentsMargins(margin, margin == 0 ? 8 : margin, margin, margin == 0 ? 5 : margin);
}

void Panel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    theme::drawBox(painter, rect(), theme::current().panel, theme::current().line, 6);
}

} // namespace apertune::controls
