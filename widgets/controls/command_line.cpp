// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/command_line.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QStyleOptionFrame>

namespace apertune::controls {
namespace {

/// Shows "…" at the end of a text that does not fit, unless the user edits or selects in it. QLineEdit cannot elide.
class CommandField final : public QLineEdit
{
public:
    using QLineEdit::QLineEdit;

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QLineEdit::paintEvent(event);
        QStyleOptionFrame option;
        initStyleOption(&option);
        const QRect inside =
            style()->subElementRect(QStyle::SE_LineEditContents, &option, this).marginsRemoved(textMargins());
        const QFontMetrics metrics(font());
        if (hasFocus() || metrics.horizontalAdvance(text()) + 4 <= inside.width())
            return;
        const QString dots(QChar(0x2026));
        // One character more than the dots need is covered, so that no half character stands before them.
        const int width = metrics.horizontalAdvance(dots) + metrics.averageCharWidth();
        QPainter painter(this);
        const QRect end(inside.right() - width, inside.top() + 1, width + textMargins().right(), inside.height() - 2);
        painter.fillRect(end, palette().color(QPalette::Base));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(end, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), dots);
    }
};

} // namespace

CommandLine::CommandLine(const QString& accessibleName, QWidget* parent) : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_text = new CommandField(this);
    m_text->setTextMargins(6, 0, 6, 0);
    m_text->setReadOnly(true);
    m_text->setAccessibleName(accessibleName);
    m_copy = new QPushButton(theme::icon(QStringLiteral("copy")), tr("Copy"), this);
    m_copy->setAccessibleName(tr("Copy: %1").arg(accessibleName));
    layout->addWidget(m_text, 1);
    layout->addWidget(m_copy);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command()); });
    const auto refresh = [this] { m_text->setFont(theme::font(theme::Type::mono)); };
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, refresh);
    refresh();
}

void CommandLine::setCommand(const QString& command)
{
    m_text->setText(command);
    m_text->setCursorPosition(0);
    m_text->setToolTip(command);
    m_copy->setEnabled(!command.isEmpty());
}

QString CommandLine::command() const
{
    return m_text->text();
}

} // namespace apertune::controls
