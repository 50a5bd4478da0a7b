// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/import_bar.h"

#include "app/gui/session/app_context.h"
#include "widgets/controls/label.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace apertune::gui {

using controls::Label;
using controls::Tone;

namespace {

/// Whether the import failed because a TorchScript file does not describe its inputs. The message names the option.
bool asksForInputs(const base::Error& error)
{
    return theme::fromCore(error).contains(QLatin1String("--input-shape"));
}

} // namespace

ImportBar::ImportBar(AppContext& context, QWidget* parent) : Panel(tr("Import a model"), parent), m_context(context)
{
    m_stack = new QStackedWidget(this);
    auto* entry = new QWidget(m_stack);
    auto* column = new QVBoxLayout(entry);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* fields = new QGridLayout;
    fields->setHorizontalSpacing(8);
    fields->setVerticalSpacing(8);
    m_source = addField(
        fields, tr("Source"), tr("timm:NAME, a file …"),
        tr("torchvision:NAME, timm:NAME, hf:FOLDER, diffusers:NAME#PART, python:FILE.py:CALLABLE, or a TorchScript, "
           "torch.export, ONNX or OpenVINO IR file"));
    m_weights = addField(fields, tr("Weights"), tr("a state_dict file"),
                         tr("A state_dict or safetensors file in place of the source's own weights"));
    auto* chooseWeights = new QPushButton(QStringLiteral("…"), entry);
    chooseWeights->setAccessibleName(tr("Choose the file of the weights"));
    chooseWeights->setToolTip(chooseWeights->accessibleName());
    fields->addWidget(chooseWeights, 1, 2);
    auto* buttons = new QHBoxLayout;
    auto* choose = new QPushButton(tr("Choose file …"), entry);
    m_start = new QPushButton(tr("Import"), entry);
    buttons->addWidget(choose, 1);
    buttons->addWidget(m_start, 1);
    column->addLayout(fields);
    column->addLayout(buttons);
    auto* running = new QWidget(m_stack);
    auto* progress = new QVBoxLayout(running);
    progress->setContentsMargins(0, 0, 0, 0);
    progress->setSpacing(8);
    m_phase = new Label({}, theme::Type::body, Tone::text, running);
    m_phase->setElided(true);
    m_progress = new QProgressBar(running);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the import"));
    m_stop = new QPushButton(tr("Stop"), running);
    m_stop->setToolTip(tr("Stop the import; nothing half-written stays"));
    auto* stopRow = new QHBoxLayout;
    stopRow->addWidget(m_progress, 1);
    stopRow->addWidget(m_stop);
    progress->addWidget(m_phase);
    progress->addLayout(stopRow);
    m_stack->addWidget(entry);
    m_stack->addWidget(running);
    m_stack->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_outcome = new Label({}, theme::Type::caption, Tone::bad, this);
    m_outcome->setWordWrap(true);
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_outcome->hide();
    body()->addWidget(m_stack);
    body()->addWidget(m_outcome);

    connect(m_source, &QLineEdit::textChanged, this, &ImportBar::refresh);
    connect(m_source, &QLineEdit::returnPressed, m_start, &QPushButton::click);
    connect(m_weights, &QLineEdit::returnPressed, m_start, &QPushButton::click);
    connect(m_start, &QPushButton::clicked, this, [this] { importSource(m_source->text().trimmed()); });
    connect(chooseWeights, &QPushButton::clicked, this, &ImportBar::chooseWeights);
    connect(choose, &QPushButton::clicked, this, &ImportBar::chooseFile);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_context.jobs.requestStop(JobState::Stop::now); });
    connect(&context.jobs, &Jobs::stateChanged, this, &ImportBar::refresh);
    connect(&context.jobs, &Jobs::modelImported, this, [this] {
        m_source->clear();
        m_weights->clear();
    });
    connect(&context.jobs, &Jobs::finished, this, [this](base::Outcome outcome, const base::Error& error) {
        // Jobs report the end of every job, and only that of an import from here belongs here.
        const bool failed = std::exchange(m_importing, false) && outcome == base::Outcome::failed;
        const bool ask = failed && asksForInputs(error);
        // The hint names an option of the command line; the dialog asks for the same instead.
        m_outcome->setText(failed ? ask ? theme::fromCore(error.message) : theme::fromCore(error) : QString());
        m_outcome->setVisible(failed);
        if (ask)
            askInputs();
    });
    refresh();
}

QLineEdit* ImportBar::addField(QGridLayout* fields, const QString& name, const QString& placeholder,
                               const QString& toolTip)
{
    auto* field = new QLineEdit(this);
    field->setPlaceholderText(placeholder);
    field->setTextMargins(6, 0, 6, 0);
    field->ensurePolished(); // the style sets the font
    field->setMinimumWidth(field->fontMetrics().horizontalAdvance(placeholder) + 24);
    field->setAccessibleName(tr("%1 of the model").arg(name));
    field->setAccessibleDescription(toolTip);
    field->setToolTip(toolTip);
    auto* label = new Label(name, theme::Type::body, Tone::secondary, this);
    label->setBuddy(field);
    const int row = m_source ? 1 : 0;
    fields->addWidget(label, row, 0);
    fields->addWidget(field, row, 1);
    return field;
}

models::ImportRequest ImportBar::request(const QString& source, const QString& name) const
{
    models::ImportRequest request;
    request.source = theme::toStd(source);
    request.name = theme::toStd(name);
    request.weights = theme::toStd(m_weights->text().trimmed());
    return request;
}

void ImportBar::importSource(const QString& source, const QString& name)
{
    if (!source.isEmpty())
        start(request(source, name));
}

void ImportBar::askInputs()
{
    models::ImportRequest request = m_context.jobs.imported();
    QStringList given;
    for (const std::string& input : request.inputShapes)
        given << theme::toQt(input);
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Inputs of %1").arg(theme::toQt(request.source).section(QLatin1Char('/'), -1)));
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setLabelText(
        tr("%1\n\nName each input on a line of its own, in their order, as NAME:DTYPE:SHAPE with a batch of 1.\n"
           "TorchScript files run code when they are loaded: import only those that you trust.")
            .arg(m_outcome->text()));
    dialog->setTextValue(given.isEmpty() ? QStringLiteral("x:float32:1x3x224x224") : given.join(QLatin1Char('\n')));
    dialog->setOkButtonText(tr("Import"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, request](const QString& text) mutable {
        request.inputShapes.clear();
        for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            request.inputShapes.push_back(theme::toStd(line.trimmed()));
        start(request);
    });
    dialog->open();
}

void ImportBar::start(const models::ImportRequest& request)
{
    m_outcome->hide();
    if (!m_context.jobs.importModel(request))
        m_context.notify({Tone::warn, tr("Another job is running. Import the model when it has finished.")});
}

void ImportBar::chooseFile()
{
    auto* dialog = new QFileDialog(
        this, tr("Import a model file"), {},
        tr("TorchScript, torch.export, ONNX, OpenVINO IR (%1);;All files (*)").arg(AppContext::modelPatterns()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { importSource(file); });
    dialog->open();
}

void ImportBar::chooseWeights()
{
    auto* dialog = new QFileDialog(this, tr("Weights of the model"), {},
                                   tr("Weights (*.pt *.pth *.bin *.safetensors);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_weights, &QLineEdit::setText);
    dialog->open();
}

void ImportBar::refresh()
{
    const JobState& job = m_context.jobs.state();
    const bool importing = job.kind == JobState::Kind::importing;
    m_importing = m_importing || importing;
    m_stack->setCurrentIndex(importing ? 1 : 0);
    m_start->setEnabled(!job.busy() && !m_source->text().trimmed().isEmpty());
    if (importing) {
        const QString phase = job.phase.isEmpty() ? tr("starting Python") : job.phase;
        m_phase->setText(tr("%1: %2").arg(job.title, phase));
        m_progress->setRange(0, job.total);
        m_progress->setValue(job.done);
        m_stop->setEnabled(job.stop == JobState::Stop::no);
        m_stop->setText(job.stop == JobState::Stop::no ? tr("Stop") : tr("Stopping …"));
    }
}

} // namespace apertune::gui
