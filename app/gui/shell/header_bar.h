// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QHBoxLayout;
class QPushButton;

namespace apertune::controls {
class Label;
class SearchField;
} // namespace apertune::controls

namespace apertune::gui {

class Page;

/// The header: title and facts of the page on the left, the search field and the page's actions on the right.
class HeaderBar : public QWidget
{
    Q_OBJECT
public:
    explicit HeaderBar(QWidget* parent = nullptr);

    /// Shows title, facts and actions of a page.
    void show(const Page& page);
    controls::SearchField* search() const { return m_search; }

Q_SIGNALS:
    void helpWanted();

private:
    QPushButton* makeButton(QAction* action);

    controls::Label* m_title = nullptr;
    controls::Label* m_facts = nullptr;
    controls::SearchField* m_search = nullptr;
    QHBoxLayout* m_buttons = nullptr;
    const Page* m_page = nullptr;
    QList<QPushButton*> m_shown;
};

} // namespace apertune::gui
