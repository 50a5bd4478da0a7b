// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace apertune::gui {

class AppContext;

/// The list under the header's search field: pages, studies, models and trials whose words match, and what to do with
/// them. Lives inside the window; the field keeps the focus.
class CommandPalette : public QFrame
{
    Q_OBJECT
public:
    /// One thing that can be done.
    struct Entry
    {
        QString text;
        QString kind; ///< "page", "study", "model", "trial", "action"
        QString iconName;
        std::function<void()> run;
    };

    CommandPalette(AppContext& context, QLineEdit& field, QWidget* window);

    /// Focuses the field and shows everything that matches its text.
    void open();
    void close();

    /// Entries for a text, best first, at most `limit`: each word must occur, whatever the case.
    static std::vector<Entry> matching(const std::vector<Entry>& entries, const QString& text, std::size_t limit = 12);

    /// Actions of the window that are listed after the pages.
    void setActions(std::vector<Entry> actions) { m_actions = std::move(actions); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Entry> allEntries() const;
    void refresh();
    void runCurrent();

    AppContext& m_context;
    QLineEdit& m_field;
    QListWidget* m_list = nullptr;
    std::vector<Entry> m_actions;
    std::vector<Entry> m_shown;
};

} // namespace apertune::gui
