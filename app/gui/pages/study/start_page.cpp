// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/start_page.h"

#include "app/gui/pages/study/engines_panel.h"
#include "app/gui/pages/study/zoo_card.h"
#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/machine_view.h"
#include "core/models/zoo.h"
#include "widgets/controls/drop_area.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/question.h"
#include "widgets/controls/scroll_page.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/text_table_model.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

PageSpec startPage()
{
    return {PageId::start, QT_TRANSLATE_NOOP("apertune::gui", "Start"), "start", Qt::CTRL | Qt::Key_1,
            makePage<StartPage>};
}

StartPage::StartPage(AppContext& context, QWidget* parent) : Page(context, PageId::start, parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeLeft(), 5);
    layout->addWidget(makeRight(), 3);
    QAction* open = addHeaderAction(tr("Open workspace"), false);
    connect(open, &QAction::triggered, this, &StartPage::chooseFile);
    m_sweep = addHeaderAction(tr("New sweep"), true);
    connect(m_sweep, &QAction::triggered, this, [this] { this->context().navigate(PageId::sweep); });
    connect(&context.session, &Session::workspaceChanged, this, &StartPage::refreshStudies);
    connect(&context.session, &Session::machineChanged, this, &StartPage::refreshMachine);
    connect(&context.settings, &Settings::changed, this, &StartPage::refreshRecent);
    refreshStudies();
    refreshMachine();
    refreshRecent();
}

QWidget* StartPage::makeLeft()
{
    auto* scroll = new controls::ScrollPage(this);
    QVBoxLayout* body = scroll->body();
    body->setContentsMargins(16, 0, 6, 12);
    auto* studies = new Panel(tr("Studies in this workspace"), scroll);
    m_studies = new tables::TextTableModel({{tr("Study")},
                                            {tr("Trials"), true},
                                            {tr("Measured"), true},
                                            {tr("Failed"), true},
                                            {tr("Purpose"), false,
                                             tr("Experiments are never what “the last study” means: they try one "
                                                "advice, one claim or one estimate")},
                                            {tr("Begun"), false, {}, false, {tr("Begun (UTC)")}},
                                            {tr("State")}},
                                           this);
    m_studyTable = new tables::LeanTable(studies);
    m_studyTable->setModel(m_studies);
    m_studyTable->setAccessibleName(tr("Studies"));
    m_studyTable->setMinimumHeight(150);
    m_noStudies =
        new Label(tr("No study yet. Tune a model of the zoo below, or drop one of your own: each sweep is kept "
                     "here with every trial."),
                  theme::Type::body, Tone::secondary, studies);
    m_noStudies->setWordWrap(true);
    m_noStudies->setContentsMargins(12, 0, 12, 12);
    studies->setBodyMargin(0);
    studies->body()->addWidget(m_studyTable, 1);
    studies->body()->addWidget(m_noStudies);
    m_broken = makeBroken(studies);
    studies->body()->addWidget(m_broken);
    connect(m_studyTable, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        context().session.selectStudy(model::StudyId{m_studies->keyAt(index.row())});
        context().navigate(PageId::tradeoffs);
    });
    connect(m_studyTable, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        context().session.selectStudy(model::StudyId{m_studies->keyAt(index.row())});
        context().navigate(PageId::tradeoffs);
    });
    m_studyTable->setRowMenu(
        [this](QMenu* menu, int row) { fillStudyMenu(menu, model::StudyId{m_studies->keyAt(row)}); });
    m_zoo = new Panel(tr("Model zoo"), scroll);
    m_zoo->addHeaderWidget(new Label(tr("parameters of each · random weights, no network needed"), theme::Type::caption,
                                     Tone::secondary, m_zoo));
    auto* cards = new QWidget(m_zoo);
    auto* flow = new controls::FlowLayout(cards, 8);
    for (const models::ZooEntry& entry : models::zoo()) {
        auto* card = new ZooCard(entry, cards);
        connect(card, &QAbstractButton::clicked, this, [this, entry] { tune(entry); });
        flow->addWidget(card);
    }
    m_zoo->body()->addWidget(cards);
    body->addWidget(studies, 1);
    body->addWidget(m_zoo);
    return scroll;
}

QWidget* StartPage::makeBroken(QWidget* parent)
{
    auto* broken = new QWidget(parent);
    auto* layout = new QVBoxLayout(broken);
    layout->setContentsMargins(12, 0, 12, 12);
    layout->setSpacing(8);
    m_brokenTitle = new Label({}, theme::Type::heading, Tone::bad, broken);
    m_brokenTitle->setWordWrap(true);
    m_brokenText = new Label({}, theme::Type::body, Tone::text, broken);
    m_brokenText->setWordWrap(true);
    layout->addWidget(m_brokenTitle);
    layout->addWidget(m_brokenText);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    m_repair = new QPushButton(tr("Save what is readable"), broken);
    m_repair->setToolTip(tr("Copies every readable row to a new workspace beside this one, which stays as it is, and "
                            "opens the new one (apertune workspace repair)"));
    auto* other = new QPushButton(tr("Open another workspace"), broken);
    buttons->addWidget(m_repair);
    buttons->addWidget(other);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    layout->addStretch(1);
    connect(m_repair, &QPushButton::clicked, this, &StartPage::repair);
    connect(other, &QPushButton::clicked, this, &StartPage::chooseFile);
    return broken;
}

/// A workspace that cannot be read offers nothing to measure into: what remains is to repair it or to leave it.
void StartPage::showLoadError()
{
    const Session& session = context().session;
    // Nothing can be tuned into a workspace that cannot be read.
    const auto& error = session.loadError();
    m_broken->setVisible(error.has_value());
    m_zoo->setEnabled(!error);
    m_sweep->setEnabled(!error);
    if (!error)
        return;
    m_brokenTitle->setText(tr("%1 cannot be read").arg(theme::toQt(session.file().filename().string())));
    m_brokenText->setText(theme::fromCore(*error));
    // Only damage can be repaired; a newer version or a missing right cannot.
    m_repair->setVisible(error->code == base::ErrorCode::corrupt);
}

void StartPage::repair()
{
    m_repair->setEnabled(false);
    context().tasks.start(
        this, QStringLiteral("repair"),
        [gateway = context().studyGateway, file = context().session.file()](const TaskRunner::Scope&) {
            return gateway->repair(file);
        },
        [this](base::Result<RepairedWorkspace> repaired) {
            m_repair->setEnabled(true);
            if (!repaired) {
                context().notify({Tone::bad, theme::fromCore(repaired.error())});
                return;
            }
            const store::Salvage& saved = repaired->saved;
            context().openWorkspace(theme::fileToQt(repaired->file));
            const QString rows = theme::counted(saved.rows, tr("row"), tr("rows"));
            const QString name = theme::toQt(repaired->file.filename().string());
            context().notify(
                saved.dropped > 0 || saved.placeholders > 0 || !saved.damagedTables.empty()
                    ? controls::InfoBar::Message{Tone::warn,
                                                 tr("%1 are saved in %2; some of the data is lost. The damaged file "
                                                    "was not changed.")
                                                     .arg(rows, name)}
                    : controls::InfoBar::Message{
                          Tone::good, tr("%1 are saved in %2. The damaged file was not changed.").arg(rows, name)});
        });
}

QWidget* StartPage::makeRight()
{
    auto* scroll = new controls::ScrollPage(this);
    QVBoxLayout* body = scroll->body();
    body->setContentsMargins(6, 0, 16, 12);
    auto* drop =
        new controls::DropArea(tr("Drop a model, a workspace or a trace here"),
                               tr(".pt, .onnx, .xml, .apertune, .json, .json.gz, .sqlite, or click to choose"), scroll);
    connect(drop, &QAbstractButton::clicked, this, &StartPage::chooseFile);
    m_sample = new QPushButton(theme::icon(QStringLiteral("folder")), tr("Open the sample"), scroll);
    m_sample->setToolTip(tr("A finished study and traces that were measured before: a look around without measuring "
                            "anything (apertune workspace sample)"));
    connect(m_sample, &QAbstractButton::clicked, this, &StartPage::openSample);
    auto* machine = new Panel(tr("This machine"), scroll);
    m_machine = new controls::FactList(machine);
    machine->body()->addWidget(m_machine);
    auto* captures = new Panel(tr("Recordings that this machine supports"), scroll);
    m_capabilities = new controls::FactList(captures);
    captures->body()->addWidget(m_capabilities);
    m_recentPanel = new Panel(tr("Recent workspaces"), scroll);
    auto* recent = new QWidget(m_recentPanel);
    m_recent = new QVBoxLayout(recent);
    m_recent->setContentsMargins(0, 0, 0, 0);
    m_recent->setSpacing(2);
    m_recentPanel->body()->addWidget(recent);
    body->addWidget(drop);
    body->addWidget(m_sample);
    body->addWidget(machine);
    body->addWidget(new EnginesPanel(context(), scroll));
    body->addWidget(captures);
    body->addWidget(m_recentPanel);
    body->addStretch(1);
    return scroll;
}

void StartPage::fillStudyMenu(QMenu* menu, model::StudyId id)
{
    const auto& studies = context().session.studies();
    const auto study = std::find_if(studies.begin(), studies.end(), [id](const auto& s) { return s.id == id; });
    if (study == studies.end())
        return;
    const QString name = theme::toQt(study->name);
    // A job writes the workspace, and one writer is allowed.
    const bool free = !context().jobs.state().busy() && study->state != model::StudyState::running;
    if (study->state == model::StudyState::interrupted) {
        QAction* resume = menu->addAction(theme::icon(QStringLiteral("play")), tr("Resume"));
        resume->setEnabled(free);
        connect(resume, &QAction::triggered, this, [this, id, name] {
            if (context().jobs.resume({id}, name))
                context().navigate(PageId::live);
        });
    }
    QAction* remove = menu->addAction(theme::icon(QStringLiteral("close")), tr("Delete “%1” …").arg(name));
    remove->setEnabled(free);
    connect(remove, &QAction::triggered, this, [this, id, name] { askToDelete(id, name); });
}

void StartPage::askToDelete(model::StudyId id, const QString& name)
{
    // The samples of a study cannot be made again.
    const controls::Question question{tr("Delete “%1” with all its trials?").arg(name),
                                      tr("Its samples cannot be brought back. Models and exports stay."), tr("Delete"),
                                      tr("Keep"), QMessageBox::DestructiveRole};
    controls::ask(this, question, [this, id] {
        context().tasks.start(
            this, QStringLiteral("delete"),
            [gateway = context().studyGateway, file = context().session.file(), id](const TaskRunner::Scope&) {
                return gateway->deleteStudy(file, id);
            },
            [this, id](base::Status deleted) {
                Session& session = context().session;
                if (!deleted)
                    context().notify({Tone::bad, theme::fromCore(deleted.error())});
                else if (session.wantedStudy() == id || (session.snapshot() && session.snapshot()->study.id == id))
                    session.selectStudy({}); // the latest study is shown next
                else
                    session.requestReading();
            });
    });
}

QString StartPage::title() const
{
    return tr("Start");
}

QString StartPage::facts() const
{
    return tr("Finds, verifies and explains the fastest safe way to run a vision model on this machine");
}

void StartPage::setSnapshot(std::shared_ptr<const model::StudySnapshot>)
{
    refreshStudies();
}

bool StartPage::isReady() const
{
    return context().session.isLoaded() && context().session.machine().has_value();
}

void StartPage::refreshStudies()
{
    const Session& session = context().session;
    m_studies->setRows(studyRows(session.studies(), QDateTime::currentDateTimeUtc(), session.file()));
    m_studyTable->fitColumns();
    const bool broken = session.loadError().has_value();
    m_noStudies->setVisible(session.isLoaded() && session.studies().empty() && !broken);
    m_studyTable->setVisible(!broken && (!session.studies().empty() || !session.isLoaded()));
    showLoadError();
}

void StartPage::refreshMachine()
{
    const auto& machine = context().session.machine();
    if (!machine) {
        m_machine->setFacts({{tr("looking …"), {}, {}}});
        return;
    }
    m_machine->setFacts(machineFacts(*machine));
    m_capabilities->setFacts(capabilityFacts(*machine));
}

void StartPage::refreshRecent()
{
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList files = context().settings.recentWorkspaces();
    m_recentPanel->setVisible(!files.isEmpty());
    for (const QString& file : files) {
        const QFileInfo info(file);
        auto* button = new QPushButton(info.fileName());
        button->setToolTip(file);
        button->setEnabled(info.exists());
        theme::setButtonKind(button, theme::ButtonKind::quiet);
        connect(button, &QPushButton::clicked, this, [this, file] { context().openWorkspace(file); });
        m_recent->addWidget(button, 0, Qt::AlignLeft);
    }
}

void StartPage::openSample()
{
    m_sample->setEnabled(false);
    context().tasks.start(
        this, QStringLiteral("sample"),
        [gateway = context().studyGateway](const TaskRunner::Scope&) { return gateway->sample(); },
        [this](base::Result<std::filesystem::path> file) {
            m_sample->setEnabled(true);
            if (!file) {
                context().notify({Tone::bad, theme::fromCore(file.error())});
                return;
            }
            context().openWorkspace(theme::fileToQt(*file));
            context().navigate(PageId::tradeoffs);
        });
}

void StartPage::chooseFile()
{
    auto* dialog = new QFileDialog(this, tr("Open a workspace, a model or a trace"), {},
                                   tr("Workspaces, models, recordings (*.apertune %1 *.json *.json.gz);;All files (*)")
                                       .arg(AppContext::modelPatterns()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { context().openFile(file); });
    dialog->open();
}

void StartPage::tune(const models::ZooEntry& entry)
{
    models::ImportRequest imported;
    imported.source = entry.source;
    imported.name = entry.name;
    model::ModelRef model;
    model.name = entry.name;
    const base::Nanoseconds budget = base::fromSeconds(context().settings.defaultBudget());
    if (context().jobs.tune(imported, autoTuneRequest(model, budget, context().session.file()))) {
        context().navigate(PageId::live);
    } else {
        context().notify(
            {Tone::warn, tr("Another job is running. Tune %1 when it has finished.").arg(theme::toQt(entry.name))});
    }
}

} // namespace apertune::gui
