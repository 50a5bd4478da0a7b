// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"
#include "core/model/study.h"

#include <QList>
#include <QWidget>

#include <memory>

class QAction;

namespace apertune::gui {

/// One page of the window. The window shows its title, facts and actions in the header; the page itself is the content
/// below. A page is made when it is first shown and lives as long as the window. GUI thread.
class Page : public QWidget
{
    Q_OBJECT
public:
    Page(AppContext& context, PageId id, QWidget* parent);

    PageId id() const { return m_id; }

    virtual QString title() const = 0;
    /// One line of facts below the title; may be empty.
    virtual QString facts() const { return {}; }
    /// At most two actions. The one made with `primary` stands at the right end.
    const QList<QAction*>& headerActions() const { return m_actions; }

    /// Takes a new snapshot; null: there is none. It is called only while the page is visible. A snapshot that arrives
    /// while the page is hidden is delivered when it is shown.
    virtual void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) = 0;

    /// Whether the page shows everything for the present session. --screenshot waits for it.
    virtual bool isReady() const { return true; }
    /// Handles Ctrl+Enter: triggers the primary action.
    virtual void triggerPrimary();
    /// Handles Esc.
    virtual void cancelOrClear() {}
    /// Takes the text of the header's search field.
    virtual void setFilter(const QString&) {}

Q_SIGNALS:
    void headerChanged();

protected:
    AppContext& context() const { return m_context; }
    /// Makes an action for the header. The page owns it.
    QAction* addHeaderAction(const QString& text, bool primary, const QString& iconName = {});
    void showEvent(QShowEvent* event) override;

private:
    void deliver();

    AppContext& m_context;
    PageId m_id;
    QList<QAction*> m_actions;
    bool m_stale = true;
};

/// Dynamic property that marks the primary action of a header.
inline constexpr char kPrimaryAction[] = "apertunePrimary";

} // namespace apertune::gui
