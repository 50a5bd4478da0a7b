// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/export_page.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/tradeoffs_view.h"
#include "core/model/imported.h"
#include "core/report/recommendation.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/label.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/scroll_page.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSplitter>
#include <QStackedLayout>

#include <algorithm>
#include <iterator>
#include <string>

namespace apertune::gui {

using exports::ExportTarget;

namespace {

struct TargetText
{
    ExportTarget target;
    const char* name;
    const char* summary;
};

constexpr TargetText kTargets[] = {
    {ExportTarget::python, QT_TRANSLATE_NOOP("apertune::gui::ExportPage", "Python program"),
     QT_TRANSLATE_NOOP("apertune::gui::ExportPage",
                       "run.py applies the configuration with the same engine's package and can verify it.")},
    {ExportTarget::cpp, QT_TRANSLATE_NOOP("apertune::gui::ExportPage", "C++ program"),
     QT_TRANSLATE_NOOP("apertune::gui::ExportPage",
                       "main.cpp and CMakeLists.txt, ready to build against the engine's libraries.")},
    {ExportTarget::server, QT_TRANSLATE_NOOP("apertune::gui::ExportPage", "HTTP server"),
     QT_TRANSLATE_NOOP("apertune::gui::ExportPage",
                       "server.py answers requests in batches, with a Dockerfile, figures and alerts for Prometheus.")},
    {ExportTarget::triton, QT_TRANSLATE_NOOP("apertune::gui::ExportPage", "Triton repository"),
     QT_TRANSLATE_NOOP("apertune::gui::ExportPage", "A model repository for NVIDIA Triton, with config.pbtxt.")},
    {ExportTarget::json, QT_TRANSLATE_NOOP("apertune::gui::ExportPage", "Configuration only"),
     QT_TRANSLATE_NOOP("apertune::gui::ExportPage", "apertune-config.json for programs of your own.")},
};

static_assert(std::size(kTargets) == exports::kExportTargets.size());

/// The value of the command line's option.
QString targetWord(ExportTarget target)
{
    return theme::toQt(std::string(exports::toString(target)));
}

} // namespace

PageSpec exportPage()
{
    return {PageId::exportTrial, QT_TRANSLATE_NOOP("apertune::gui", "Export"), "export", Qt::CTRL | Qt::Key_9,
            makePage<ExportPage>};
}

ExportPage::ExportPage(AppContext& context, QWidget* parent) : Page(context, PageId::exportTrial, parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("export"), this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeContent());
    connect(m_empty, &controls::EmptyState::activated, this, [this] { this->context().navigate(PageId::sweep); });
    m_save = addHeaderAction(tr("Save"), true);
    m_save->setToolTip(tr("Write the folder (Ctrl+Enter)"));
    // The button stops the writing while it runs.
    connect(m_save, &QAction::triggered, this, [this] {
        if (this->context().tasks.isRunning(this, QStringLiteral("save")))
            this->context().tasks.requestStop(this, QStringLiteral("save"));
        else
            save(false);
    });
    connect(&context.session, &Session::trialSelected, this, [this] {
        if (isVisible())
            refresh();
    });
    refresh();
}

QWidget* ExportPage::makeTargets(QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (const TargetText& text : kTargets) {
        auto* button = new QRadioButton(tr(text.name), box);
        button->setChecked(text.target == m_target);
        button->setAccessibleDescription(tr(text.summary));
        auto* summary = new controls::Label(tr(text.summary), theme::Type::caption, controls::Tone::secondary, box);
        summary->setWordWrap(true);
        summary->setIndent(26);
        layout->addWidget(button);
        layout->addWidget(summary);
        layout->addSpacing(6);
        connect(button, &QRadioButton::toggled, this, [this, target = text.target](bool on) {
            if (on && m_target != target) {
                m_target = target;
                refresh();
            }
        });
    }
    return box;
}

QWidget* ExportPage::makeContent()
{
    auto* content = new QWidget(this);
    auto* whole = new QVBoxLayout(content);
    whole->setContentsMargins(16, 0, 16, 12);
    whole->setSpacing(12);
    auto* layout = new QHBoxLayout;
    layout->setSpacing(12);
    whole->addLayout(layout, 1);

    auto* leftBox = new controls::ScrollPage(content);
    QVBoxLayout* left = leftBox->body();
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(12);
    auto* whatPanel = new controls::Panel(tr("Contents of the export"), content);
    m_what = new controls::Label({}, theme::Type::bodyStrong, controls::Tone::text, whatPanel);
    m_what->setWordWrap(true);
    m_numbers = new controls::Label({}, theme::Type::body, controls::Tone::secondary, whatPanel);
    m_numbers->setWordWrap(true);
    whatPanel->body()->addWidget(m_what);
    whatPanel->body()->addWidget(m_numbers);
    left->addWidget(whatPanel);

    auto* targetPanel = new controls::Panel(tr("As"), content);
    targetPanel->body()->addWidget(makeTargets(targetPanel));
    m_allBatches = new QCheckBox(tr("All measured batches in one package"), targetPanel);
    m_allBatches->setToolTip(tr("The program then takes --batch; each batch runs code that was compiled for it"));
    targetPanel->body()->addWidget(m_allBatches);
    left->addWidget(targetPanel);

    auto* folderPanel = new controls::Panel(tr("Into the folder"), content);
    m_folder = new QLineEdit(folderPanel);
    m_folder->setObjectName(QStringLiteral("exportFolder"));
    m_folder->setAccessibleName(tr("Destination folder"));
    m_folder->setTextMargins(6, 0, 6, 0);
    auto* browse = new QPushButton(tr("Choose…"), folderPanel);
    browse->setAccessibleName(tr("Choose the destination folder"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_folder, 1);
    row->addWidget(browse);
    folderPanel->body()->addLayout(row);
    m_note = new controls::Label({}, theme::Type::body, controls::Tone::secondary, folderPanel);
    m_note->setWordWrap(true);
    folderPanel->body()->addWidget(m_note);
    m_command = new controls::CommandLine(tr("The same on the command line"), content);
    whole->addWidget(m_command);
    left->addWidget(folderPanel);
    left->addStretch(1);
    leftBox->setFixedWidth(std::max(360, leftBox->minimumSizeHint().width()));
    layout->addWidget(leftBox);

    m_previewPanel = new controls::Panel(tr("Files"), content);
    m_list = new QListWidget(m_previewPanel);
    m_list->setAccessibleName(tr("Files of the export"));
    m_list->setFrameShape(QFrame::StyledPanel);
    m_list->setSpacing(3);
    m_preview = new QPlainTextEdit(m_previewPanel);
    m_preview->setReadOnly(true);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setFont(theme::font(theme::Type::mono));
    m_preview->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_preview->setAccessibleName(tr("Content of the chosen file"));
    auto* split = new QSplitter(Qt::Horizontal, m_previewPanel);
    split->addWidget(m_list);
    split->addWidget(m_preview);
    split->setStretchFactor(1, 1);
    split->setSizes({220, 600});
    split->setChildrenCollapsible(false);
    m_previewPanel->body()->addWidget(split);
    layout->addWidget(m_previewPanel, 1);

    connect(m_list, &QListWidget::currentRowChanged, this, &ExportPage::showFile);
    connect(browse, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Destination folder"), QFileInfo(m_folder->text()).absolutePath());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
        dialog->open();
    });
    connect(m_folder, &QLineEdit::textChanged, this, &ExportPage::showCommand);
    connect(m_allBatches, &QCheckBox::toggled, this, &ExportPage::refresh);
    return content;
}

const model::Trial* ExportPage::trial() const
{
    // What another tool measured has no model here.
    if (!m_snapshot || model::isImported(m_snapshot->study))
        return nullptr;
    const model::Trial* chosen = m_snapshot->find(context().session.selectedTrial());
    if (chosen && chosen->state == model::TrialState::ok)
        return chosen;
    return m_snapshot->leadingTrial();
}

QString ExportPage::facts() const
{
    return m_snapshot ? theme::toQt(m_snapshot->study.name) : QString();
}

void ExportPage::setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    const model::Trial* chosen = trial();
    const Shown now = chosen ? Shown{chosen->id, chosen->finishedUtc, m_target} : Shown{};
    if (now != m_shown || !chosen) // a sweep that goes on must not undo what the user typed or the page says
        refresh();
}

void ExportPage::showCommand()
{
    if (const model::Trial* t = trial())
        m_command->setCommand(
            exportCommand(t->id, targetWord(m_target), m_folder->text(), allBatches(), context().session.file()));
}

bool ExportPage::allBatches() const
{
    return m_allBatches->isChecked() && m_target != ExportTarget::json && trial() &&
           !exports::otherBatches(*m_snapshot, *trial()).empty();
}

void ExportPage::refresh()
{
    const model::Trial* chosen = trial();
    // Identifies the shown state, so that a poll without a change does not plan again.
    m_shown = chosen ? Shown{chosen->id, chosen->finishedUtc, m_target} : Shown{};
    m_allBatches->setVisible(chosen && m_target != ExportTarget::json &&
                             !exports::otherBatches(*m_snapshot, *chosen).empty());
    m_stack->setCurrentIndex(chosen ? 1 : 0);
    m_save->setEnabled(chosen != nullptr);
    if (!chosen) {
        m_planned = true;
        const bool imported = m_snapshot && model::isImported(m_snapshot->study);
        m_empty->setContent(
            imported ? tr("Nothing to export") : tr("Nothing to export yet"),
            imported
                ? tr("Another tool measured this study; its model is not here. Apertune exports only what it "
                     "measured itself.")
                : tr("This page writes a measured configuration as a folder that runs: the configuration, the model, "
                     "a small program that applies it, and a check that measures again. It needs one finished trial."),
            tr("Design a sweep"));
        return;
    }
    const bool better = report::answerOf(*m_snapshot) == report::Answer::better;
    const bool best = better && m_snapshot->recommended->trial == chosen->id;
    m_what->setText(tr("%1 · trial t%2%3")
                        .arg(configurationName(*m_snapshot, *chosen))
                        .arg(chosen->id.value)
                        .arg(best     ? tr(" · recommended")
                             : better ? QString()
                                      : tr(" · nothing is recommended yet")));
    const model::Measurement& m = chosen->measurement;
    m_numbers->setText(tr("%1 ms a pass (%2), %3 %4, n = %5")
                           .arg(theme::number(m.latencyNs.value * 1e-6), theme::certainty(m.latencyNs, 1e-6, tr("ms")),
                                theme::number(m.throughput.value), theme::throughputUnit(m_snapshot->study.model),
                                theme::counted(static_cast<qint64>(m.blocks.size()), tr("block"), tr("blocks"))));
    const QString name = QStringLiteral("%1-%2-t%3")
                             .arg(theme::toQt(m_snapshot->study.model.name), targetWord(m_target))
                             .arg(chosen->id.value);
    // Never the current folder: the window may have been started from anywhere.
    m_folder->setText(QDir::home().filePath(name));
    showCommand();
    const bool compiled = chosen->config.isCompiled() && m_target != ExportTarget::json;
    showMessage(
        controls::Tone::secondary,
        compiled ? tr("Fetching the compiled package; when it is not in the cache any more this takes a minute or two.")
                 : QString());
    plan();
    Q_EMIT headerChanged();
}

void ExportPage::plan()
{
    m_planned = false;
    m_files.clear();
    m_save->setEnabled(false);
    const model::TrialId id = trial()->id;
    context().tasks.start(
        this, QStringLiteral("plan"),
        [gateway = context().exportGateway, file = context().session.file(), snapshot = m_snapshot, id,
         target = m_target, all = allBatches()](const TaskRunner::Scope& scope) {
            return gateway->planExport(file, *snapshot, id, target, all, scope.stop());
        },
        [this](base::Result<std::vector<exports::ExportFile>> files) { showPlan(files); });
}

void ExportPage::showPlan(const base::Result<std::vector<exports::ExportFile>>& files)
{
    m_planned = true;
    m_list->clear();
    m_files.clear();
    m_save->setEnabled(files.ok());
    if (!files) {
        m_preview->clear();
        showMessage(controls::Tone::bad, theme::fromCore(files.error()));
        return;
    }
    m_files = *files;
    showMessage(controls::Tone::secondary, {});
    for (const exports::ExportFile& file : m_files)
        m_list->addItem(theme::toQt(file.path.string()));
    m_previewPanel->setTitle(theme::counted(static_cast<qint64>(m_files.size()), tr("file"), tr("files")));
    m_list->setCurrentRow(0);
}

void ExportPage::showFile(int row)
{
    if (row < 0 || row >= static_cast<int>(m_files.size()))
        return;
    const exports::ExportFile& file = m_files[static_cast<std::size_t>(row)];
    m_preview->setPlainText(file.copyFrom.empty() ? theme::toQt(file.content)
                                                  : tr("Copied from %1").arg(theme::toQt(file.copyFrom.string())));
}

void ExportPage::save(bool overwrite)
{
    if (m_files.empty())
        return;
    const QString folder = m_folder->text().trimmed();
    if (folder.isEmpty()) {
        showMessage(controls::Tone::bad, tr("✕ Choose a folder to write to."));
        m_folder->setFocus();
        return;
    }
    showMessage(controls::Tone::secondary, tr("Writing…"));
    // Writing runs the program once, which may take minutes.
    m_save->setText(tr("Cancel"));
    context().tasks.start(
        this, QStringLiteral("save"),
        [this, gateway = context().exportGateway, files = m_files, snapshot = m_snapshot, id = trial()->id,
         dir = std::filesystem::path(theme::toStd(folder)), overwrite](const TaskRunner::Scope& scope) {
            LoadTask task{scope.stop()};
            task.step = [&](const base::Message& step) {
                scope.post([this, step] { showMessage(controls::Tone::secondary, theme::fromCore(step)); });
            };
            return gateway->writeExport(files, *snapshot, id, dir, overwrite, task);
        },
        [this, folder](base::Result<models::ExportCheck> written) {
            m_save->setText(tr("Save"));
            if (written) {
                const QString message = theme::fromCore(written->message);
                showMessage(controls::Tone::good,
                            written->ran ? tr("✓ Saved; it %1. The command below checks it there.").arg(message)
                                         : tr("✓ Saved, not run here: %1").arg(message));
                m_command->setCommand(QStringLiteral("apertune verify %1").arg(shellQuoted(folder)));
                return;
            }
            if (written.error().code == base::ErrorCode::cancelled) {
                showMessage(controls::Tone::secondary, tr("Cancelled; nothing was written."));
                return;
            }
            showMessage(controls::Tone::bad, tr("✕ %1").arg(theme::fromCore(written.error())));
            // The gateway refuses a folder that is not empty, so the question comes after it and not before.
            if (written.error().code == base::ErrorCode::busy || QDir(folder).exists())
                context().notify({controls::Tone::warn, tr("%1 is not empty.").arg(folder), tr("Overwrite"),
                                  [this] { save(true); }, QStringLiteral("export")});
        });
}

void ExportPage::showMessage(controls::Tone tone, const QString& text)
{
    m_note->setTone(tone);
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

} // namespace apertune::gui
