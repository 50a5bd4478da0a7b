// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/manual_window.h"

#include "app/gui/shell/manual_view.h"
#include "core/base/files.h"
#include "widgets/controls/search_field.h"
#include "widgets/theme/format.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QUrl>
#include <QVBoxLayout>

namespace apertune::gui {

ManualWindow::ManualWindow(QWidget* window) : QWidget(window, Qt::Window)
{
    setWindowTitle(tr("Manual – Apertune"));
    setAccessibleName(tr("Manual"));
    resize(980, 760);
    auto* contents = new QPushButton(tr("Contents"), this);
    contents->setToolTip(tr("All pages of the manual (Alt+Home)"));
    m_back = new QPushButton(theme::icon(QStringLiteral("back")), tr("Back"), this);
    m_back->setToolTip(tr("The page before (Alt+Left)"));
    m_forward = new QPushButton(theme::icon(QStringLiteral("forward")), tr("Forward"), this);
    m_forward->setToolTip(tr("The page after (Alt+Right)"));
    m_find = new controls::SearchField(tr("Find on this page"), tr("Ctrl+F"), this);
    m_view = new ManualView(this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(16, 10, 16, 10);
    bar->setSpacing(8);
    bar->addWidget(contents);
    bar->addWidget(m_back);
    bar->addWidget(m_forward);
    bar->addStretch(1);
    bar->addWidget(m_find);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);

    const auto home = [this] { m_view->setSource(QUrl::fromLocalFile(folder() + QStringLiteral("/index.md"))); };
    connect(contents, &QPushButton::clicked, this, home);
    connect(m_back, &QPushButton::clicked, m_view, &QTextBrowser::backward);
    connect(m_forward, &QPushButton::clicked, m_view, &QTextBrowser::forward);
    connect(m_view, &QTextBrowser::historyChanged, this, &ManualWindow::follow);
    connect(m_find, &QLineEdit::textChanged, this, [this] {
        m_view->moveCursor(QTextCursor::Start);
        find(false);
    });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { find(false); });
    const auto on = [this](const QKeySequence& keys, auto run) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, run);
    };
    on(Qt::ALT | Qt::Key_Home, home);
    on(Qt::CTRL | Qt::Key_F, [this] { m_find->setFocus(Qt::ShortcutFocusReason); });
    on(Qt::SHIFT | Qt::Key_Return, [this] { find(true); });
    // As in the main window, Escape first clears what was searched for.
    on(Qt::Key_Escape, [this] {
        if (m_find->text().isEmpty())
            close();
        else
            m_find->clear();
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
    follow();
}

QString ManualWindow::folder()
{
    return theme::fileToQt(base::installPrefix() / "share" / "apertune" / "doc" / "resources" / "manual");
}

QString ManualWindow::fileOf(PageId page)
{
    return QStringLiteral("%1/window/%2.md").arg(folder(), page.text());
}

void ManualWindow::showPageOf(PageId page)
{
    show();
    raise();
    activateWindow();
    const QString file = fileOf(page);
    // A package without the manual is possible: the command line has the same help.
    if (!QFileInfo::exists(file))
        m_view->setPlainText(tr("The manual is not part of this installation: %1 is missing. apertune --help explains "
                                "the commands.")
                                 .arg(file));
    else if (m_view->source() != QUrl::fromLocalFile(file))
        m_view->setSource(QUrl::fromLocalFile(file));
    m_view->setFocus();
}

void ManualWindow::find(bool backwards)
{
    const QTextDocument::FindFlags flags = backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    // Behind the last match, the search begins again.
    if (m_find->text().isEmpty() || m_view->find(m_find->text(), flags))
        return;
    m_view->moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
    m_view->find(m_find->text(), flags);
}

void ManualWindow::follow()
{
    m_back->setEnabled(m_view->isBackwardAvailable());
    m_forward->setEnabled(m_view->isForwardAvailable());
}

} // namespace apertune::gui
