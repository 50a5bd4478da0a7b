// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/empty_state.h"

#include "widgets/controls/label.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace apertune::controls {

namespace {

// Widths of the text in px. The larger one is about 65 characters, a readable line length.
constexpr int kLeastText = 240;
constexpr int kMostText = 460;

} // namespace

EmptyState::EmptyState(const QString& iconName, QWidget* parent) : QWidget(parent), m_icon(iconName)
{
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    m_picture = new QWidget(this);
    m_picture->setFixedSize(56, 56);
    m_title = new Label({}, theme::Type::title, Tone::text, this);
    m_text = new Label({}, theme::Type::body, Tone::secondary, this);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_text->setFixedWidth(kMostText);
    m_action = new QPushButton(this);
    theme::setButtonKind(m_action, theme::ButtonKind::primary);
    layout->addStretch(2);
    layout->addWidget(m_picture, 0, Qt::AlignHCenter);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_text, 0, Qt::AlignHCenter);
    layout->addSpacing(8);
    layout->addWidget(m_action, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_action, &QPushButton::clicked, this, &EmptyState::activated);
}

void EmptyState::setContent(const QString& title, const QString& text, const QString& actionText)
{
    m_title->setText(title);
    m_text->setText(text);
    m_action->setText(actionText);
    m_action->setVisible(!actionText.isEmpty());
    setAccessibleName(title);
    setAccessibleDescription(text);
}

QSize EmptyState::minimumSizeHint() const
{
    const QMargins around = layout()->contentsMargins();
    const int width = std::max({kLeastText, m_title->sizeHint().width(), m_action->minimumSizeHint().width()});
    return {width + around.left() + around.right(), QWidget::minimumSizeHint().height()};
}

void EmptyState::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const QMargins around = layout()->contentsMargins();
    // A wrapped label reports its height only for a fixed width, so the layout cannot choose it.
    m_text->setFixedWidth(std::clamp(width() - around.left() - around.right(), kLeastText, kMostText));
}

void EmptyState::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const theme::Tokens& t = theme::current();
    theme::drawBox(painter, m_picture->geometry(), t.raised, QColor(), 28);
    theme::drawIcon(painter, m_icon, QRectF(m_picture->geometry()).adjusted(14, 14, -14, -14), t.text2);
}

} // namespace apertune::controls
