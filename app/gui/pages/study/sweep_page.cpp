// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/sweep_page.h"

#include "app/gui/pages/study/axes_editor.h"
#include "app/gui/pages/study/goal_editor.h"
#include "app/gui/pages/study/memory_panel.h"
#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/plan_view.h"
#include "core/models/zoo.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/scroll_page.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

namespace {

/// Item data of a model that is not in the workspace yet, with its source.
constexpr int kSourceRole = Qt::UserRole + 1;

} // namespace

PageSpec sweepPage()
{
    return {PageId::sweep, QT_TRANSLATE_NOOP("apertune::gui", "Sweep"), "sweep", Qt::CTRL | Qt::Key_3,
            makePage<SweepPage>};
}

SweepPage::SweepPage(AppContext& context, QWidget* parent) : Page(context, PageId::sweep, parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeDesign(), 6);
    layout->addWidget(makePlan(), 5);

    m_reset = addHeaderAction(tr("Default axes"), false, QStringLiteral("wand"));
    m_reset->setToolTip(tr("Tick what Auto-tune sweeps: every engine that is here, at the default levels, precisions "
                           "and batches"));
    m_start = addHeaderAction(tr("Start sweep"), true);
    m_start->setToolTip(tr("Run what is planned (Ctrl+Enter)"));
    connect(m_reset, &QAction::triggered, m_axes, &AxesEditor::reset);
    connect(m_start, &QAction::triggered, this, &SweepPage::start);

    // A plan asks the engine, so several quick changes cause one plan.
    m_delay.setSingleShot(true);
    m_delay.setInterval(120);
    connect(&m_delay, &QTimer::timeout, this, &SweepPage::plan);
    connect(m_axes, &AxesEditor::changed, this, &SweepPage::planSoon);
    connect(m_goal, &GoalEditor::changed, this, &SweepPage::planSoon);
    connect(&context.session, &Session::workspaceChanged, this, &SweepPage::refreshModels);
    connect(&context.session, &Session::modelSelected, this, &SweepPage::refreshModels);
    connect(&context.session, &Session::machineChanged, this, &SweepPage::offerMachine);
    connect(&context.jobs, &Jobs::stateChanged, this, &SweepPage::refreshActions);
    m_goal->setBudget(context.settings.defaultBudget());
    if (context.session.machine())
        offerMachine();
    refreshModels();
    refreshActions();
}

void SweepPage::offerMachine()
{
    m_axes->setMachine(context().session.machine()->devices, context().session.machine()->engines);
}

QWidget* SweepPage::makeDesign()
{
    auto* scroll = new controls::ScrollPage(this);
    QVBoxLayout* body = scroll->body();
    body->setContentsMargins(16, 0, 6, 12);
    auto* model = new Panel(tr("Model"), scroll);
    m_models = new QComboBox(model);
    m_models->setAccessibleName(tr("Model to sweep"));
    m_models->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* row = new QHBoxLayout;
    auto* another = new QPushButton(tr("Import another"), model);
    row->addWidget(m_models, 1);
    row->addWidget(another);
    model->body()->addLayout(row);
    connect(another, &QPushButton::clicked, this, [this] { context().navigate(PageId::model); });
    connect(m_models, &QComboBox::activated, this, [this] {
        const bool known = m_models->currentData(kSourceRole).toString().isEmpty();
        m_chosen = known ? QString() : m_models->currentText();
        if (known)
            context().session.selectModel(theme::toStd(m_models->currentText()));
        planSoon();
        Q_EMIT headerChanged();
    });
    auto* axes = new Panel(tr("Axes"), scroll);
    m_axes = new AxesEditor(axes);
    axes->body()->addWidget(m_axes);
    auto* goal = new Panel(tr("Goal, search and measuring time"), scroll);
    m_goal = new GoalEditor(goal);
    goal->body()->addWidget(m_goal);
    body->addWidget(model);
    body->addWidget(axes);
    body->addWidget(goal);
    body->addStretch(1);
    return scroll;
}

QWidget* SweepPage::makePlan()
{
    auto* scroll = new controls::ScrollPage(this);
    QVBoxLayout* body = scroll->body();
    body->setContentsMargins(6, 0, 16, 12);
    auto* plan = new Panel(tr("Plan"), scroll);
    m_headline = new Label(tr("Working out the plan …"), theme::Type::title, Tone::text, plan);
    m_headline->setWordWrap(true);
    m_estimate = new Label({}, theme::Type::body, Tone::secondary, plan);
    m_estimate->setWordWrap(true);
    m_grid = new plots::HeatMap(plan);
    m_grid->setAccessibleName(tr("Configurations of the plan"));
    plan->body()->addWidget(m_headline);
    plan->body()->addWidget(m_estimate);
    plan->body()->addWidget(m_grid, 1);
    m_reasonPanel = new Panel(tr("Impossible here, and why"), scroll);
    m_reasons = new controls::FactList(m_reasonPanel);
    m_reasonPanel->body()->addWidget(m_reasons);
    m_memory = new MemoryPanel(scroll);
    auto* line = new Panel(tr("The same on the command line"), scroll);
    m_command = new controls::CommandLine(tr("Command line of this sweep"), line);
    line->body()->addWidget(m_command);
    body->addWidget(plan, 1);
    body->addWidget(m_memory);
    body->addWidget(m_reasonPanel);
    body->addWidget(line);
    return scroll;
}

QString SweepPage::title() const
{
    const auto model = chosenModel();
    return model ? tr("Sweep %1").arg(theme::toQt(model->name)) : tr("Sweep");
}

QString SweepPage::facts() const
{
    const auto model = chosenModel();
    if (!model)
        return {};
    QStringList parts;
    if (model->parameters > 0)
        parts << tr("%1 parameters").arg(theme::magnitude(static_cast<double>(model->parameters)));
    if (model->macs)
        parts << tr("%1 MAC a sample").arg(theme::magnitude(static_cast<double>(*model->macs)));
    for (const model::TensorSpec& input : model->inputs)
        parts << tr("input %1").arg(theme::shape(input.shape));
    return parts.join(QStringLiteral(" · "));
}

void SweepPage::setSnapshot(std::shared_ptr<const model::StudySnapshot>)
{
    refreshModels();
}

bool SweepPage::isReady() const
{
    return m_planned || !chosenModel();
}

void SweepPage::refreshModels()
{
    const Session& session = context().session;
    const model::ModelRef* chosen = session.model();

    m_models->clear();
    for (const model::ModelRef& model : session.models())
        m_models->addItem(theme::toQt(model.name));
    for (const models::ZooEntry& entry : models::zoo()) {
        const QString name = theme::toQt(entry.name);
        if (m_models->findText(name) < 0) {
            m_models->addItem(name);
            m_models->setItemData(m_models->count() - 1, theme::toQt(entry.source), kSourceRole);
            m_models->setItemData(m_models->count() - 1, tr("of the zoo, imported when the sweep starts"),
                                  Qt::ToolTipRole);
        }
    }
    // The session knows models of the workspace only; a chosen model of the zoo is kept by its name.
    const int kept = m_chosen.isEmpty() ? -1 : m_models->findText(m_chosen);
    const int named = chosen ? m_models->findText(theme::toQt(chosen->name)) : -1;
    m_models->setCurrentIndex(kept >= 0 ? kept : named >= 0 ? named : m_models->count() > 0 ? 0 : -1);
    planSoon();
    Q_EMIT headerChanged();
}

std::optional<model::ModelRef> SweepPage::chosenModel() const
{
    const QString name = m_models->currentText();
    for (const model::ModelRef& model : context().session.models())
        if (theme::toQt(model.name) == name)
            return model;
    for (const models::ZooEntry& entry : models::zoo()) {
        if (theme::toQt(entry.name) == name) {
            model::ModelRef model;
            model.name = entry.name;
            model.source = entry.source;
            model.taskType = entry.task;
            model.parameters = entry.parameters;
            // Only the import shows whether it has one. Until then nothing compiled may be called impossible.
            model.hasExportedProgram = true;
            return model;
        }
    }
    return std::nullopt;
}

std::optional<study::StudyRequest> SweepPage::request()
{
    const auto model = chosenModel();
    const auto goal = m_goal->values();
    if (!model || !goal)
        return std::nullopt;
    study::StudyRequest request;
    request.model = *model;
    request.goal = goal->goal;
    request.budget = goal->budget;
    request.target = goal->target;
    request.space = m_axes->space();
    request.space.search = goal->search;
    request.commandLine = theme::toStd(tuneCommand(request, context().session.file()));
    return request;
}

void SweepPage::planSoon()
{
    m_planned = false;
    m_delay.start();
}

void SweepPage::plan()
{
    const auto wanted = request();
    if (!wanted || !context().session.machine()) {
        m_runnable = 0;
        m_command->setCommand({});
        m_headline->setText(!chosenModel()           ? tr("Choose a model first")
                            : !m_goal->values().ok() ? tr("The goal cannot be read")
                                                     : tr("Working out the plan …"));
        m_estimate->setText({});
        m_memory->hide();
        refreshActions();
        return;
    }
    m_command->setCommand(theme::toQt(wanted->commandLine));
    context().tasks.start(
        this, QStringLiteral("plan"),
        [gateway = context().jobGateway, file = context().session.file(), request = *wanted](const TaskRunner::Scope&) {
            return gateway->plan(file, request);
        },
        [this, budget = wanted->budget](base::Result<study::StudyPlan> plan) {
            m_planned = true;
            m_runnable = plan ? plan->runnable : 0;
            if (plan) {
                const PlanView view = makePlanView(*plan, budget);
                m_headline->setText(view.headline);
                m_estimate->setText(view.estimate);
                m_grid->setData(view.grid);
                m_memory->setVisible(!plan->memory.empty());
                m_memory->setForecasts(std::move(plan->memory));
                m_axes->setEngineSwitches(plan->engineSwitches);
                m_axes->addDevices(plan->devices);
                m_reasonPanel->setVisible(!view.reasons.empty());
                m_reasons->setFacts(view.reasons);
            } else {
                m_headline->setText(tr("This sweep cannot be planned"));
                m_estimate->setText(theme::fromCore(plan.error()));
                m_grid->setData({});
                m_memory->hide();
                m_reasonPanel->hide();
            }
            refreshActions();
        });
}

void SweepPage::refreshActions()
{
    m_reset->setEnabled(!m_axes->isDefault());
    m_start->setEnabled(!context().jobs.state().busy() && m_runnable > 0);
}

void SweepPage::start()
{
    const auto wanted = request();
    if (!wanted)
        return;
    const QString source = m_models->currentData(kSourceRole).toString();
    models::ImportRequest imported;
    imported.source = theme::toStd(source);
    imported.name = wanted->model.name;
    const bool started = source.isEmpty() ? context().jobs.startSweep(*wanted) : context().jobs.tune(imported, *wanted);
    if (started)
        context().navigate(PageId::live);
    else
        context().notify({Tone::warn, tr("Another job is running. Start the sweep when it has finished.")});
}

} // namespace apertune::gui
