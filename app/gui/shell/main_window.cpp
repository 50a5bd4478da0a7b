// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/main_window.h"

#include "app/gui/session/page.h"
#include "app/gui/session/shortcuts.h"
#include "app/gui/shell/command_palette.h"
#include "app/gui/shell/drop_hint.h"
#include "app/gui/shell/header_bar.h"
#include "app/gui/shell/manual_window.h"
#include "app/gui/shell/rail.h"
#include "app/gui/shell/shortcut_sheet.h"
#include "app/gui/shell/status_line.h"
#include "widgets/controls/info_bar.h"
#include "widgets/controls/question.h"
#include "widgets/controls/search_field.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

namespace apertune::gui {
namespace {

QString resumeId()
{
    return QStringLiteral("resume");
}

QString droppedFile(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : QString();
}

} // namespace

MainWindow::MainWindow(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    setWindowTitle(tr("Apertune"));
    setAcceptDrops(true);
    setMinimumSize(1024, 640);
    m_rail = new Rail(context.pages, this);
    m_header = new HeaderBar(this);
    m_info = new controls::InfoBar(this);
    m_stack = new QStackedWidget(this);
    m_stack->setFocusPolicy(Qt::ClickFocus); // otherwise the first button of the rail would start with a focus ring
    m_status = new StatusLine(context, this);
    // The palette lies over the pages, so the window is its parent.
    m_palette = new CommandPalette(context, *m_header->search(), this);
    m_sheet = new ShortcutSheet(context.pages, this);
    m_dropHint = new DropHint(this);

    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_header);
    auto* strip = new QVBoxLayout;
    strip->setContentsMargins(16, 0, 16, 0);
    strip->addWidget(m_info);
    right->addLayout(strip);
    right->addWidget(m_stack, 1);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(0);
    upper->addWidget(m_rail);
    upper->addLayout(right, 1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addLayout(upper, 1);
    whole->addWidget(m_status);

    connect(m_rail, &Rail::pageChosen, this, &MainWindow::showPage);
    connect(&context, &AppContext::navigationRequested, this, &MainWindow::showPage);
    connect(&context, &AppContext::messageRequested, m_info, &controls::InfoBar::show);
    connect(&context, &AppContext::dismissRequested, m_info, &controls::InfoBar::dismiss);
    // The stack has the focus at the start, and Tab leads to the rail.
    m_stack->setFocus();
    makeShortcuts();
    followSession();
    followJobs();
}

void MainWindow::makeShortcuts()
{
    const auto on = [this](WindowAction action, auto run) {
        connect(makeShortcut(action, this), &QShortcut::activated, this, run);
    };
    // Each page has a shortcut, which the rail's tool tips name.
    for (const PageSpec& page : m_context.pages) {
        connect(new QShortcut(QKeySequence(page.shortcut), this), &QShortcut::activated, this,
                [this, id = page.id] { showPage(id); });
    }
    on(WindowAction::palette, [this] { m_palette->open(); });
    on(WindowAction::primary, [this] { currentPage()->triggerPrimary(); });
    // Escape first closes what lies over the page.
    on(WindowAction::clear, [this] { m_sheet->isVisible() ? m_sheet->toggle() : currentPage()->cancelOrClear(); });
    on(WindowAction::openWorkspace, [this] { chooseWorkspace(); });
    on(WindowAction::openTrace, [this] { chooseTrace(); });
    on(WindowAction::sheet, [this] { m_sheet->toggle(); });
    on(WindowAction::manual, [this] { showManual(); });
    connect(m_header, &HeaderBar::helpWanted, this, &MainWindow::showManual);
    connect(&m_context, &AppContext::traceWanted, this, &MainWindow::chooseTrace);
    on(WindowAction::quit, [this] { close(); });
    const auto theme = [this](theme::Preference preference) {
        return [this, preference] {
            m_context.settings.setThemePreference(preference);
            theme::Theme::instance().setPreference(preference);
        };
    };
    m_palette->setActions({
        {tr("Open workspace …"), tr("action"), QStringLiteral("folder"), [this] { chooseWorkspace(); }},
        {tr("Open trace …"), tr("action"), QStringLiteral("trace"), [this] { chooseTrace(); }},
        {tr("Manual"), tr("action"), QStringLiteral("help"), [this] { showManual(); }},
        {tr("Keyboard shortcuts"), tr("action"), QStringLiteral("settings"), [this] { m_sheet->toggle(); }},
        {tr("Dark theme"), tr("action"), QStringLiteral("settings"), theme(theme::Preference::dark)},
        {tr("Light theme"), tr("action"), QStringLiteral("settings"), theme(theme::Preference::light)},
        {tr("More contrast, or normal"), tr("action"), QStringLiteral("settings"),
         [this] {
             const bool more = theme::Theme::instance().contrast() == theme::Contrast::more;
             const theme::Contrast contrast = more ? theme::Contrast::normal : theme::Contrast::more;
             m_context.settings.setContrast(contrast);
             theme::Theme::instance().setContrast(contrast);
         }},
    });
}

void MainWindow::followSession()
{
    connect(&m_context.session, &Session::workspaceChanged, this, [this] {
        // A workspace that cannot be read leaves the last one on the screen, with the reason above it.
        const auto& error = m_context.session.loadError();
        if (error) {
            m_info->show({controls::Tone::bad, theme::fromCore(*error), tr("Open another workspace"),
                          [this] { chooseWorkspace(); }, QStringLiteral("load")});
        } else {
            m_info->dismiss(QStringLiteral("load"));
            offerResume();
        }
    });
    connect(&m_context.session, &Session::snapshotChanged, this, &MainWindow::refreshHeader);
    // Messages about the last workspace do not hold for the new one.
    connect(&m_context.session, &Session::fileChanged, m_info, &QWidget::hide);
}

void MainWindow::offerResume()
{
    const Session& session = m_context.session;
    // A running job is no interrupted one, though its study is not finished.
    if (m_context.jobs.state().busy()) {
        m_info->dismiss(resumeId());
        return;
    }
    for (const store::StudySummary& study : session.studies()) {
        // An interrupted study without open configurations needs no resume.
        if (study.state != model::StudyState::interrupted || study.remaining == 0)
            continue;
        const QString name = theme::toQt(study.name);
        const QString text = tr("%1 was interrupted with %2 of %3 configurations to go.")
                                 .arg(name)
                                 .arg(study.remaining)
                                 .arg(study.trials);
        if (m_info->message().text != text) { // a message that was dismissed does not come back
            m_info->show({controls::Tone::warn, text, tr("Resume"),
                          [this, id = study.id, name] {
                              if (m_context.jobs.resume({id}, name))
                                  showPage(PageId::live);
                          },
                          resumeId()});
        }
        return;
    }
    m_info->dismiss(resumeId());
}

void MainWindow::followJobs()
{
    Jobs& jobs = m_context.jobs;
    connect(&jobs, &Jobs::stateChanged, this, [this] { m_rail->setBusy(m_context.jobs.state().busy()); });
    connect(&jobs, &Jobs::sweepStarted, this, [this](model::StudyId study) {
        m_info->dismiss(resumeId());
        m_context.session.selectStudy(study);
    });
    connect(&jobs, &Jobs::finished, this, [this](base::Outcome outcome, const base::Error& error) {
        if (outcome == base::Outcome::failed)
            m_info->show({controls::Tone::bad, theme::fromCore(error)});
        // The user asked to close before the job had ended.
        if (m_closeWhenIdle) {
            close();
        } else if (outcome == base::Outcome::done && !m_context.jobs.state().trial && m_context.jobs.state().study &&
                   currentPage()->id() != PageId::live) {
            m_info->show({controls::Tone::good, tr("The sweep has finished."), tr("Show what to do next"),
                          [this] { showPage(PageId::live); }});
        }
    });
}

void MainWindow::showPage(PageId id)
{
    Page* page = madePage(id);
    // Pages are made when they are shown first, so that the window opens quickly.
    if (!page) {
        page = pageOf(m_context.pages, id).make(m_context, m_stack);
        m_stack->addWidget(page);
        connect(page, &Page::headerChanged, this, [this, shown = page] {
            if (shown == currentPage())
                refreshHeader();
        });
    }
    // The widget with the focus is hidden with its page, so Tab begins at the top of this one.
    const bool leaves = m_stack->currentWidget() != page && m_stack->isAncestorOf(focusWidget());
    m_stack->setCurrentWidget(page);
    if (leaves)
        m_stack->setFocus();
    m_rail->setCurrent(id);
    m_palette->hide();
    refreshHeader();
}

Page* MainWindow::madePage(PageId id) const
{
    for (int i = 0; i < m_stack->count(); ++i) {
        auto* page = static_cast<Page*>(m_stack->widget(i));
        if (page->id() == id)
            return page;
    }
    return nullptr;
}

Page* MainWindow::currentPage() const
{
    return static_cast<Page*>(m_stack->currentWidget());
}

void MainWindow::refreshHeader()
{
    if (const Page* page = currentPage()) {
        m_header->show(*page);
        setWindowTitle(tr("%1 – Apertune").arg(page->title()));
    }
}

void MainWindow::chooseWorkspace()
{
    auto* dialog = new QFileDialog(this, tr("Open workspace"), theme::fileToQt(m_context.session.file().parent_path()),
                                   tr("Workspaces (*.apertune)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { m_context.openWorkspace(file); });
    dialog->open();
}

void MainWindow::chooseTrace()
{
    auto* dialog = new QFileDialog(this, tr("Open trace"), QString(), AppContext::traceFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { m_context.openTrace(file); });
    dialog->open();
}

void MainWindow::showManual()
{
    if (!m_manual)
        m_manual = new ManualWindow(this);
    m_manual->showPageOf(currentPage()->id());
}

void MainWindow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::current().canvas);
    if (!m_painted) {
        m_painted = true;
        // The children are painted in this same flush, so the next turn of the event loop comes after it.
        QTimer::singleShot(0, this, [this] { Q_EMIT firstPainted(); });
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    // The geometry is stored even when the window stays open.
    m_context.settings.setWindowGeometry(saveGeometry());
    if (!m_context.jobs.state().busy()) {
        event->accept();
        return;
    }
    event->ignore();
    // A second attempt to close must not ask again.
    if (m_closeWhenIdle || m_question)
        return;
    const QString consequence =
        m_context.jobs.state().kind == JobState::Kind::underLoad
            ? tr("A part of a run under load is not kept.")
            : tr("Finished configurations are stored. An interrupted sweep can be resumed later.");
    // The measurements of a job cannot be had back quickly.
    const controls::Question question{tr("A job is running: %1.").arg(m_context.jobs.state().title), consequence,
                                      tr("Stop and close"), tr("Do not close")};
    m_question = controls::ask(this, question, [this] { stopAndClose(); });
}

void MainWindow::stopAndClose()
{
    m_closeWhenIdle = true;
    m_context.jobs.requestStop(JobState::Stop::now);
    // The job may have ended while the question was open.
    if (!m_context.jobs.state().busy())
        close();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->source() == nullptr && !droppedFile(*event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
        static_cast<DropHint*>(m_dropHint)->showFor(droppedFile(*event->mimeData()));
    }
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*)
{
    m_dropHint->hide();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropHint->hide();
    m_context.openFile(droppedFile(*event->mimeData()));
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_dropHint->setGeometry(rect());
    m_sheet->setGeometry(rect());
    m_palette->hide();
}

} // namespace apertune::gui
