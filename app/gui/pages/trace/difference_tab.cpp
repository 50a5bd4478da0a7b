// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/difference_tab.h"

#include "widgets/controls/chip.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/label.h"
#include "widgets/controls/panel.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/flame_graph.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

namespace {

// Columns of DifferenceView::parts.
constexpr int kKind = 3;
constexpr int kOperator = 4;
constexpr int kWork = 5;

/// The batch of the traced trial; 0: not known.
double batchOf(const advice::Context& context)
{
    return context.config ? context.config->batch : 0;
}

std::string nameOf(const store::TraceSummary& trace)
{
    return "tr" + std::to_string(trace.id.value);
}

/// Whether a trace is likely to be of the model whose trace has that name. What stands behind a comma says that
/// hardware counters were recorded instead of the work.
bool isOfSameModel(const store::TraceSummary& trace, const std::string& name)
{
    const auto model = [](const std::string& text) { return text.substr(0, text.find_first_of(" ,")); };
    return model(trace.name) == model(name) && trace.name.find(',') == std::string::npos;
}

} // namespace

DifferenceTab::DifferenceTab(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(8);
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    auto* label = new Label(tr("&Compare with"), theme::Type::body, Tone::secondary, this);
    m_pick = new QComboBox(this);
    m_pick->setAccessibleName(tr("Trace to compare with (A)"));
    // Names of traces are long, and the box must not push the others out.
    m_pick->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_pick->setMinimumContentsLength(24);
    label->setBuddy(m_pick);
    top->addWidget(label);
    top->addWidget(m_pick);
    makeFurther(top);
    top->addStretch(1);
    layout->addLayout(top);
    m_stack = new QStackedLayout;
    m_empty = new controls::EmptyState(QStringLiteral("compare"), this);
    m_stack->addWidget(m_empty);
    m_tables = makeContent();
    m_stack->addWidget(m_tables);
    layout->addLayout(m_stack, 1);
    connect(m_pick, &QComboBox::activated, this, &DifferenceTab::compare);
    connect(&context.traces, &TraceSession::reportChanged, this, &DifferenceTab::readTraces);
    showInstead(tr("Difference"), tr("The trace is being read."));
}

void DifferenceTab::makeFurther(QLayout* row)
{
    // The further boxes appear one by one.
    for (std::size_t i = 0; i < kFurther; ++i) {
        auto* pick = new QComboBox(this);
        pick->setAccessibleName(tr("Further trace to compare (%1)").arg(QChar(static_cast<char16_t>(u'C' + i))));
        pick->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        pick->setMinimumContentsLength(18);
        pick->hide();
        connect(pick, &QComboBox::activated, this, &DifferenceTab::compare);
        row->addWidget(pick);
        m_further[i] = pick;
    }
    m_add = new QPushButton(tr("Add a trace"), this);
    m_add->setToolTip(tr("Compares one more trace with the same baseline, a column for each"));
    connect(m_add, &QPushButton::clicked, this, &DifferenceTab::addFurther);
    row->addWidget(m_add);
}

void DifferenceTab::addFurther()
{
    const auto next =
        std::find_if(m_further.begin(), m_further.end(), [](const QComboBox* p) { return p->isHidden(); });
    if (next == m_further.end())
        return;
    (*next)->show();
    (*next)->setFocus();
    m_add->setEnabled(
        std::any_of(m_further.begin(), m_further.end(), [](const QComboBox* p) { return p->isHidden(); }));
}

std::vector<store::TraceSummary> DifferenceTab::chosenFurther() const
{
    std::vector<store::TraceSummary> chosen;
    for (const QComboBox* pick : m_further)
        if (!pick->isHidden() && pick->currentIndex() > 0)
            chosen.push_back(m_others[static_cast<std::size_t>(pick->currentIndex() - 1)]);
    return chosen;
}

QWidget* DifferenceTab::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_headline = new Label({}, theme::Type::body, Tone::text, content);
    m_headline->setWordWrap(true);
    m_remarks = new Label({}, theme::Type::caption, Tone::secondary, content);
    m_remarks->setWordWrap(true);
    layout->addWidget(m_headline);
    layout->addWidget(m_remarks);
    auto* row = new QSplitter(Qt::Horizontal, content);
    row->setChildrenCollapsible(false);
    auto* steps = new Panel(tr("From A to B"), row);
    m_waterfall = new plots::WaterfallPlot(steps);
    m_waterfall->chart()->setAccessibleName(tr("Steps from the time of A to the time of B"));
    steps->body()->setContentsMargins(4, 4, 4, 6);
    steps->body()->addWidget(m_waterfall);
    plots::PlotActions::addTo(steps, m_waterfall->chart());
    row->addWidget(steps);
    row->addWidget(makeTables(row));
    row->setStretchFactor(0, 2);
    row->setStretchFactor(1, 3);
    row->setSizes({480, 620});
    layout->addWidget(row, 1);
    m_command = new controls::CommandLine(tr("Command line of this comparison"), content);
    layout->addWidget(m_command);
    return content;
}

QWidget* DifferenceTab::makeTables(QWidget* parent)
{
    auto* panel = new Panel({}, parent);
    panel->setBodyMargin(0);
    m_peaks = new Label({}, theme::Type::body, Tone::secondary, panel);
    m_peaks->setContentsMargins(12, 4, 12, 4);
    panel->body()->addWidget(m_peaks);
    addDivision(m_sides, panel, tr("All traces"), tr("Steps from A to each of the traces"));
    addDivision(m_parts, panel, tr("Parts"), tr("Parts of the difference, the largest first"));
    addDivision(m_layers, panel, tr("Layers"), tr("Layers, those with the largest change first"));
    addDivision(m_allocations, panel, tr("Allocations"), tr("Allocations of an iteration by operator"));
    addFlame(panel);
    m_parts.chip->setChecked(true);
    showDivision();
    return panel;
}

void DifferenceTab::addFlame(Panel* panel)
{
    m_flameChip = new controls::Chip(tr("Flame graph"), panel);
    m_flameChip->setAutoExclusive(true);
    m_flameChip->setToolTip(
        tr("Operators by stack. The width is the mean of A and B. Red boxes take longer in B, green "
           "ones less."));
    connect(m_flameChip, &QAbstractButton::toggled, this, &DifferenceTab::showDivision);
    panel->addHeaderWidget(m_flameChip);
    m_flame = new trace_views::FlameGraph;
    m_flameScroll = new QScrollArea(panel);
    m_flameScroll->setFrameShape(QFrame::NoFrame);
    m_flameScroll->setFocusPolicy(Qt::NoFocus); // the graph in it takes the keys
    m_flameScroll->setWidgetResizable(true);
    m_flameScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_flameScroll->setWidget(m_flame);
    for (QWidget* ground :
         {static_cast<QWidget*>(m_flameScroll), m_flameScroll->viewport(), static_cast<QWidget*>(m_flame)})
        ground->setAutoFillBackground(false); // the background is that of the panel
    m_flameFacts = new Label({}, theme::Type::body, Tone::secondary, panel);
    m_flameFacts->setContentsMargins(12, 4, 12, 8);
    panel->body()->addWidget(m_flameScroll, 1);
    panel->body()->addWidget(m_flameFacts);
    connect(m_flame, &trace_views::FlameGraph::currentChanged, this, &DifferenceTab::showFlameFacts);
}

void DifferenceTab::showFlameFacts()
{
    const QString text = m_flame->tree() ? tr("%1: %2").arg(m_flame->nameOf(m_flame->currentNode()),
                                                            m_flame->factsOf(m_flame->currentNode()))
                                         : QString();
    m_flameFacts->setName(text, text);
}

void DifferenceTab::addDivision(Division& division, Panel* panel, const QString& text, const QString& accessible)
{
    division.chip = new controls::Chip(text, panel);
    division.chip->setAutoExclusive(true);
    connect(division.chip, &QAbstractButton::toggled, this, &DifferenceTab::showDivision);
    panel->addHeaderWidget(division.chip);
    division.table = new tables::LeanTable(panel);
    division.table->setAccessibleName(accessible);
    division.table->setDense();
    panel->body()->addWidget(division.table, 1);
}

void DifferenceTab::showDivision()
{
    for (Division* division : {&m_sides, &m_parts, &m_layers, &m_allocations})
        if (division->table)
            division->table->setVisible(division->chip->isChecked());
    m_peaks->setVisible(m_allocations.chip && m_allocations.chip->isChecked());
    for (QWidget* part : {static_cast<QWidget*>(m_flameScroll), static_cast<QWidget*>(m_flameFacts)})
        if (part)
            part->setVisible(m_flameChip->isChecked());
}

void DifferenceTab::fill(Division& division, const std::vector<tables::TextTableModel::Column>& columns,
                         const std::vector<tables::TextTableModel::Row>& rows, int elastic)
{
    auto filled = std::make_unique<tables::TextTableModel>(columns);
    filled->setRows(rows);
    tables::LeanTable* table = division.table;
    table->setSortingEnabled(false);
    table->setModel(filled.get());
    division.model = std::move(filled);
    table->sortByColumn(-1, Qt::AscendingOrder);
    table->setSortingEnabled(true);
    table->setElastic(elastic, 110);
    division.chip->setVisible(!rows.empty());
    // Queued, so that the layout has given the tables their widths before.
    QMetaObject::invokeMethod(
        table, [table] { table->fitColumns(); }, Qt::QueuedConnection);
}

void DifferenceTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    readTraces();
}

void DifferenceTab::readTraces()
{
    const TraceReportPtr report = m_context.traces.report();
    if (!isVisible() || !report || report->trace == m_trace)
        return;
    m_trace = report->trace;
    m_context.tasks.start(
        this, QStringLiteral("traces"),
        [gateway = m_context.traceGateway, file = m_context.session.file()](const TaskRunner::Scope&) {
            return gateway->traces(file);
        },
        [this](base::Result<std::vector<store::TraceSummary>> traces) {
            if (traces || !m_context.session.workspaceExists())
                offer(traces ? *traces : std::vector<store::TraceSummary>());
            else
                showInstead(tr("The traces cannot be listed"), theme::fromCore(traces.error()));
        });
}

/// Fills the list and compares at once with the newest of the others, one of the same model if there is one.
void DifferenceTab::offer(const std::vector<store::TraceSummary>& traces)
{
    m_others.clear();
    m_own.reset();
    m_pick->clear();
    const TraceReportPtr report = m_context.traces.report();
    for (const store::TraceSummary& trace : traces) {
        if (report && trace.id.value == report->facts.context.traceId) {
            m_own = trace;
            continue;
        }
        if (!trace.complete)
            continue;
        m_others.push_back(trace);
        m_pick->addItem(theme::toQt(nameOf(trace) + "  " + trace.name));
    }
    const std::optional<store::TraceId> wanted = m_context.traces.wantedOther();
    auto related = std::find_if(m_others.begin(), m_others.end(),
                                [&wanted](const store::TraceSummary& trace) { return wanted && trace.id == *wanted; });
    if (related == m_others.end())
        related = std::find_if(m_others.begin(), m_others.end(), [this](const store::TraceSummary& trace) {
            return isOfSameModel(trace, m_trace->name);
        });
    if (related != m_others.end())
        m_pick->setCurrentIndex(static_cast<int>(related - m_others.begin()));
    m_pick->setEnabled(!m_others.empty());
    for (QComboBox* pick : m_further) {
        pick->clear();
        pick->addItem(tr("choose a trace"));
        for (int i = 0; i < m_pick->count(); ++i)
            pick->addItem(m_pick->itemText(i));
        pick->hide();
    }
    m_add->setEnabled(m_others.size() > 1);
    if (m_others.empty()) {
        showInstead(tr("No other trace to compare with"),
                    tr("Record a trace of another configuration, or import a recording into this workspace. Then this "
                       "page shows where the difference comes from, to the last microsecond."));
        return;
    }
    compare();
}

void DifferenceTab::compare()
{
    const int index = m_pick->currentIndex();
    const TraceReportPtr report = m_context.traces.report();
    if (index < 0 || index >= static_cast<int>(m_others.size()) || !m_trace)
        return;
    showInstead(tr("Difference"), tr("The traces are being compared."));
    const store::TraceSummary other = m_others[static_cast<std::size_t>(index)];
    const DifferenceInput b{{m_own ? nameOf(*m_own) : theme::toStd(m_context.traces.name()), m_trace->name,
                             m_own ? m_own->id.value : 0, m_trace},
                            report ? batchOf(report->facts.context) : 0};
    m_context.tasks.start(
        this, QStringLiteral("compare"),
        [gateway = m_context.traceGateway, file = m_context.session.file(), other, b, further = chosenFurther()](
            const TaskRunner::Scope& scope) -> base::Result<std::shared_ptr<const DifferenceView>> {
            LoadTask task;
            task.stop = scope.stop();
            std::vector<DifferenceInput> sides; // A and the further ones
            for (std::size_t i = 0; i <= further.size(); ++i) {
                const store::TraceSummary& summary = i == 0 ? other : further[i - 1];
                auto opened = gateway->storedTrace(file, summary.id, task);
                if (!opened)
                    return opened.error();
                sides.push_back(
                    {{nameOf(summary), summary.name, summary.id.value, opened->trace}, batchOf(opened->context)});
            }
            return compareForView(sides.front(), b, {sides.begin() + 1, sides.end()}, file);
        },
        [this](base::Result<std::shared_ptr<const DifferenceView>> view) {
            if (view)
                show(*view);
            else
                showInstead(tr("The traces cannot be compared"), theme::fromCore(view.error()));
        });
}

void DifferenceTab::show(const std::shared_ptr<const DifferenceView>& view)
{
    m_headline->setText(view->headline);
    m_remarks->setText(view->remarks.join(QLatin1Char('\n')));
    m_stack->setCurrentWidget(m_tables);
    m_waterfall->setWaterfall(view->waterfall, tr("%1 more steps"));
    fill(m_parts, view->partColumns, view->parts, kWork);
    fill(m_layers, view->layerColumns, view->layers, kWork);
    fill(m_allocations, view->allocationColumns, view->allocations, 0);
    fill(m_sides, view->sideColumns, view->sides, 0);
    if (!view->sides.empty())
        m_sides.chip->setChecked(true);
    m_parts.table->setExpendable({kOperator, kKind}, 300);
    m_peaks->setText(view->peaks);
    m_flameChip->setVisible(view->flame != nullptr);
    if (view->flame)
        m_flame->setDifference(view->flame);
    else if (m_flameChip->isChecked())
        m_parts.chip->setChecked(true);
    showFlameFacts();
    for (Division* division : {&m_sides, &m_layers, &m_allocations})
        if (division->chip->isChecked() && division->model->rowCount() == 0)
            m_parts.chip->setChecked(true);
    m_command->setVisible(!view->command.isEmpty());
    m_command->setCommand(view->command);
}

void DifferenceTab::showInstead(const QString& title, const QString& text)
{
    m_empty->setContent(title, text);
    m_stack->setCurrentWidget(m_empty);
}

} // namespace apertune::gui
