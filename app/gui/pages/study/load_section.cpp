// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/load_section.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/live_view.h"
#include "app/gui/presenters/load_view.h"
#include "app/gui/presenters/translate.h"
#include "app/gui/session/app_context.h"
#include "core/base/text.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/label.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/text_table_model.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

namespace apertune::gui {

using controls::Label;
using controls::Tone;
using workload::ScenarioKind;

namespace {

constexpr int kMostRows = 8;
constexpr int kFieldsARow = 4;

/// The scenarios in the order of the list.
constexpr std::array<ScenarioKind, 5> kKinds{ScenarioKind::singleStream, ScenarioKind::offline, ScenarioKind::server,
                                             ScenarioKind::multiStream, ScenarioKind::camera};

QString explanationOf(ScenarioKind kind)
{
    switch (kind) {
    case ScenarioKind::singleStream:
        return LoadSection::tr("One query after the other: what a single user waits.");
    case ScenarioKind::offline:
        return LoadSection::tr("Everything is there at once: the throughput.");
    case ScenarioKind::server:
        return LoadSection::tr(
            "Queries at random times. Without a rate, the largest one that keeps the bound is searched.");
    case ScenarioKind::multiStream:
        return LoadSection::tr("Queries of several samples, one after the other.");
    case ScenarioKind::camera:
        break;
    }
    return LoadSection::tr(
        "Frames at a fixed rate, each worth something until its deadline: misses, drops, staleness.");
}

} // namespace

LoadSection::LoadSection(AppContext& context, QWidget* parent) : Panel(tr("Under load"), parent), m_context(context)
{
    setBodyMargin(0);
    m_controls = new QWidget(this);
    auto* column = new QVBoxLayout(m_controls);
    column->setContentsMargins(12, 0, 12, 12);
    column->setSpacing(10);
    column->addWidget(makeFields());
    m_hint = makeNote();
    m_hint->setTone(Tone::warn);
    column->addWidget(m_hint);
    column->addWidget(makeRun());
    m_outcome = makeNote();
    column->addWidget(m_outcome);
    m_command = new controls::CommandLine(tr("Command line that puts this trial under this load"), m_controls);
    column->addWidget(m_command);
    m_results = new tables::TextTableModel(loadColumns(), this);
    m_table = new tables::LeanTable(this);
    m_table->setModel(m_results);
    m_table->setAccessibleName(tr("Results of this trial under load"));
    body()->addWidget(m_controls);
    body()->addWidget(m_table);

    connect(&context.jobs, &Jobs::stateChanged, this, &LoadSection::refresh);
    connect(&context.jobs, &Jobs::finished, this, [this](base::Outcome outcome, const base::Error& error) {
        // A run of another trial may end while this one is shown.
        if (m_context.jobs.state().trial != m_trial || !m_trial)
            return;
        const bool failed = outcome == base::Outcome::failed;
        m_outcome->setTone(failed ? Tone::bad : Tone::secondary);
        m_outcome->setText(failed                                ? theme::fromCore(error)
                           : outcome == base::Outcome::cancelled ? tr("Stopped. Nothing was kept of this run.")
                                                                 : QString());
        m_outcome->setVisible(!m_outcome->text().isEmpty());
        if (outcome == base::Outcome::done)
            Q_EMIT finished();
    });
    showKind();
}

Label* LoadSection::makeNote()
{
    auto* note = new Label({}, theme::Type::caption, Tone::bad, m_controls);
    note->setWordWrap(true);
    note->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    note->hide();
    return note;
}

QWidget* LoadSection::makeFields()
{
    auto* box = new QWidget(m_controls);
    m_grid = new QGridLayout(box);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(8);
    m_kind = new QComboBox(box);
    for (const ScenarioKind kind : kKinds)
        m_kind->addItem(fromCore(std::string(toString(kind))));
    m_kind->setAccessibleName(tr("Scenario"));
    auto* label = new Label(tr("Scenario"), theme::Type::body, Tone::secondary, box);
    label->setBuddy(m_kind);
    m_explanation = new Label({}, theme::Type::body, Tone::secondary, box);
    m_explanation->setWordWrap(true);
    m_grid->addWidget(label, 0, 0);
    m_grid->addWidget(m_kind, 0, 1);
    m_grid->addWidget(m_explanation, 0, 2, 1, 2 * kFieldsARow - 2);
    for (int i = 0; i < kFieldsARow; ++i)
        m_grid->setColumnStretch(2 * i + 1, 1);
    addText(bound, tr("Latency at most"), tr("50ms"), tr("Bound of the percentile, from arrival to answer"));
    addNumber(rate, tr("Queries a second"), 0, 1e6, 0, 1, tr("Average rate at which queries arrive"))
        ->setSpecialValueText(tr("largest that holds"));
    addNumber(samples, tr("Samples a query"), 1, 4096, 8, 0, tr("MLPerf uses 8"));
    addNumber(cameras, tr("Cameras"), 1, 1000, 1, 0, tr("Number of cameras that send frames"));
    addNumber(fps, tr("Frames a second"), 0.1, 1000, 30, 1, tr("Frame rate of each camera"));
    addText(deadline, tr("Deadline"), tr("one period"), tr("Time from a frame to its result"));
    addText(duration, tr("Duration"), tr("10s"), tr("Length of each run; longer where the percentile needs it"));
    addText(percentile, tr("Percentile"), tr("99"), tr("Percentile of the latency"));
    connect(m_kind, &QComboBox::currentIndexChanged, this, &LoadSection::showKind);
    return box;
}

QWidget* LoadSection::makeRun()
{
    m_stack = new QStackedWidget(m_controls);
    auto* idle = new QWidget(m_stack);
    auto* idleRow = new QHBoxLayout(idle);
    idleRow->setContentsMargins(0, 0, 0, 0);
    m_start = new QPushButton(tr("Put under load"), idle);
    idleRow->addWidget(m_start);
    idleRow->addStretch(1);
    auto* running = new QWidget(m_stack);
    auto* row = new QHBoxLayout(running);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_phase = new Label({}, theme::Type::body, Tone::text, running);
    m_phase->setElided(true);
    m_progress = new QProgressBar(running);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress under load"));
    m_stop = new QPushButton(tr("Stop"), running);
    m_stop->setToolTip(tr("Stop the run; a part of one is not kept"));
    row->addWidget(m_phase, 2);
    row->addWidget(m_progress, 1);
    row->addWidget(m_stop);
    m_stack->addWidget(idle);
    m_stack->addWidget(running);
    m_stack->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_start, &QPushButton::clicked, this, &LoadSection::start);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_context.jobs.requestStop(JobState::Stop::now); });
    return m_stack;
}

void LoadSection::add(Field at, const QString& name, QWidget* field, QLineEdit* text, const QString& toolTip)
{
    field->setAccessibleName(name);
    field->setAccessibleDescription(toolTip);
    field->setToolTip(toolTip);
    auto* label = new Label(name, theme::Type::body, Tone::secondary, field->parentWidget());
    label->setBuddy(field);
    m_fields[at] = {label, field, text};
    connect(text, &QLineEdit::textChanged, this, &LoadSection::check);
    connect(text, &QLineEdit::returnPressed, this, &LoadSection::start);
}

void LoadSection::addText(Field at, const QString& name, const QString& placeholder, const QString& toolTip)
{
    auto* field = new QLineEdit(m_grid->parentWidget());
    field->setPlaceholderText(placeholder);
    add(at, name, field, field, toolTip);
}

QDoubleSpinBox* LoadSection::addNumber(Field at, const QString& name, double least, double most, double value,
                                       int decimals, const QString& toolTip)
{
    auto* field = new QDoubleSpinBox(m_grid->parentWidget());
    field->setRange(least, most);
    field->setDecimals(decimals);
    field->setValue(value);
    connect(field, &QDoubleSpinBox::valueChanged, this, &LoadSection::check);
    auto* text = field->findChild<QLineEdit*>();
    text->setTextMargins(6, 0, 6, 0);
    add(at, name, field, text, toolTip);
    return field;
}

void LoadSection::showKind()
{
    const ScenarioKind kind = kKinds[static_cast<std::size_t>(m_kind->currentIndex())];
    std::vector<Field> shown;
    switch (kind) {
    case ScenarioKind::singleStream:
        shown = {duration, percentile};
        break;
    case ScenarioKind::offline:
        shown = {duration};
        break;
    case ScenarioKind::server:
        shown = {bound, rate, duration, percentile};
        break;
    case ScenarioKind::multiStream:
        shown = {samples, duration, percentile};
        break;
    case ScenarioKind::camera:
        shown = {cameras, fps, deadline, duration};
        break;
    }
    // Fields change their places with the scenario, so all leave the grid first.
    for (const Entry& entry : m_fields) {
        m_grid->removeWidget(entry.label);
        m_grid->removeWidget(entry.field);
        entry.label->hide();
        entry.field->hide();
    }
    // The order of the Tab key is the order of the fields on the screen.
    QWidget* before = m_kind;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Entry& entry = m_fields[shown[i]];
        m_grid->addWidget(entry.label, 1, static_cast<int>(2 * i));
        m_grid->addWidget(entry.field, 1, static_cast<int>(2 * i + 1));
        entry.label->show();
        entry.field->show();
        setTabOrder(before, entry.field);
        before = entry.field;
    }
    setTabOrder(before, m_start);
    m_fields[percentile].text->setPlaceholderText(
        QString::number(workload::defaultScenario(kind).percentile * 100, 'g', 4));
    m_explanation->setText(explanationOf(kind));
    check();
}

base::Result<workload::Scenario> LoadSection::scenario() const
{
    workload::Scenario s = workload::defaultScenario(kKinds[static_cast<std::size_t>(m_kind->currentIndex())]);
    std::optional<base::Error> error;
    const auto read = [&](Field at, auto parse, auto& into) {
        const Entry& entry = m_fields[at];
        const std::string text = theme::toStd(entry.text->text().trimmed());
        // An empty field keeps the scenario's own value, which its placeholder shows.
        if (entry.field->isHidden() || text.empty() || error)
            return;
        const auto parsed = parse(theme::toStd(entry.field->accessibleName()), text);
        if (parsed)
            into = *parsed;
        else
            error = parsed.error();
    };
    const auto time = [](const std::string& name, const std::string& text) { return base::parseDuration(name, text); };
    read(bound, time, s.bound);
    read(deadline, time, s.deadline);
    read(duration, time, s.duration);
    read(percentile, workload::parsePercentile, s.percentile);
    const auto number = [&](Field at) { return static_cast<QDoubleSpinBox*>(m_fields[at].field)->value(); };
    s.rate = number(rate);
    s.samples = static_cast<int>(number(samples));
    s.cameras = static_cast<int>(number(cameras));
    s.fps = number(fps);
    if (error)
        return *error;
    if (auto sound = workload::check(s); !sound)
        return sound.error();
    return s;
}

void LoadSection::setTrial(model::TrialId trial, const QString& title, bool measured)
{
    if (trial != m_trial)
        m_outcome->hide();
    m_trial = trial;
    m_title = title;
    m_measured = measured;
    check();
}

void LoadSection::setResults(const std::vector<store::Scenario>& results, const QString& rateUnit)
{
    auto rows = makeLoadRows(results, rateUnit);
    m_rows = static_cast<int>(rows.size());
    m_results->setRows(std::move(rows));
    m_table->fitHeight(kMostRows);
    refresh();
}

void LoadSection::check()
{
    // Setting a default value already asks for a check.
    if (!m_command)
        return; // the fields are not complete yet
    const auto wanted = scenario();
    m_command->setCommand(wanted && m_trial ? scenarioCommand(m_trial, *wanted, m_context.session.file()) : QString());
    QString text;
    if (!wanted)
        text = theme::fromCore(wanted.error());
    else if (const auto few = workload::tooFewQueries(*wanted))
        text = tooFewText(*wanted, *few);
    m_hint->setText(text);
    m_hint->setVisible(!text.isEmpty());
    refresh();
}

void LoadSection::start()
{
    const auto wanted = scenario();
    if (!wanted || !m_measured)
        return;
    m_outcome->hide();
    if (!m_context.jobs.putUnderLoad(m_trial, m_title, *wanted))
        m_context.notify({Tone::warn, tr("Another job is running. Put the trial under load when it has finished.")});
}

void LoadSection::refresh()
{
    const JobState& job = m_context.jobs.state();
    const bool ours = job.kind == JobState::Kind::underLoad && job.trial == m_trial;
    m_start->setEnabled(!job.busy() && scenario().ok());
    m_start->setToolTip(job.busy() ? tr("Another job is running.")
                                   : tr("Runs the trial's configuration again, in a process of its own"));
    // Replacing the button would leave the keyboard without a focus.
    const bool hadFocus = m_start->hasFocus() || m_stop->hasFocus();
    if (m_stack->currentIndex() != (ours ? 1 : 0)) {
        m_stack->setCurrentIndex(ours ? 1 : 0);
        if (hadFocus)
            (ours ? m_stop : m_start)->setFocus();
    }
    if (ours) {
        m_phase->setText(job.phase.isEmpty() ? tr("Starting …")
                         : job.etaHigh       ? tr("%1 · %2").arg(job.phase, etaText(job.etaLow, job.etaHigh))
                                             : job.phase);
        m_progress->setRange(0, job.total);
        m_progress->setValue(job.done);
        m_stop->setEnabled(job.stop == JobState::Stop::no);
        m_stop->setText(job.stop == JobState::Stop::no ? tr("Stop") : tr("Stopping …"));
        m_outcome->hide();
    }
    m_controls->setVisible(m_measured);
    m_table->setVisible(m_rows > 0);
    setVisible(m_measured || m_rows > 0);
}

} // namespace apertune::gui
