// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page_spec.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace apertune::gui {

class ManualView;

/// The installed manual (resources/manual) in a window of its own. Each page of the main window has a page there, of
/// the same name. GUI thread.
class ManualWindow : public QWidget
{
    Q_OBJECT
public:
    /// `window` stays the owner; the manual closes with it.
    explicit ManualWindow(QWidget* window);

    /// Shows the page about a page of the main window, and brings the manual to the front.
    void showPageOf(PageId page);

    /// The folder of the installed pages.
    static QString folder();
    /// The file of the page about a page of the main window.
    static QString fileOf(PageId page);

private:
    void find(bool backwards);
    void follow();

    ManualView* m_view = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_forward = nullptr;
    QLineEdit* m_find = nullptr;
};

} // namespace apertune::gui
