// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QAbstractButton;

namespace apertune::controls {

class FlowLayout;

/// The tabs of a page, under its header, on as many lines as the width needs. An accent line marks the current one.
/// Arrow keys go from one to the next.
class TabRow : public QWidget
{
    Q_OBJECT
public:
    explicit TabRow(QWidget* parent = nullptr);

    /// Adds a tab and returns its index.
    int addTab(const QString& text, const QString& toolTip = {});
    void setCurrent(int index);
    int current() const;
    QString text(int index) const;
    /// Gives the keyboard focus to the current tab.
    void focusCurrent();

Q_SIGNALS:
    void chosen(int index);
    /// The mouse clicked a tab, perhaps the current one. The focus may move to the content of the tab. After a choice
    /// by keyboard it stays on the tab.
    void pointed(int index);

private:
    FlowLayout* m_layout = nullptr;
    std::vector<QAbstractButton*> m_tabs;
};

} // namespace apertune::controls
