// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/page.h"

#include "widgets/theme/icons.h"

#include <QAction>

namespace apertune::gui {

Page::Page(AppContext& context, PageId id, QWidget* parent) : QWidget(parent), m_context(context), m_id(id)
{
    connect(&context.session, &Session::snapshotChanged, this, [this] {
        m_stale = true;
        if (isVisible())
            deliver();
    });
}

void Page::deliver()
{
    m_stale = false;
    setSnapshot(m_context.session.snapshot());
    Q_EMIT headerChanged();
}

void Page::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        deliver();
}

QAction* Page::addHeaderAction(const QString& text, bool primary, const QString& iconName)
{
    auto* action = new QAction(text, this);
    if (!iconName.isEmpty())
        action->setIcon(theme::icon(iconName));
    action->setProperty(kPrimaryAction, primary);
    m_actions.append(action);
    return action;
}

void Page::triggerPrimary()
{
    for (QAction* action : m_actions) {
        if (action->property(kPrimaryAction).toBool() && action->isEnabled() && action->isVisible()) {
            action->trigger();
            return;
        }
    }
}

} // namespace apertune::gui
