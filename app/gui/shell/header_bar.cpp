// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/header_bar.h"

#include "app/gui/session/page.h"
#include "widgets/controls/label.h"
#include "widgets/controls/search_field.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>

namespace apertune::gui {

HeaderBar::HeaderBar(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 10);
    layout->setSpacing(12);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    m_title = new controls::Label({}, theme::Type::title, controls::Tone::text, this);
    m_facts = new controls::Label({}, theme::Type::caption, controls::Tone::secondary, this);
    m_title->setElided(true);
    m_facts->setElided(true);
    texts->addWidget(m_title);
    texts->addWidget(m_facts);
    m_search = new controls::SearchField(tr("Search trials, studies, pages"), tr("Ctrl+K"), this);
    layout->addLayout(texts, 1);
    layout->addWidget(m_search);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(8);
    layout->addLayout(m_buttons);
    // Without a word, or a long title would be cut in a narrow window.
    auto* help = new QPushButton(theme::icon(QStringLiteral("help")), QString(), this);
    help->setAccessibleName(tr("Help"));
    help->setFixedSize(28, 28);
    theme::setButtonKind(help, theme::ButtonKind::quiet);
    help->setToolTip(tr("The manual’s page about what is shown (F1)"));
    connect(help, &QPushButton::clicked, this, &HeaderBar::helpWanted);
    layout->addWidget(help);
}

QPushButton* HeaderBar::makeButton(QAction* action)
{
    auto* button = new QPushButton(this);
    // The action owns text and state; the button shows them.
    const auto mirror = [button, action] {
        theme::setButtonKind(button, action->property(kPrimaryAction).toBool() ? theme::ButtonKind::primary
                                                                               : theme::ButtonKind::normal);
        button->setText(action->text());
        button->setToolTip(action->toolTip());
        button->setAccessibleName(action->text());
        button->setEnabled(action->isEnabled());
        button->setVisible(action->isVisible());
    };
    mirror();
    connect(action, &QAction::changed, button, mirror);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

void HeaderBar::show(const Page& page)
{
    m_title->setText(page.title());
    m_facts->setText(page.facts());
    m_facts->setVisible(!page.facts().isEmpty());
    // The buttons of a page follow their actions, so they are only made when the page changes.
    if (m_page == &page)
        return;
    m_page = &page;
    qDeleteAll(m_shown);
    m_shown.clear();
    for (QAction* action : page.headerActions()) {
        QPushButton* button = makeButton(action);
        m_buttons->addWidget(button);
        m_shown.append(button);
    }
}

} // namespace apertune::gui
