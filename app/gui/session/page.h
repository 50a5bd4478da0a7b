// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"
#include "core/model/study.h"

#include <QList>
#include <QWidget>

#include <memory>

class QAction;

namespace apertune::gui {

/// One page of the window. The window shows its title, facts and actions in the header; the page itself is only the
/// content below. Pages are made when they are first shown and live as long as the window. GUI thread.
class Page : public QWidget
{
    Q_OBJECT
public:
    Page(AppContext& context, PageId id, QWidget* parent);

    PageId id() const { return m_id; }

    virtual QString title() const = 0;
    /// One line of facts under the title; may be empty.
    virtual QString facts() const { return {}; }
    /// At most two; the one made by addAction(…, true) is the primary one, at the right end.
    const QList<QAction*>& headerActions() const { return m_actions; }

    /// A new snapshot, or none. Called only while the page is visible; one that arrives while it is hidden is handed
    /// over when the page is shown.
    virtual void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) = 0;

    /// Everything the page shows for the present session is on it. --screenshot waits for it.
    virtual bool isReady() const { return true; }
    /// Ctrl+Enter.
    virtual void triggerPrimary();
    /// Esc.
    virtual void cancelOrClear() {}
    /// Text typed into the header's search field.
    virtual void setFilter(const QString&) {}

Q_SIGNALS:
    void headerChanged();

protected:
    AppContext& context() const { return m_context; }
    /// An action for the header; owned by the page.
    QAction* addHeaderAction(const QString& text, bool primary, const QString& iconName = {});
    void showEvent(QShowEvent* event) override;

private:
    void deliver();

    AppContext& m_context;
    PageId m_id;
    QList<QAction*> m_actions;
    bool m_stale = true;
};

/// Marks the primary action of a header.
inline constexpr char kPrimaryAction[] = "apertunePrimary";

} // namespace apertune::gui
