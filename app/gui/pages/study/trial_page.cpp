// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/trial_page.h"

#include "app/gui/pages/study/baseline_bar.h"
#include "app/gui/pages/study/load_section.h"
#include "app/gui/presenters/evaluation_view.h"
#include "app/gui/presenters/machine_view.h"
#include "app/gui/presenters/stage_view.h"
#include "app/gui/presenters/trial_view.h"
#include "app/gui/session/shortcuts.h"
#include "core/model/imported.h"
#include "widgets/controls/card_layout.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/kpi_card.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/scroll_page.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/plots/sample_plots.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/text_table_model.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/share_bar.h"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QStackedLayout>
#include <QStackedWidget>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

PageSpec trialPage()
{
    return {PageId::trial, QT_TRANSLATE_NOOP("apertune::gui", "Trial"), "trial", Qt::CTRL | Qt::Key_6,
            makePage<TrialPage>};
}

TrialPage::TrialPage(AppContext& context, QWidget* parent) : Page(context, PageId::trial, parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("trial"), this);
    m_empty->setContent(
        tr("No trial chosen"),
        tr("This page shows one configuration in detail: its latency with interval and distribution, "
           "which switches really took effect and the evidence for it, memory and quality. Choose a point, a "
           "configuration or a row on the Trade-offs page."),
        tr("Go to Trade-offs"));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeContent());
    connect(m_empty, &controls::EmptyState::activated, this, [this] { this->context().navigate(PageId::tradeoffs); });

    m_compare = addHeaderAction(tr("Compare with baseline"), false);
    connect(m_compare, &QAction::triggered, this, [this] {
        // Sides A and B: the baseline before, this trial after it.
        Session& session = this->context().session;
        session.setComparison({session.file(), m_snapshot->study.id, m_snapshot->leading()->against},
                              {session.file(), m_snapshot->study.id, session.selectedTrial()});
        this->context().navigate(PageId::compare);
    });
    m_traceIt = addHeaderAction(tr("Trace it"), false);
    connect(m_traceIt, &QAction::triggered, this, &TrialPage::record);
    connect(m_traceIt, &QAction::enabledChanged, m_record, &QWidget::setEnabled);
    m_export = addHeaderAction(tr("Export configuration"), true);
    connect(m_export, &QAction::triggered, this, [this] { this->context().navigate(PageId::exportTrial); });
    // Filling the page reads the workspace, so it waits until the page is seen.
    connect(&context.session, &Session::trialSelected, this, [this] {
        if (isVisible())
            refresh();
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        if (m_stagePanel->isVisible()) // the parts of the bar have colours of the theme
            findStages();
    });
    for (const auto& [action, direction] :
         {std::pair(WindowAction::nextTrial, 1), std::pair(WindowAction::previousTrial, -1)}) {
        connect(makeShortcut(action, this), &QShortcut::activated, this, [this, d = direction] { step(d); });
    }
}

QWidget* TrialPage::makePlots()
{
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    auto* cards = new controls::CardLayout(12);
    for (controls::KpiCard*& card : m_cards) {
        card = new controls::KpiCard(box);
        cards->addWidget(card);
    }
    layout->addLayout(cards);
    m_warning = new Label({}, theme::Type::body, Tone::warn, box);
    m_warning->setWordWrap(true);
    layout->addWidget(m_warning);

    m_noPasses = new Label({}, theme::Type::body, Tone::secondary, box);
    m_noPasses->setWordWrap(true);
    m_noPasses->setAlignment(Qt::AlignCenter);
    m_charts = new QWidget(box);
    auto* row = new QHBoxLayout(m_charts);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    auto* distribution = new Panel(tr("Time of single passes"), m_charts);
    auto* note = new Label({}, theme::Type::caption, Tone::secondary, distribution);
    distribution->addHeaderWidget(note);
    auto* modes = new QButtonGroup(box);
    modes->setExclusive(true);
    for (const auto& [text, mode] : {std::pair(tr("Histogram"), plots::DistributionPlot::Mode::histogram),
                                     std::pair(tr("Cumulative"), plots::DistributionPlot::Mode::cumulative)}) {
        auto* chip = new controls::Chip(text, distribution);
        chip->setAutoExclusive(true);
        chip->setChecked(mode == plots::DistributionPlot::Mode::histogram);
        modes->addButton(chip);
        distribution->addHeaderWidget(chip);
        connect(chip, &QAbstractButton::toggled, this, [this, m = mode](bool on) {
            if (on)
                m_distribution->setMode(m);
        });
    }
    m_distribution = new plots::DistributionPlot(distribution);
    connect(m_distribution, &plots::DistributionPlot::noteChanged, note, &QLabel::setText);
    distribution->body()->setContentsMargins(4, 2, 4, 6);
    distribution->body()->addWidget(m_distribution);
    plots::PlotActions::addTo(distribution, m_distribution->chart());
    auto* blocks = new Panel(tr("Timing blocks"), m_charts);
    blocks->addHeaderWidget(
        new Label(tr("band: interval of the median"), theme::Type::caption, Tone::secondary, blocks));
    m_blocks = new plots::BlocksPlot(blocks);
    blocks->body()->setContentsMargins(4, 2, 4, 6);
    blocks->body()->addWidget(m_blocks);
    plots::PlotActions::addTo(blocks, m_blocks->chart());
    for (plots::ChartView* chart : {m_distribution->chart(), m_blocks->chart()})
        // The command measures the whole trial, whichever point was clicked.
        chart->setCommandSource([this](qint64) { return m_command->command(); });
    row->addWidget(distribution, 1);
    row->addWidget(blocks, 1);
    layout->addWidget(m_charts, 1);
    layout->addWidget(m_noPasses, 1);
    return box;
}

QWidget* TrialPage::makeFailure()
{
    auto* panel = new Panel({}, this);
    m_failureTitle = new Label({}, theme::Type::title, Tone::bad, panel);
    m_failureText = new Label({}, theme::Type::body, Tone::text, panel);
    m_failureText->setWordWrap(true);
    m_failureLog = new QPlainTextEdit(panel);
    m_failureLog->setReadOnly(true);
    m_failureLog->setFrameShape(QFrame::StyledPanel);
    m_failureLog->setFont(theme::font(theme::Type::mono));
    m_failureLog->setAccessibleName(tr("Log of the failure"));
    panel->body()->addWidget(m_failureTitle);
    panel->body()->addWidget(m_failureText);
    panel->body()->addWidget(m_failureLog, 1);
    return panel;
}

QWidget* TrialPage::makeContent()
{
    auto* scroll = new controls::ScrollPage(this);
    QVBoxLayout* layout = scroll->body();
    layout->addWidget(makeStages());
    m_result = new QStackedWidget(scroll);
    m_result->addWidget(makePlots());
    m_result->addWidget(makeFailure());
    m_result->setMinimumHeight(300);
    layout->addWidget(m_result, 3);

    auto* switches = new Panel(tr("Switches: asked for and in effect"), scroll);
    m_switchPanel = switches;
    m_switches = new tables::TextTableModel({{tr("Switch")}, {tr("Asked")}, {tr("In effect")}, {tr("Evidence")}}, this);
    m_switchTable = new tables::LeanTable(switches);
    m_switchTable->setModel(m_switches);
    m_switchTable->setAccessibleName(tr("Switches"));
    switches->setBodyMargin(0);
    switches->body()->addWidget(m_switchTable);
    layout->addWidget(switches);

    const auto section = [&](const QString& title, std::vector<tables::TextTableModel::Column> columns,
                             const QString& accessible, TableSection& into) {
        into.panel = new Panel(title, scroll);
        into.note = new Label({}, theme::Type::caption, Tone::secondary, into.panel);
        into.panel->addHeaderWidget(into.note);
        into.model = new tables::TextTableModel(std::move(columns), this);
        into.table = new tables::LeanTable(into.panel);
        into.table->setModel(into.model);
        into.table->setAccessibleName(accessible);
        into.panel->setBodyMargin(0);
        into.panel->body()->addWidget(into.table);
        into.panel->hide();
        layout->addWidget(into.panel);
    };
    section(tr("What the file states"), {{tr("Fact")}, {tr("Words of the tool")}}, tr("What the file states"),
            m_stated);
    section(tr("Accuracy against labels"), accuracyColumns(), tr("Accuracy against labels"), m_accuracy);
    section(tr("Sensitivity to int8, layer by layer"), sensitivityColumns(), tr("Sensitivity to int8, layer by layer"),
            m_layers);
    m_loads = new LoadSection(context(), scroll);
    connect(m_loads, &LoadSection::finished, this, &TrialPage::findLoads);
    layout->addWidget(m_loads);

    auto* lower = new QHBoxLayout;
    lower->setSpacing(12);
    const auto factPanel = [&](const QString& title, controls::FactList*& list) {
        auto* panel = new Panel(title, scroll);
        list = new controls::FactList(panel);
        panel->body()->addWidget(list);
        panel->body()->addStretch(1);
        lower->addWidget(panel, 1);
        return panel;
    };
    m_timingPanel = factPanel(tr("Timing"), m_timing);
    m_qualityPanel = factPanel(tr("Memory and quality"), m_quality);
    factPanel(tr("Environment"), m_environment);
    layout->addLayout(lower);

    auto* baseline = new Panel(tr("Baseline"), scroll);
    baseline->body()->addWidget(new BaselineBar(context(), baseline));
    layout->addWidget(baseline);

    m_againRow = new QWidget(scroll);
    auto* again = new QHBoxLayout(m_againRow);
    again->setContentsMargins(0, 0, 0, 0);
    again->addWidget(new Label(tr("Measure it again:"), theme::Type::body, Tone::secondary, scroll));
    m_command = new controls::CommandLine(tr("Command line that measures this trial again"), scroll);
    again->addWidget(m_command, 1);
    m_openTrace = new QPushButton(tr("Open its trace"), scroll);
    m_openTrace->setToolTip(tr("The newest recording of this trial in the workspace"));
    m_openTrace->hide();
    connect(m_openTrace, &QPushButton::clicked, this, [this] {
        context().traces.openStored(context().session.file(), m_trace, m_title);
        context().navigate(PageId::trace);
    });
    m_record = new QPushButton(tr("Trace it"), scroll);
    m_record->setToolTip(
        tr("Runs this trial once more while everything is recorded: operators, kernels, memory, telemetry"));
    connect(m_record, &QPushButton::clicked, this, &TrialPage::record);
    m_counters = new QCheckBox(tr("with hardware counters"), scroll);
    m_graphs = new QCheckBox(tr("graphs as whole launches"), scroll);
    connect(&context().session, &Session::machineChanged, this, [this] {
        if (const model::Trial* trial = m_snapshot ? m_snapshot->find(context().session.selectedTrial()) : nullptr)
            offerExtent(*trial);
    });
    again->addWidget(m_openTrace);
    again->addWidget(m_record);
    again->addWidget(m_counters);
    again->addWidget(m_graphs);
    layout->addWidget(m_againRow);
    return scroll;
}

controls::Panel* TrialPage::makeStages()
{
    m_stagePanel = new Panel(tr("Time of an image by stage"), this);
    m_stageRate = new Label({}, theme::Type::heading, Tone::text, m_stagePanel);
    m_stagePanel->addHeaderWidget(m_stageRate);
    m_stageBar = new trace_views::ShareBar(m_stagePanel);
    m_stageText = new Label({}, theme::Type::body, Tone::secondary, m_stagePanel);
    m_stageText->setWordWrap(true);
    m_stagePanel->body()->addWidget(m_stageBar);
    m_stagePanel->body()->addWidget(m_stageText);
    m_stagePanel->hide();
    return m_stagePanel;
}

template <typename Kept, typename Show>
void TrialPage::find(const QString& lane, KeptOf<Kept> kept, Show show)
{
    context().tasks.start(
        this, lane,
        [gateway = context().studyGateway, file = context().session.file(), trial = context().session.selectedTrial(),
         kept](const TaskRunner::Scope&) { return ((*gateway).*kept)(file, trial); },
        [show](base::Result<std::vector<Kept>> found) {
            // Another page reports a workspace that cannot be read.
            show(found ? std::move(*found) : std::vector<Kept>());
        },
        TaskRunner::Noise::quiet);
}

void TrialPage::findStages()
{
    find<store::Pipeline>(QStringLiteral("stages"), &StudyGateway::pipelines, [this](const auto& runs) {
        std::optional<StageView> view = makeStageView(runs);
        m_stagePanel->setVisible(view.has_value());
        if (!view)
            return;
        m_stageBar->setParts(std::move(view->parts));
        m_stageBar->setAccessibleName(tr("Time of an image by stage: %1").arg(view->sentence));
        m_stageRate->setText(view->rate);
        m_stageText->setText(QStringList({view->bound, view->modelOnly, view->source}).join(QLatin1Char('\n')));
    });
}

void TrialPage::findLoads()
{
    find<store::Scenario>(QStringLiteral("loads"), &StudyGateway::scenarios, [this](const auto& loads) {
        if (const auto snapshot = context().session.snapshot())
            m_loads->setResults(loads, theme::throughputUnit(snapshot->study.model));
    });
}

void TrialPage::findEvaluations()
{
    find<store::Evaluation>(QStringLiteral("evaluations"), &StudyGateway::evaluations, [this](const auto& evaluations) {
        EvaluationView view = makeEvaluationView(evaluations);
        fill(m_accuracy, std::move(view.accuracy), view.images);
        fill(m_layers, std::move(view.layers), view.calibration);
    });
}

void TrialPage::fill(TableSection& section, std::vector<tables::TextTableModel::Row> rows, const QString& note)
{
    const int count = static_cast<int>(rows.size());
    section.model->setRows(std::move(rows));
    section.note->setText(note);
    section.table->fitHeight(8);
    section.panel->setVisible(count > 0);
}

void TrialPage::findTrace(model::TrialId trial)
{
    m_openTrace->hide();
    context().tasks.start(
        this, QStringLiteral("traces"),
        [gateway = context().traceGateway, file = context().session.file()](const TaskRunner::Scope&) {
            return gateway->traces(file);
        },
        [this, trial](base::Result<std::vector<store::TraceSummary>> traces) {
            if (!traces)
                return;                                        // another page reports a workspace that cannot be read
            for (const store::TraceSummary& trace : *traces) { // the newest comes first
                if (trace.trial == trial && trace.complete) {
                    m_trace = trace.id;
                    m_openTrace->show();
                    return;
                }
            }
        },
        TaskRunner::Noise::quiet);
}

/// Runs the trial once more while everything is recorded, and goes to the trace.
void TrialPage::record()
{
    const auto wanted = [](const QCheckBox* box) { return box->isEnabled() && box->isChecked(); };
    CaptureExtent extent;
    extent.counters = wanted(m_counters);
    extent.graphs = wanted(m_graphs) ? trace::GraphRecords::launches : trace::GraphRecords::nodes;
    context().traces.capture(context().session.file(), context().session.selectedTrial(), m_title, extent);
    context().navigate(PageId::trace);
}

/// Shows which options a recording has here, and for those that it lacks the reason.
void TrialPage::offerExtent(const model::Trial& trial)
{
    const auto& machine = context().session.machine();
    const QString unknown = tr("This machine is still being looked at.");
    const auto offer = [this](QCheckBox* box, const QString& why, const QString& what) {
        box->setEnabled(why.isEmpty() && m_traceIt->isEnabled());
        const QString help = why.isEmpty() ? what : why;
        box->setToolTip(help);
        box->setAccessibleDescription(help);
    };
    offer(m_counters, machine ? whyNoCounters(*machine, trial) : unknown,
          tr("SM, tensor pipe, DRAM and L2 of the GPU too: two more passes, each a trace of its own"));
    offer(m_graphs, machine ? whyNoGraphs(*machine, trial) : unknown,
          tr("One record a launch of a CUDA graph in place of one for every kernel inside: recording costs less, and "
             "what runs inside is not seen (--graphs launch)"));
}

QString TrialPage::title() const
{
    return m_title.isEmpty() ? tr("Trial") : m_title;
}

QString TrialPage::facts() const
{
    return m_facts;
}

bool TrialPage::isReady() const
{
    return m_snapshot == context().session.snapshot();
}

void TrialPage::setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    refresh();
}

void TrialPage::refresh()
{
    const model::Trial* trial = m_snapshot ? m_snapshot->find(context().session.selectedTrial()) : nullptr;
    m_stack->setCurrentIndex(trial ? 1 : 0);
    const bool imported = m_snapshot && model::isImported(m_snapshot->study);
    m_export->setEnabled(trial && trial->state == model::TrialState::ok);
    // What another tool measured cannot be run here.
    m_export->setVisible(!imported);
    m_traceIt->setVisible(!imported);
    m_againRow->setVisible(!imported);
    const model::Recommendation* leading = m_snapshot ? m_snapshot->leading() : nullptr;
    m_compare->setEnabled(trial && trial->state == model::TrialState::ok && leading && leading->against &&
                          leading->against != trial->id);
    if (!trial) {
        m_title.clear();
        m_facts.clear();
        Q_EMIT headerChanged();
        return;
    }
    const TrialView view = makeTrialView(*m_snapshot, *trial, context().session.file());
    m_title = view.title;
    m_facts = view.facts;
    m_result->setCurrentIndex(view.measured ? 0 : 1);
    m_timingPanel->setVisible(view.measured);
    m_qualityPanel->setVisible(view.measured);
    if (view.measured) {
        // The cards exist already; filling them keeps the focus of the keyboard.
        for (std::size_t i = 0; i < m_cards.size(); ++i)
            m_cards[i]->setFigure(view.figures[i]);
        m_warning->setVisible(!view.warning.isEmpty());
        m_warning->setText(tr("Note: %1.").arg(view.warning));
        m_charts->setVisible(view.noPasses.isEmpty());
        m_noPasses->setVisible(!view.noPasses.isEmpty());
        m_noPasses->setText(view.noPasses);
        m_distribution->setMeasurement(trial->measurement);
        m_blocks->setMeasurement(trial->measurement);
        m_timing->setFacts(view.timing);
        m_quality->setFacts(view.memoryAndQuality);
    } else {
        m_failureTitle->setText(view.failureTitle);
        m_failureTitle->setTone(trial->state == model::TrialState::failed ? Tone::bad : Tone::secondary);
        m_failureText->setText(QStringList({view.failureText, view.failureAdvice}).join(QLatin1Char('\n')).trimmed());
        m_failureLog->setPlainText(view.failureDetail);
        m_failureLog->setVisible(!view.failureDetail.isEmpty());
    }
    m_switches->setRows(view.switches);
    m_switchTable->fitHeight(12);
    m_switchPanel->setVisible(!view.imported);
    fill(m_stated, view.stated, {});
    m_environment->setFacts(view.environment);
    m_command->setCommand(view.command);
    const bool runs = view.measured && !view.imported;
    m_traceIt->setEnabled(runs);
    offerExtent(*trial);
    findTrace(trial->id);
    m_loads->setTrial(trial->id, m_title, runs);
    findLoads();
    findEvaluations();
    findStages();
    Q_EMIT headerChanged();
}

void TrialPage::step(int direction)
{
    if (!m_snapshot || m_snapshot->trials.empty())
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_snapshot->trials.size());
    std::ptrdiff_t at = 0;
    for (std::ptrdiff_t i = 0; i < count; ++i)
        if (m_snapshot->trials[static_cast<std::size_t>(i)].id == context().session.selectedTrial())
            at = i;
    context().session.selectTrial(m_snapshot->trials[static_cast<std::size_t>((at + direction + count) % count)].id);
}

} // namespace apertune::gui
