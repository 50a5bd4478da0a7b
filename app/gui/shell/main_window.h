// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"

#include <QPointer>
#include <QWidget>

class QStackedWidget;

namespace apertune::controls {
class InfoBar;
}

namespace apertune::gui {

class CommandPalette;
class HeaderBar;
class ManualWindow;
class Page;
class Rail;
class ShortcutSheet;
class StatusLine;

/// The shell: rail, header, message strip, pages, status line. It wires signals and has no logic of its own.
class MainWindow : public QWidget
{
    Q_OBJECT
public:
    explicit MainWindow(AppContext& context, QWidget* parent = nullptr);

    void showPage(PageId page);
    Page* currentPage() const;
    controls::InfoBar* infoBar() const { return m_info; }
    /// Closes the window without a question: at once or, when a job runs, after it was stopped.
    void stopAndClose();

Q_SIGNALS:
    /// Emitted once, after everything was painted for the first time. Disk and devices may be used from then on.
    void firstPainted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeShortcuts();
    void followSession();
    void followJobs();
    void offerResume();
    void chooseWorkspace();
    void chooseTrace();
    void showManual();
    void refreshHeader();
    Page* madePage(PageId id) const; ///< null: the page was not shown yet

    AppContext& m_context;
    Rail* m_rail = nullptr;
    HeaderBar* m_header = nullptr;
    controls::InfoBar* m_info = nullptr;
    QStackedWidget* m_stack = nullptr;
    StatusLine* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    ShortcutSheet* m_sheet = nullptr;
    ManualWindow* m_manual = nullptr; ///< null: it was not opened yet
    QWidget* m_dropHint = nullptr;
    bool m_painted = false;
    bool m_closeWhenIdle = false;
    QPointer<QWidget> m_question; ///< the question whether to close, while it is open
};

} // namespace apertune::gui
