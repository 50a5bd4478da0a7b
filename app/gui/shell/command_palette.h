// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace apertune::gui {

class AppContext;

/// The list under the header's search field: pages, studies, models and trials that match its words, with their
/// actions. It lives inside the window, and the field keeps the focus.
class CommandPalette : public QFrame
{
    Q_OBJECT
public:
    /// An action of the list.
    struct Entry
    {
        QString text;
        QString kind; ///< "page", "study", "model", "trial", "action"
        QString iconName;
        std::function<void()> run;
    };

    CommandPalette(AppContext& context, QLineEdit& field, QWidget* window);

    /// Focuses the field and shows all entries that match its text.
    void open();
    void close();

    /// The entries for a text, best first, at most `limit`. Each word has to occur, without regard to case.
    static std::vector<Entry> matching(const std::vector<Entry>& entries, const QString& text, std::size_t limit = 12);

    /// Sets the actions of the window, which are listed after the pages.
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
